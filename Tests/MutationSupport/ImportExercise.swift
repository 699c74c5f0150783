// Imports any bytes, as rows of a table or as objects: they are refused, or what they made is sound. What is imported as it
// comes, many rows at once, is imported the same where bad rows are kept apart, row by row.

import ByteText
import RealmEngine
import RealmSession
import Rendering
import TextFormats

package struct ImportExercise {
  /// How many sources were imported without a fault.
  package private(set) var madeCount = 0

  package init() {}

  /// Sources that are sound, and what their names end in.
  static let samples: [(ending: String, text: String)] = [
    (
      ".csv",
      """
      id,name,age,flag,f,d,dec,born,u,o,x,any,next,all,home,tags,ns,map
      1,Ada,36,true,1.5,0.1,1.50,1815-12-10,00000000-0000-4000-8000-000000000004,5f0000000000000000000004,AQI=,x,2,"[2,1]",\
      "{""city"":""Rome""}","[""a"",""b""]","[1,2]","{""k"":1}"
      2,"a ""b""
      c",,,NaN,-1e5,9E+99,2020-01-31T12:00:00.5+01:00,,,,"[1,{""a"":2}]",1,,,"[]",,
      3,"",7,false,,,,,,,,,3,[],,,"[3]",{}

      """
    ),
    (".csv", "id,name,home.city,home.t\n" + (0..<600).map { "\($0),n\($0 % 7),c,\(599 - $0)\n" }.joined()),
    (".tsv", "id\tname\tage\n1\ta\\tb\t\\N\n2\t\t7\n"),
    (
      ".json",
      """
      [{"id":1,"name":"Ada","next":2,"all":[2,1],"home":{"city":"Rome","t":1},"homes":[{"city":null}],"any":{"a":[1]}},
       {"id":2,"tags":["a"],"ns":[1,null],"map":{"k":{"$link":{"class":"T","primary_key":1}}},"born":"2020-01-01"}]
      """
    ),
    (
      ".jsonl",
      (0..<300).map { "{\"id\":\($0),\"name\":\"n\",\"age\":\($0 % 9),\"d\":1.5}\n" }.joined()
        + "{\"id\":999,\"pet\":{\"n\":1}}\n"
    ),
    (
      ".json",
      "{\"T\":[{\"id\":1,\"pet\":{\"$link\":{\"class\":\"P\",\"key\":7}}}],\"P\":[{\"_key\":7,\"n\":1}]}"
    ),
  ]

  /// Imports bytes of which the first two say how; gives what is wrong afterwards. `endings`: what the source may be called.
  package mutating func run(_ bytes: [UInt8], endings: [String]) throws -> String? {
    guard bytes.count > 2 else { return nil }
    let options = Self.options(bytes[0], bytes[1])
    let name = "a" + endings[Int(bytes[1] >> 6) % endings.count]
    let plain = try Outcome(Array(bytes[2...]), name, options, keepsRejects: false)
    let careful = try Outcome(Array(bytes[2...]), name, options, keepsRejects: true)
    if let fault = plain.fault ?? careful.fault { return fault }
    if plain.isDone { madeCount += 1 }
    let isWhole = careful.isDone && careful.rejectCount == 0
    if plain.isDone != isWhole {
      return
        "is \(plain.isDone ? "" : "not ")imported at once, but with \(careful.rejectCount) rejects row by row"
    }
    return !isWhole || plain.dump == careful.dump ? nil : "gives other objects at once than row by row"
  }

  private static func options(_ first: UInt8, _ second: UInt8) -> ImportOptions {
    var options = ImportOptions()
    options.creates = first & 1 != 0
    options.mode = [.insert, .insert, .upsert, .skip][Int(first >> 1 & 3)]
    options.links = [.require, .require, .create, .null][Int(first >> 3 & 3)]
    options.extraColumns = [.ignore, .refuse, .add, .ignore][Int(first >> 5 & 3)]
    if first & 0x80 != 0 { options.lists = [("tags", ";"), ("ns", "|")] }
    if second & 1 != 0 { options.nulls = [Array("NA".utf8)] }
    if second & 2 != 0 { options.dates = [(nil, .pattern(Array("%d/%m/%Y".utf8)))] }
    if second & 4 != 0 { options.mapping = [("x", "name"), ("y", "home.city")] }
    if second & 8 != 0 {
      options.hasHeader = false
      options.columns = ["id", "name", "age"]
    }
    if second & 16 != 0 { options.skippedLines = 1 }
    return options
  }

  /// What one way of importing made.
  private struct Outcome {
    var isDone = false
    var rejectCount = 0
    var dump: [UInt8] = []
    /// What must not be.
    var fault: String?

    init(_ bytes: [UInt8], _ name: String, _ options: ImportOptions, keepsRejects: Bool) throws {
      var options = options
      options.keepsRejects = keepsRejects
      let realm = try WritableDatabase.inMemory()
      let transaction = try realm.begin()
      try transaction.addClasses(ImportExercise.classes)
      let audience = Audience()
      let source = ImportSource(name, SourceFormat.Wish()) { TextInput(bytes.span) }
      do {
        let className = bytes.first == UInt8(ascii: "{") && name.hasSuffix(".json") ? nil : "T"
        _ = try ImportJob(options, className: className, in: transaction, audience).run([source])
      } catch let error as EngineError {
        // What is wrong with a source is never told as a failure of the engine.
        if [.damaged, .other].contains(error.kind) { fault = "fails: \(error.message)" }
        return
      } catch {
        return
      }
      do throws(EngineError) {
        try realm.commit(transaction)
        let report = try FileInspection.inspect(realm.database.file, perKindMax: 1)
        if let finding = report.findings.first(where: { $0.severity == .damage }) {
          fault =
            "makes a damaged realm: \(finding.place), expected \(finding.expected), found \(finding.found)"
        }
        let text = DumpText()
        var out = OutputBuffer { bytes throws(EngineError) in text.bytes += bytes.bytes }
        try DumpWriter(realm.database.transaction, allTables: false).write(to: &out)
        try out.flush()
        dump = text.bytes
      } catch {
        fault = "makes a realm that cannot be read: \(error.message)"
      }
      isDone = true
      rejectCount = audience.rejectCount
    }
  }

  private final class DumpText {
    var bytes: [UInt8] = []
  }

  private final class Audience: ImportListener {
    var rejectCount = 0

    func reject(_ row: Span<UInt8>, _ fault: ImportFault) throws { rejectCount += 1 }
    func begin(columns: Span<UInt8>, separator: UInt8) {}
    func progress(rowCount: Int, byteCount: Int) {}
  }

  private static var classes: [ClassDefinition] {
    [
      ClassDefinition(
        "T", primaryKey: "id",
        properties: [
          PropertyDefinition("id", .int),
          PropertyDefinition("name", .string, isOptional: true, index: .general),
          PropertyDefinition("age", .int, isOptional: true, index: .general),
          PropertyDefinition("flag", .bool, isOptional: true),
          PropertyDefinition("f", .float, isOptional: true),
          PropertyDefinition("d", .double, isOptional: true),
          PropertyDefinition("dec", .decimal128, isOptional: true),
          PropertyDefinition("born", .date, isOptional: true, index: .general),
          PropertyDefinition("u", .uuid, isOptional: true),
          PropertyDefinition("o", .objectID, isOptional: true),
          PropertyDefinition("x", .data, isOptional: true), PropertyDefinition("any", .mixed),
          PropertyDefinition("next", .object, target: "T"),
          PropertyDefinition("all", .object, collection: .list, target: "T"),
          PropertyDefinition("pet", .object, target: "P"), PropertyDefinition("home", .object, target: "H"),
          PropertyDefinition("homes", .object, collection: .list, target: "H"),
          PropertyDefinition("tags", .string, collection: .list),
          PropertyDefinition("ns", .int, collection: .set, isOptional: true),
          PropertyDefinition("map", .mixed, collection: .dictionary),
        ]),
      ClassDefinition("P", properties: [PropertyDefinition("n", .int, isOptional: true)]),
      ClassDefinition(
        "H", kind: .embedded,
        properties: [
          PropertyDefinition("city", .string, isOptional: true),
          PropertyDefinition("t", .object, target: "T"),
        ]),
    ]
  }
}
