// Operations of every kind on every kind of property: right ones, wrong ones, and what is between.

/// A schema with a property of each kind, and the operations that are tried on it.
struct OperationCatalogue {
  /// As JSON, each `{ word: { … } }`, some behind others that they need.
  private(set) var operations: [String] = []

  private static let plainTypes = ["int", "string", "double", "date", "data", "uuid"]
  private static let collections = ["list", "set", "dictionary"]

  /// Name and type of each property of `All`.
  static let properties: [(name: String, type: String)] = {
    var properties = [("k", "int")]
    for type in plainTypes + ["mixed"] {
      properties.append(("\(type)1", type))
      if type != "mixed" { properties.append(("\(type)N", "\(type)?")) }
      for collection in collections { properties.append(("\(type)_\(collection)", "\(collection)<\(type)>")) }
    }
    for collection in collections { properties.append(("intN_\(collection)", "\(collection)<int?>")) }
    return properties + [
      ("dog", "Dog?"), ("dogs", "list<Dog>"), ("dogSet", "set<Dog>"), ("dogMap", "dictionary<Dog?>"),
      ("part", "Part?"), ("parts", "list<Part>"), ("partMap", "dictionary<Part?>"),
    ]
  }()

  static let schema = """
    realm_schema: 1
    schema_version: 0
    classes:
      All:
        primary_key: k
        properties:
          ix: { type: int, indexed: true }
          ft: { type: string, indexed: fulltext }
    \(properties.map { "      \($0.name): \"\($0.type)\"" }.joined(separator: "\n"))
      Dog: { properties: { name: string, age: "int?", owner: "All?", any: mixed } }
      Keyed: { primary_key: id, properties: { id: string, n: int, dog: "Dog?" } }
      Part: { kind: embedded, properties: { s: string, sub: "Inner?", x: "int?" } }
      Inner: { kind: embedded, properties: { c: "string?" } }
      Event: { kind: asymmetric, primary_key: _id, properties: { _id: objectId, v: "int?" } }

    """

  private static let classes = ["All", "Dog", "Keyed", "Part", "Inner", "Event"]

  private static let types =
    [
      "int", "int?", "string", "bool", "float?", "double", "date", "data", "objectId", "uuid", "decimal128",
      "mixed", "mixed?", "Dog?", "Dog", "Part?", "Part", "Event?", "Nowhere?", "list<int>", "list<int?>",
      "list<Dog>", "list<Dog?>", "list<Part>", "list<Event>", "set<int>", "set<Dog>", "set<Part>",
      "dictionary<int>", "dictionary<Dog>", "dictionary<Part?>", "list<mixed>", "dictionary<mixed>",
      "list<list<int>>", "",
    ]

  static let expressions = [
    "null", "1", "1.5", "'x'", "true", "old", "{}", "{1}", "{'a', 'b'}", "{1, 'a'}", "now()", "uuid()",
    "SELF", "int1", "int1 + 1", "string_list[0]", "string_list[1]", "string_list[FIRST]", "int_set[0]",
    "string_dictionary['a']", "string_dictionary.@keys", "dog.name", "dog", "dogs", "dogs.name", "dogs[0]",
    "dogs[0].name", "part", "part.s", "parts", "parts.s", "mixed1", "mixed1.x", "mixed1[0]", "mixed1['a']",
    "mixed_list", "mixed_dictionary", "mixed_dictionary['a']", "dogMap", "dogMap['a']", "@links.@count",
    "@links.Dog.owner", "@links.Dog.owner.@count", "string1.@size", "int_list.@sum", "int_list.@count",
    "date_list", "count(dogs)", "sum(dogs.age)", "list(1, 2)", "list()", "map(int_list, it + 1)",
    "map(int_list, it == 1 ? 'a' : 'b')", "filter(int_list, it > 1)", "sort(int_list)",
    "sort(dogs, it.name)", "first(int_list)", "find(Keyed, 'id', string1)", "find(Keyed, 'id', 1)",
    "find(Dog, 'name', string1)", "find(Part, 's', string1)", "find(Event, 'v', 1)", "find(Dog, 'nam', 1)",
    "switch type(mixed1) { 'int': 1, else: 2 }", "type(mixed1)", "int(mixed1)", "format('{}')",
    "format('{}', string1)", "date(1)", "date(int1, 'ms')", "date(string1, '%q')", "$0", "any int_list == 1",
    "int_list == 1", "int1 == 1", "int1 == 'a'", "1 / 0", "9223372036854775807 + 1",
    "abs(-9223372036854775808)", "substring('a', -1)", "fail('no')", "int('x')", "it", "index", "All",
    "count(All)", "count(Dog)", "sum(Dog.age)", "labels[1]", "int_list[1]", "int_dictionary", "uuid1",
    "uuid(string1)", "objectId(1)", "hash(1)", "hash(dog)", "string(dog)", "string(dogs)",
    "join(string_list, ',')", "join(int_list, 1)", "split(string1, ',')", "milliseconds(date1)", "year(1)",
    "int1 ?? string1", "true ? 1 : 'a'", "none int_list > 1", "SUBQUERY(dogs, $d, $d.age > 1).@count",
    "SUBQUERY(dogs, $d, $d.age > 1)", "int1.@count", "TRUEPREDICATE", "-mixed1", "-int1", "!true", "!1",
    "min(1, 'a')", "min(1, 2)", "max(int_list)", "distinct(dogs)", "reverse(parts)",
    "filter(dogs, it.age > 1)",
    "map(dogs, it.owner)", "map(parts, it.s)", "filter(parts, it.x > 1)", "list(dog, dog)", "first(dogs)",
    "first(parts)", "round(1.5, 99)", "replace('a', '', 'b')", "{null}", "{{1}}",
  ]

  /// Parts of values as documents write them, in JSON.
  private static let forms = [
    "{}", "[]", #"{"a":"1"}"#, #"{"s":"'x'"}"#, #"{"name":"'x'"}"#, #"["1"]"#, #"["1","'x'"]"#,
    #"[{"s":"'x'"}]"#, #"{"for_each":"int_list","value":"it"}"#,
    #"{"for_each":"string_list","value":{"s":"it"}}"#, #"[["1"]]"#, #"{"a":["1"]}"#, "null", "1",
  ]

  private mutating func add(_ word: String, _ fields: String) {
    operations.append(#"{"\#(word)":{\#(fields)}}"#)
  }

  init() {
    addProperties()
    changeProperties()
    changeTypes()
    setValues()
    changeClasses()
    makeObjects()
    addClasses()
    operations += Self.expressions.map { #"{"let":{"v":"\#($0)"}}"# }
    var seen: Set<String> = []
    operations = operations.filter { seen.insert($0).inserted }
  }

  private static let names = [
    "", "a.b", "a b", "@x", String(repeating: "x", count: 63), String(repeating: "ø", count: 32), "old", "it",
    "k", "1x", #"a\"b"#, #"n\n"#, "class",
  ]

  private mutating func addProperties() {
    for type in Self.types {
      for index in ["", #","indexed":true"#, #","indexed":"fulltext""#] {
        for value in ["", #","value":"null""#, #","value":"1""#, #","value":"'x'""#] {
          add("add_property", #""class":"All","name":"new","type":"\#(type)"\#(index)\#(value)"#)
        }
      }
      for name in Self.classes.dropFirst() {
        add("add_property", #""class":"\#(name)","name":"new","type":"\#(type)","value":"null""#)
        add("add_property", #""class":"\#(name)","name":"new","type":"\#(type)""#)
      }
    }
    for name in Self.names {
      add("add_property", #""class":"All","name":"\#(name)","type":"int?""#)
      add("rename_property", #""class":"All","from":"int1","to":"\#(name)""#)
      add("rename_class", #""from":"Dog","to":"\#(name)""#)
      add("add_class", #""name":"\#(name)","properties":{"a":"int"}"#)
      add("add_class", #""name":"New","properties":{"\#(name)":"int"}"#)
      add("make_object", #""class":"Part","primary_key":{"name":"\#(name)","type":"uuid","value":"uuid()"}"#)
    }
  }

  private mutating func changeProperties() {
    for (name, _) in Self.properties + [("ix", ""), ("ft", ""), ("nowhere", "")] {
      let place = #""class":"All","property":"\#(name)""#
      add("drop_property", #""class":"All","name":"\#(name)""#)
      add("make_optional", place)
      add("drop_index", place)
      for kind in ["", #","kind":"general""#, #","kind":"fulltext""#] { add("add_index", place + kind) }
      for nulls in [#""fail""#, #""delete""#]
        + ["null", "1", "'x'", "int1", "{}", "1/0"].map({ #"{"value":"\#($0)"}"# })
      {
        add("make_required", place + #","nulls":\#(nulls)"#)
      }
      for rest in [
        "", #","optional":true"#, #","indexed":true"#, #","indexed":false"#, #","indexed":"fulltext""#,
      ] {
        add("rename_property", #""class":"All","from":"\#(name)","to":"new"\#(rest)"#)
      }
      add("change_primary_key", #""class":"All","to":"\#(name)""#)
      add(
        "change_primary_key",
        #""class":"All","to":"string1","duplicates":{"keep":"first","order_by":"\#(name) DESC"}"#)
      for rule in ["first", "min", "sum", "union"] {
        add(
          "change_primary_key",
          #""class":"All","to":"string1","duplicates":{"keep":"first","merge":{"\#(name)":"\#(rule)"}}"#)
      }
      for rest in [
        " == null", " == 1", " == 'x'", " > 1", ".x == 1", "[0] == 1", ".@count > 0", " contains 'x'",
        " text 'x'",
      ] {
        add("delete", #""class":"All","where":"\#(name)\#(rest)""#)
      }
    }
  }

  private mutating func changeTypes() {
    for (name, _) in Self.properties {
      for type in Self.types {
        add("change_type", #""class":"All","property":"\#(name)","to":"\#(type)","value":"old""#)
      }
      for value in ["string(old)", "int(old)", "null", "{}", "old[0]", "list(old)", "split(old, ',')"] {
        for type in ["string?", "int", "list<string>", "list<int>", "mixed", "Dog?"] {
          let place = #""class":"All","property":"\#(name)","to":"\#(type)","value":"\#(value)""#
          add("change_type", place + #","nulls":"keep""#)
          add("change_type", place + #","nulls":{"value":"1"},"unparsable":"null""#)
          add("change_type", place + #","unparsable":{"value":"'x'"}"#)
        }
      }
    }
  }

  private mutating func setValues() {
    for (name, _) in Self.properties {
      for value in Self.forms + Self.expressions.map({ #""\#($0)""# }) {
        add("update", #""class":"All","set":{"\#(name)":\#(value)}"#)
      }
      for inner in ["s", "x", "sub", "sub.c", "name", "a", "0", "@count"] {
        for value in ["null", "1", "'x'"] {
          add("update", #""class":"All","set":{"\#(name).\#(inner)":"\#(value)"}"#)
        }
      }
    }
    for value in Self.expressions {
      add("update", #""class":"All","where":"\#(value)","set":{"ix":1}"#)
      add(
        "add_property", #""class":"All","name":"new","type":"string?","value":"\#(value)","missing":"create""#
      )
      add("change_key_values", #""class":"All","value":"\#(value)""#)
      add("create", #""class":"Dog","for_each":"All","set":{"name":"\#(value)"}"#)
      add("create", #""class":"Keyed","for_each":"All","set":{"id":"\#(value)","n":1},"missing":"create""#)
      add(
        "create",
        #""class":"Keyed","for_each":"All","set":{"id":"x","dog":"\#(value)","n":1},"distinct":true"#)
      add("make_object", #""class":"Part","primary_key":{"name":"id","type":"string","value":"\#(value)"}"#)
    }
  }

  private mutating func changeClasses() {
    for name in Self.classes + ["Nowhere"] {
      for rest in ["", #","linked":"fail""#, #","linked":"nullify""#] {
        add("drop_class", #""class":"\#(name)"\#(rest)"#)
      }
      for rest in ["", #","primary_key":"drop""#] {
        add("make_embedded", #""class":"\#(name)"\#(rest)"#)
        add("make_embedded", #""class":"\#(name)","orphans":"delete","shared":"duplicate"\#(rest)"#)
      }
      add("make_object", #""class":"\#(name)""#)
      add("change_primary_key", #""class":"\#(name)","to":null"#)
      add("change_key_values", #""class":"\#(name)","value":"old""#)
      add("rename_class", #""from":"\#(name)","to":"New""#)
      add("rename_class", #""from":"\#(name)","to":"\#(name)""#)
      add("delete", #""class":"\#(name)","where":"TRUEPREDICATE""#)
      add("delete", #""class":"\#(name)","max":0"#)
      for key in ["id", "k", "name", "s", "_id"] {
        add("change_primary_key", #""class":"\#(name)","to":"\#(key)""#)
        add("change_type", #""class":"\#(name)","property":"\#(key)","to":"uuid","value":"uuid()""#)
        add("change_type", #""class":"\#(name)","property":"\#(key)","to":"string?","value":"'x'""#)
        add("make_optional", #""class":"\#(name)","property":"\#(key)""#)
        add("drop_property", #""class":"\#(name)","name":"\#(key)""#)
        add("add_index", #""class":"\#(name)","property":"\#(key)""#)
      }
    }
  }

  private mutating func makeObjects() {
    for target in Self.classes {
      for existing in ["fail", "keep", "update"] {
        let policy = #""existing":"\#(existing)""#
        add("insert", #""class":"\#(target)","objects":[{"name":"x"}],\#(policy)"#)
        add("insert", #""class":"\#(target)","objects":[],\#(policy)"#)
        for source in Self.classes {
          add("copy_objects", #""from":"\#(source)","to":"\#(target)",\#(policy)"#)
          add("copy_objects", #""from":"\#(source)","to":"\#(target)","set":{"n":1,"id":"'x'"},\#(policy)"#)
          for link in ["", #","link":"owner""#, #","link":"dog""#, #","link":"dogs""#] {
            add(
              "create",
              #""class":"\#(target)","for_each":"\#(source)","set":{"name":"'x'"},\#(policy)\#(link)"#)
          }
        }
      }
    }
    let values = [
      "1", #""1""#, #""x""#, "null", "1.5", "[]", "[1]", #"["x"]"#, "[null]", "{}", #"{"a":1}"#,
      #"{"s":"x"}"#,
      #"{"name":"x"}"#, #"[{"s":"x"}]"#, #"[{"name":"x"}]"#, #"{"a":{"name":"x"}}"#, #"{"$date":"x"}"#,
      "true",
      "9223372036854775808", #""2020-01-01""#, #""2020-01-01T00:00:00Z""#, #""QUI=""#, #""nan""#,
      #"{"a.b":1}"#,
      #""00000000-0000-0000-0000-000000000000""#, "[1,1]", #"{"$a":1}"#, "1e400",
    ]
    for (name, type) in Self.properties {
      for value in values {
        operations.append(
          #"{"add_class":{"name":"New","properties":{"\#(name)":"\#(type)"}}},"#
            + #"{"insert":{"class":"New","objects":[{"\#(name)":\#(value)}]}}"#)
      }
    }
    for value in values { add("insert", #""class":"Keyed","objects":[{"id":\#(value),"n":1}]"#) }
    for objects in [
      #"{"id":"a","n":1},{"id":"a","n":2}"#, #"{"id":"a"}"#, #"{"id":"a","n":1,"m":2}"#, #"{"n":1}"#, "1",
      #"{"id":"a","n":1,"dog":{"name":"x"}}"#, #"{"id":"a","n":1,"dog":"x"}"#, #"{"id":"a","n":1,"dog":{}}"#,
    ] {
      for existing in ["fail", "keep", "update"] {
        add("insert", #""class":"Keyed","objects":[\#(objects)],"existing":"\#(existing)""#)
      }
    }
  }

  private mutating func addClasses() {
    for kind in ["object", "embedded", "asymmetric"] {
      for type in Self.types {
        add("add_class", #""name":"New","kind":"\#(kind)","properties":{"a":"\#(type)"}"#)
        add("add_class", #""name":"New","kind":"\#(kind)","primary_key":"a","properties":{"a":"\#(type)"}"#)
        add(
          "add_class",
          #""name":"New","kind":"\#(kind)","properties":{"a":{"type":"\#(type)","indexed":true}}"#)
      }
      for properties in [
        "{}", #"{"a":"New?"}"#, #"{"a":"list<New>"}"#,
        #"{"a":{"type":"int","primary_key":true},"b":{"type":"int","primary_key":true}}"#,
      ] {
        add("add_class", #""name":"New","kind":"\#(kind)","properties":\#(properties)"#)
        add("add_class", #""name":"New","kind":"\#(kind)","primary_key":"z","properties":\#(properties)"#)
      }
      for other in ["object", "embedded", "asymmetric"] {
        add(
          "add_classes",
          #""classes":{"One":{"kind":"\#(kind)","properties":{"o":"Two?"}},"Two":{"kind":"\#(other)","properties":{"n":"One?","s":"set<One>"}}}"#
        )
      }
    }
  }
}
