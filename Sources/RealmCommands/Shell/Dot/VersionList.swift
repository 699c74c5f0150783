// `.versions`: which versions of the data the open file holds. Layer: RealmCommands, Shell, Dot.

import Arguments
import ByteText
import RealmEngine
import Rendering

extension Shell {
  /// A line for the version that is current, and one for the version before, as far as it can be read.
  func versionList() throws -> String {
    var text = ""
    for (choice, remark) in [("current", ""), ("previous", "; --snapshot previous reads it")] {
      do {
        let facts = try facts(ofSnapshot: choice)
        let version = facts.dataVersion.map { "\($0)" } ?? "–"
        let classes = counted(facts.classes.count, "class", "classes")
        let objects = counted(facts.objectCount, "object")
        text += "\(version)  \(choice): \(classes), \(objects)\(remark)\n"
        if choice == "current", let held = facts.space?.pinned, held > 0 {
          text += "   \(counted(held, "byte")) kept for older versions\n"
        }
      } catch let diagnostic as Diagnostic where choice == "previous" {
        // Its space may have been used again since.
        text += "–  previous: \(diagnostic.message.visible)\n"
      }
    }
    return text
  }

  private func facts(ofSnapshot choice: String) throws -> SnapshotFacts {
    let invocation = try onRealm(.info, as: "versions", [Word("--\(Option.snapshot.name)"), Word(choice)])
    var nothing = OutputBuffer { _ throws(EngineError) in }
    do {
      return try invocation.withSnapshot(of: invocation.arguments.required(.file), to: &nothing) {
        database, _ in
        try SnapshotFacts(database.transaction, allTables: false, measures: false)
      }
    } catch {
      throw Diagnostic(error)
    }
  }
}
