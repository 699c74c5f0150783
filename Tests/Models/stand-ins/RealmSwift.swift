// What RealmSwift declares, as far as the code of `schema --format swift` names it: for a type check where there is no SDK.

@propertyWrapper public struct Persisted<Value> {
  public init() {}
  public init(primaryKey: Bool) {}
  public init(indexed: Bool) {}
  public init(originProperty: String) {}
  public var wrappedValue: Value {
    get { fatalError() }
    set { _ = newValue }
  }
}

open class ObjectBase {
  public init() {}
  open class func propertiesMapping() -> [String: String] { [:] }
  open class func _realmObjectName() -> String? { nil }
}

open class Object: ObjectBase {}
open class EmbeddedObject: ObjectBase {}
open class AsymmetricObject: ObjectBase {}

public struct LinkingObjects<Element: ObjectBase> {}
public final class List<Element> {}
public final class MutableSet<Element> {}
public final class Map<Key: Hashable, Value> {}
public struct AnyRealmValue {}
public struct Decimal128 {}
public struct ObjectId {}
