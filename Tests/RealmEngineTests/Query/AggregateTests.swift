// Calculations over many objects: what they mean, group by group.

import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("Calculations over many objects")
struct AggregateTests {
  @Test("sum and count agree with what the rows hold")
  func sum() throws {
    let asked = try Asked(Fixture.zoo, "Dog")
    var sum: Int64 = 0
    for age in Int64(0)...20 { sum += age * Int64(try asked.count("age == \(age)")) }
    #expect(try Answered.value("sum age of Dog") == .int(sum))
    #expect(try Answered.value("avg age of Dog") == .double(Double(sum) / Double(asked.table.count)))
    #expect(try Answered.value("max age of Dog where age < 5") == .int(4))
    #expect(try Answered.value("min age of Dog where age > 5") == .int(6))
    #expect(try Answered.value("sum age of Dog where age > 5 sort(age asc) limit(1)") == .int(6))
  }

  @Test("of nothing there is a count of 0 and nothing else")
  func nothing() throws {
    let items = "count, count age, count distinct age, sum age, avg age, min name, median age, stddev age"
    let answered = try Answered("\(items) of Dog where age < 0")
    let nulls = [Value](repeating: .null, count: 5)
    #expect(answered.rows == [[.int(0), .int(0), .int(0)] + nulls])
    #expect(try Answered("count, sum age of Dog where age < 0 by breed").rows.isEmpty)
  }

  @Test("texts and dates have a least and a greatest; paths may lead through links")
  func otherTypes() throws {
    let named = "where name == 'Fido' or name == 'Rex'"
    #expect(try Answered.value("min name of Dog \(named)") == .string(ByteString("Fido")))
    #expect(try Answered.value("max name of Dog \(named)") == .string(ByteString("Rex")))
    #expect(try Answered.value("max born of Dog where born != NULL") != .null)
    #expect(try Answered.value("max owner.age of Dog where owner != NULL") != .null)
  }

  @Test("the middle of an even number of values is between two, and a deviation needs two of them")
  func spread() throws {
    #expect(try Answered.value("median age of Dog where age in {3, 4} distinct(age)") == .double(3.5))
    #expect(try Answered.value("median age of Dog where age == 4") == .double(4))
    #expect(try Answered.value("stddev age of Dog where age == 4 limit(1)") == .null)
    #expect(try Answered.value("stddev age of Dog where age == 4") == .double(0))
    #expect(
      try Answered.value("stddev age of Dog where age in {3, 5} distinct(age)") == .double(2.0.squareRoot()))
  }

  @Test("a column is called by its text or its alias, and its word is enough where no other has it")
  func names() throws {
    let answered = try Answered("count, avg age, max age as oldest of Person by active as on sort(avg desc)")
    #expect(answered.names == ["on", "count", "avg age", "oldest"])
    let sorted = try Answered("count, avg age of Person by active sort(avg age desc)").rows
    #expect(sorted.map { $0[2] } == answered.rows.map { $0[2] })
  }

  @Test(
    "groups are kept by a condition on their columns, which may be all that a condition on objects may be")
  func conditions() throws {
    let all = try Answered("count, avg age as mean of Person by address.city as city")
    let kept = try Answered(
      "count, avg age as mean of Person by address.city as city having count > 30 and mean > 40 sort(count desc)"
    )
    let expected = all.rows.filter {
      if case .int(let count) = $0[1], case .double(let mean) = $0[2] {
        count > 30 && mean > 40
      } else {
        false
      }
    }
    #expect(kept.rows.count == expected.count && expected.count > 0 && expected.count < all.rows.count)
    let texts = try Answered(
      "count of Person by address.city as city having city BEGINSWITH[c] 'b' or city == null")
    #expect(!texts.rows.isEmpty && texts.rows.count < all.rows.count)
  }

  @Test("conditions on groups know links, lists and dictionaries from null, and equal links from others")
  func conditionsOnLinks() throws {
    for path in ["bestFriend", "extra"] {
      let all = try Answered("count of Person by \(path) as k").rows
      #expect(
        try Answered("count of Person by \(path) as k having k != null").rows == all.filter { $0[0] != .null }
      )
      #expect(
        try Answered("count of Person by \(path) as k having k == null").rows == all.filter { $0[0] == .null }
      )
      #expect(
        try Answered("count of Person by \(path) as k, \(path) as l having k == l").rows.count == all.count)
    }
    let pairs = try Answered("count of Person by bestFriend as k, bestFriend.bestFriend as l").rows
    let same = try Answered("count of Person by bestFriend as k, bestFriend.bestFriend as l having k == l")
      .rows
    #expect(!same.isEmpty && same.count < pairs.count && same == pairs.filter { $0[0] == $0[1] })
    let lists = try Answered("count of Person by extra having extra.@type == 'list'").rows
    #expect(!lists.isEmpty && lists.allSatisfy { if case .list = $0[0] { true } else { false } })
    #expect(
      Answered.complaint("count of Person by bestFriend having bestFriend == 3")
        == "«3» cannot compare link 'bestFriend' with int 3")
  }

  @Test("groups may be of what is computed, and calculations too")
  func expressions() throws {
    let answered = try Answered("count, sum age * 2 as twice, sum age as once of Person by age / 20")
    #expect(answered.rows.count > 2)
    for row in answered.rows {
      guard case .int(let twice) = row[2], case .int(let once) = row[3] else {
        Issue.record("\(row)")
        continue
      }
      #expect(twice == 2 * once)
    }
  }

  @Test("limits and offsets take groups in their order")
  func windows() throws {
    let all = try Answered("count of Dog by breed sort(count desc)").rows
    #expect(all.count > 3)
    #expect(
      try Answered("count of Dog by breed sort(count desc) offset(1) limit(2)").rows == Array(all[1..<3]))
    #expect(
      try Answered("count of Dog by breed sort(count desc) limit(2) offset(1)").rows == Array(all[1..<3]))
    #expect(try Answered("count of Dog by breed limit(0)").rows.isEmpty)
    let last = try Answered("count of Dog by breed limit(3) sort(breed desc)").rows
    #expect(last == Array(try Answered("count of Dog by breed").rows.prefix(3).reversed()))
  }

  @Test("sums of ints that are too large are refused, and those that come back are not")
  func overflow() throws {
    #expect(Answered.complaint("sum age * 92233720368547758 of Person").contains("is too large for an int"))
    #expect(try Answered.value("sum age + 9223372036854770000 - 9223372036854770000 of Dog") != .null)
  }

  @Test(
    "what cannot be asked is refused with its place",
    arguments: [
      ("sum name of Dog", "«name» sum needs numbers; 'name' is string"),
      ("avg born of Dog", "«born» avg needs numbers; 'born' is date"),
      ("max owner of Dog", "«owner» max needs values; 'owner' leads to objects"),
      ("sum aeg of Dog", "«aeg» unknown property 'aeg' on class 'Dog'"),
      ("count Person by active sort(age asc)", "«age» groups have no 'age'"),
      ("count, avg age, avg height of Person by active sort(avg asc)", "«avg» groups have no 'avg'"),
      ("count Person by active distinct(active)", "«distinct(active)» groups are distinct already"),
      ("count Person by active having aeg > 3", "«aeg» unknown property 'aeg' on class 'groups'"),
      ("count Person having count > 3", "«having» expected by after 'Person', found 'having'"),
      ("count, avg of Person", "«of» expected a property after 'avg', found 'of'"),
      ("max of", "«of» expected a property after 'max', found 'of'"),
      ("percentile 90 of Dog", "«of» expected a property after '90', found 'of'"),
    ])
  func refused(statement: String, complaint: String) {
    #expect(Answered.complaint(statement) == complaint)
  }

  @Test("numbers that are equal are one group, however they are stored: NaN, and both zeros")
  func equalNumbers() throws {
    for property in ["double_o", "float_o"] {
      let found = try Answered("count AllTypes by \(property)", in: Fixture.allTypes).rows
      let texts = found.map { "\($0[0].doubleValue ?? .nan)" }
      #expect(texts.count { $0 == "0.0" || $0 == "-0.0" } <= 1)
      #expect(found.count { $0[0].isNaN } <= 1)
    }
  }

  @Test("NaN is passed over as in '@sum' and '@avg', in few values and in many", arguments: [1, 40])
  func notNumbers(times: Int) throws {
    let database = try WritableDatabase.inMemory()
    let transaction = try database.begin()
    let types: [(name: String, type: ValueType)] = [
      ("double", .double), ("float", .float), ("decimal", .decimal128), ("mixed", .mixed),
    ]
    let properties = types.map { PropertyDefinition($0.name, $0.type) }
    try transaction.addClasses([ClassDefinition("Row", properties: properties)])
    let row = try #require(try transaction.schema(named: "Row")).tableKey
    for number in [[1, .nan, 3], [Double](repeating: .nan, count: 5)].flatMap(\.self) {
      for _ in 0..<times {
        let values: [Value] = [
          .double(number), .float(Float(number)), .decimal(Decimal128(rounding: number)), .double(number),
        ]
        _ = try transaction.create(row, zip(types, values).map { ($0.name, NewValue.single($1)) })
      }
    }
    try database.commit(transaction)
    for (name, _) in types {
      let text = "sum \(name), avg \(name), count \(name) of Row"
      for isByRows in [false, true] {
        let found = try Answered(text, in: .success(database.database.transaction), byRows: isByRows).rows[0]
        #expect(found[0].doubleValue == Double(4 * times) && found[1].doubleValue == 2, "\(found)")
        #expect(found[2] == .int(Int64(8 * times)))
      }
    }
  }

  @Test("lists and dictionaries inside of mixed values are groups of their own")
  func nestedCollections() throws {
    let found = try Answered("count Person by extra").rows
    let nested = found.filter { $0[0].storedOrder(.list(NestedCollection(rootOffset: 0))) >= 0 }
    #expect(nested.count > 1 && nested.allSatisfy { $0[1] == .int(1) })
    #expect(found.count > nested.count)
  }

  @Test("every element of a list counts")
  func lists() throws {
    #expect(
      try Answered.value("count tags of Person") == Answered.value("sum tags.@count of Person"))
  }
}
