// Putting right what a file keeps twice. Layer: RealmSession, Operations.

import RealmEngine
import TextFormats

/// `repair: backlinks`
struct Repair: Operation {
  static let spec = OperationSpec(
    word: "repair",
    summary:
      "rebuilds the records of incoming links and removes links to missing objects; for damaged files, with apply --salvage",
    fields: [
      FieldSpec("what", .oneOf(["backlinks"]), required: true, "backlinks; repair: backlinks says it")
    ],
    loneField: "what")

  var subject: String { "backlinks" }

  init?(_ fields: Fields) {
    guard fields.word("what", among: ["backlinks"]) != nil else { return nil }
  }

  func check(_ checker: inout SchemaChecker) {}

  func run(_ run: OperationRun) throws {
    run.report.touchedCount = try run.transaction.repairLinks()
    let realm = try run.view()
    for table in realm.classes() where table.schema.kind == .embedded {
      let name = table.schema.name
      guard let odd = try run.transaction.ownerCounts(name).first else { continue }
      throw EngineError(
        .constraint,
        "\(odd.count == 0 ? "nothing owns an object" : "\(odd.count) objects own one") of the embedded class \(name)",
        at: "object \(odd.key.value)", hint: "say what happens to these objects: make_object before repair")
    }
  }
}
