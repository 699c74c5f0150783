// Computed values in conditions, columns and orders, and names that are looked up without a file.

import RealmEngine
import RealmQueryLanguage
import Testing

@Suite("Computed values in queries")
struct ComputedValueTests {
  /// What a statement's clauses ask for.
  private func query(_ clauses: String) throws -> (query: BoundQuery, realm: ReadTransaction) {
    let asked = try Asked(Fixture.zoo, "Person")
    let source = Array("Person \(clauses)".utf8)
    guard case .select(let selection, _) = try Statement(parsing: source).kind,
      let predicate = selection.predicate
    else { throw EngineError(.other, "no query") }
    return (try BoundQuery(predicate, source: source, of: asked.table, in: asked.realm), asked.realm)
  }

  @Test(
    "whole columns give what row by row evaluation gives, in conditions and orders",
    arguments: [
      "where lower(name) == 'ada'", "where not lower(name) == 'ada' and age > 20",
      "where lower(name) in {'ada', 'bob'} or length(name) > 5", "where upper(name) contains[c] 'a'",
      "where age % 3 == 1", "where -age < -90", "where abs(age - 50) between {10, 12}",
      "where name + '!' == 'Ada!'", "where (age > 50 ? name : nick) == 'Ada'",
      "where nick ?? name beginswith 'A'", "where year(born) >= 1970 and month(born) == 1",
      "where int(name) > 3", "where age / (age - 50) > 2", "where count(tags) == 2",
      "where (any tags == 'red') == true", "where length(name) > dogs.@count + 3",
      "where all dogs.age > 3 and length(name) == 3", "where born < now()",
      "sort(length(name) desc, lower(name))", "sort(dogs.@count desc)", "sort(age % 7, age desc) limit(9)",
      "where @key == 7", "where bestFriend.@key in {1, 2}", "sort(@key desc) limit(3)", "sort(SELF) limit(3)",
      "where uuid(string(token)) == token", "where upper(extra) == 'TEXT'",
      "where substring(name, -1) == 'a'",
      "where upper(tags[0]) == 'RED'", "sort(tags[0] desc, bestFriend.dogs.@count)", "distinct(tags[first])",
      "distinct(length(name))", "distinct(lower(name), dogs.@count > 1) sort(name)",
    ])
  func agree(clauses: String) throws {
    let (query, realm) = try query(clauses)
    let found = try QueryExecutor(query, in: realm).keys()
    #expect(found == (try RowEvaluator(realm).keys(query)), "\(clauses)")
  }

  @Test(
    "a constant is computed once, so that indexes and kernels serve", arguments: ["upper('ada')", "'ADA'"])
  func folding(text: String) throws {
    let (query, realm) = try query("where name == \(text)")
    guard case .property = query.predicate else {
      Issue.record("\(text) is computed for each object")
      return
    }
    #expect(try QueryExecutor(query, in: realm).count() > 0)
  }

  @Test("the forms that the reference engine refuses are refused where a query stands alone")
  func refusals() throws {
    for text in ["age % 2 == 0", "-age == 1", "name + 'a' == 'b'", "TRUEPREDICATE SORT(dogs.@count ASC)"] {
      let asked = try Asked(Fixture.zoo, "Person")
      #expect(throws: (any Error).self) { try asked.bound(text) }
    }
  }

  @Test("sums of elements, of the function and of statements pass over NaN")
  func sums() throws {
    let database = try WritableDatabase.inMemory()
    let transaction = try database.begin()
    try transaction.addClasses([
      ClassDefinition("Row", properties: [PropertyDefinition("marks", .double, collection: .list)])
    ])
    let row = try #require(try transaction.schema(named: "Row")).tableKey
    let marks = [1, .nan, 3].map { NewValue.single(.double($0)) }
    _ = try transaction.create(row, [("marks", .list(marks))])
    try database.commit(transaction)
    let realm = database.database.transaction
    let table = try #require(realm.table(named: "Row"))
    for text in ["marks.@sum", "sum(marks)"] {
      let source = Array(text.utf8)
      let columns = try SelectedColumn.bind(
        try SelectItem.list(parsing: source), source: source, of: table, in: realm)
      var cursor = table.blocks()
      let block = try #require(try cursor.next())
      let cell = try RowEvaluator(realm).cell(
        columns[0], of: table, at: ObjectPosition(block: block, row: 0))
      guard case .value(.double(4), _) = cell else {
        Issue.record("\(text) is \(cell)")
        continue
      }
    }
    #expect(try Answered.value("sum marks of Row", in: .success(realm)) == .double(4))
    #expect(try Answered.value("avg marks of Row", in: .success(realm)) == .double(2))
    #expect(try Answered.value("max marks of Row", in: .success(realm)) == .double(3))
  }

  @Test("columns of a result are the same for a block of objects as for each of them")
  func columns() throws {
    let realm = try Fixture.zoo.get()
    let table = try #require(realm.table(named: "Person"))
    func cells(_ text: String) throws -> [Value]? {
      let source = Array(text.utf8)
      let column = try SelectedColumn.bind(
        try SelectItem.list(parsing: source), source: source, of: table, in: realm)[0]
      var cursor = table.blocks()
      let block = try #require(try cursor.next())
      let rows = (0..<Int32(block.count)).filter { !$0.isMultiple(of: 3) }
      guard let values = ColumnEvaluator(column, of: table, in: realm)?.values(block, rows) else {
        return nil
      }
      for (value, row) in zip(values, rows) {
        let cell = try RowEvaluator(realm).cell(
          column, of: table, at: ObjectPosition(block: block, row: Int(row)))
        // NaN is not equal to itself.
        guard case .value(let single, _) = cell, single == value || single != single && value != value
        else {
          Issue.record("\(text) is \(value) and \(cell)")
          continue
        }
      }
      #expect(values.count == rows.count)
      return values
    }
    for text in [
      "age * 2", "upper(name) + '!'", "weight / 3", "nick ?? name", "age > 30 && active", "length(name) % 2",
      "count(tags)", "upper(bestFriend.name)", "year(born)", "now() > born", "bestFriend ?? null",
    ] {
      #expect(try cells(text) != nil, "\(text)")
    }
    // Something new for each object, a list, a stored property, and one object that has no result.
    for text in ["uuid()", "uuid() != token", "tags", "name", "1 / (age - age)"] {
      #expect(try cells(text) == nil, "\(text)")
    }
  }

  @Test("long texts are made for one object at a time")
  func longTexts() throws {
    let database = try WritableDatabase.inMemory()
    let transaction = try database.begin()
    try transaction.addClasses([ClassDefinition("Row", properties: [PropertyDefinition("text", .string)])])
    let key = try #require(try transaction.schema(named: "Row")).tableKey
    for _ in 0..<3 {
      let text = String(repeating: "long", count: 1 << 18)
      _ = try transaction.create(key, [("text", .single(.string(ByteString(text))))])
    }
    try database.commit(transaction)
    let realm = database.database.transaction
    let table = try #require(realm.table(named: "Row"))
    let source = Array("text + text".utf8)
    let column = try SelectedColumn.bind(
      try SelectItem.list(parsing: source), source: source, of: table, in: realm)[0]
    let evaluator = try #require(ColumnEvaluator(column, of: table, in: realm))
    var cursor = table.blocks()
    let block = try #require(try cursor.next())
    #expect(evaluator.values(block, [0, 1, 2]) == nil)
  }
}

@Suite("Names without a file")
struct DescribedSchemaTests {
  private static func view(isComplete: Bool) -> DescribedSchema {
    DescribedSchema(
      [
        DescribedClass(
          ClassDefinition(
            "Person",
            properties: [
              PropertyDefinition("name", PropertyType(.string, isOptional: true)),
              PropertyDefinition(
                "dogs", PropertyType(.object, collection: .list, isOptional: false, target: "Dog")),
            ]), isComplete: isComplete, dropped: ["nick"]),
        DescribedClass(
          ClassDefinition(
            "Dog", primaryKey: "_id",
            properties: [
              PropertyDefinition("_id", PropertyType(.int, isOptional: false)),
              PropertyDefinition("age", PropertyType(.int, isOptional: false)),
            ])),
      ], isComplete: isComplete)
  }

  private func complaint(_ text: String, isComplete: Bool) throws -> String? {
    let source = Array(text.utf8)
    let predicate = try Predicate(parsing: source)
    do throws(BindingFailure) {
      try BoundQuery.check(
        predicate, source: source, of: "Person", in: Self.view(isComplete: isComplete))
      return nil
    } catch {
      guard case .query(let found) = error else { return "an error of the file" }
      return found.sentence
    }
  }

  @Test(
    "predicates are checked by names alone",
    arguments: [
      "name == 'x' and dogs.age > 3", "dogs.@count == 0 or dogs.@max.age > 2",
      "dogs.@links.Person.dogs.name == 'x'",
      "subquery(dogs, $d, $d.age > 3).@count > 1 sort(name asc)", "any dogs == obj('Dog', 7)",
      "length(name) > 3",
    ])
  func accepted(text: String) throws {
    #expect(try complaint(text, isComplete: true) == nil)
    #expect(try complaint(text, isComplete: false) == nil)
  }

  @Test("what is not known is left alone, what is known to be wrong is not")
  func partial() throws {
    for text in [
      "age > 3", "address.city == 'x' and tags[0] == 1", "@links.Other.person.@count > 1", "home == NULL",
      "other in {1, 2}", "friends.@sum.x > 1", "bestFriend == obj('Other', 1) sort(rank asc)",
      "subquery(cats, $c, $c.age > 3).@count > 0", "bio text 'x'",
    ] {
      #expect(try complaint(text, isComplete: false) == nil, "\(text)")
      #expect(try complaint(text, isComplete: true) != nil, "\(text)")
    }
    #expect(try complaint("dogs.agee > 3", isComplete: false)?.hasPrefix("unknown property 'agee'") == true)
    #expect(try complaint("name > 3", isComplete: false)?.hasPrefix("cannot compare string") == true)
    #expect(
      try complaint("nick == 'x'", isComplete: false)?.hasSuffix("an earlier operation dropped or renamed it")
        == true)
  }
}
