// What Realm .NET declares, as far as the code of `schema --format csharp` names it: for a type check where there is no SDK.
using System;

namespace Realms
{
    public interface IRealmObject { }
    public interface IEmbeddedObject { }
    public interface IAsymmetricObject { }
    public struct RealmValue { }
    public enum IndexType { General, FullText }
    public class PrimaryKeyAttribute : Attribute { }
    public class IndexedAttribute : Attribute
    {
        public IndexedAttribute(IndexType type = IndexType.General) { }
    }
    public class MapToAttribute : Attribute
    {
        public MapToAttribute(string name) { }
    }
    public class BacklinkAttribute : Attribute
    {
        public BacklinkAttribute(string property) { }
    }
}

namespace MongoDB.Bson
{
    public struct Decimal128 { }
    public struct ObjectId { public static ObjectId GenerateNewId() { return new ObjectId(); } }
}
