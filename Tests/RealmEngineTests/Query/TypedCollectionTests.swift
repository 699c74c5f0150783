import RealmEngine
import TestSupport
import Testing

/// What the elements of a collection are decides what its aggregates are compared with.
@Suite("Aggregates and lengths of typed collections")
struct TypedCollectionTests {
  private static let realm = Result { () throws -> ReadTransaction in
    func entries(_ values: Value...) -> NewValue {
      .dictionary(values.enumerated().map { (ByteString("k\($0.offset)"), .single($0.element)) })
    }
    let realm = try WritableDatabase.withRows([
      PropertyDefinition("ints", .int, collection: .dictionary),
      PropertyDefinition("doubles", .double, collection: .dictionary),
      PropertyDefinition("floats", .float, collection: .dictionary),
      PropertyDefinition("texts", .string, collection: .dictionary),
      PropertyDefinition("floatList", .float, collection: .list),
      PropertyDefinition("words", .string, collection: .set),
      PropertyDefinition("anything", .mixed, isOptional: true),
    ]) { write, key in
      _ = try write.create(
        key,
        [
          ("ints", entries(.int(7), .int(8))), ("doubles", entries(.double(0.1), .double(0.2))),
          ("floats", entries(.float(0.1))),
          ("texts", entries(.string(ByteString("a")), .string(ByteString("b")))),
          ("floatList", .list([.single(.float(0.1))])),
          (
            "words",
            .set([.single(.string(ByteString("abc"))), .single(.string(ByteString("xyz")))])
          ),
          ("anything", .list([.single(.int(5))])),
        ])
    }
    return realm.database.transaction
  }

  @Test(
    "they are of the type of the elements",
    arguments: [
      // Of integers: a literal is read as one, and a quotient has no fraction.
      ("ints.@sum / 2 == 7", 1), ("ints.@max == '8'", 1), ("ints.@max BETWEEN {'1', '9'}", 1),
      // Of doubles: no digits are added as decimals are.
      ("doubles.@sum == 0.30000000000000004", 1), ("doubles.@sum == 0.3", 0),
      // Of floats: literals are as short as the elements are.
      ("floats.@max == 0.1", 1), ("floats.@sum == 0.1", 1), ("floatList.@sum == 0.1", 1),
      ("floatList.@avg == 0.1", 1), ("floatList.@sum > 0.1", 0), ("texts.@max == 'b'", 1),
      // Two lengths are no set of one.
      ("words.length == {3}", 0), ("words.length == {3, 3}", 1), ("words == {'xyz', 'abc'}", 1),
      // What a step into a mixed value finds is a list beside a list.
      ("anything[0] == {5}", 1), ("anything[0] == {5, 6}", 0), ("anything[0] IN {5, 6}", 1),
      ("anything[0] < {6, 6}", 0),
    ])
  func types(text: String, count: Int) throws {
    let asked = try Asked(Self.realm, "Row")
    #expect(try asked.count(text) == count)
    #expect(try QueryExecutor(try asked.bound(text), in: asked.realm).count() == count)
  }

  @Test(
    "others are refused",
    arguments: [
      ("ints.@max == true", "type «true» cannot compare int 'ints.@max' with bool true"),
      ("texts.@sum == 0", "aggregate «texts.@sum» @sum needs numbers; 'texts' holds string"),
      (
        "doubles.@max < texts.@max",
        "type «texts.@max» cannot compare double 'doubles.@max' with string 'texts.@max'"
      ),
    ])
  func refusals(text: String, complaint: String) throws {
    #expect(try Asked(Self.realm, "Row").complaint(text) == complaint)
  }
}
