// What a command has done, said in the form that was asked for. Layer: RealmCommands, Program.

import ByteText
import RealmEngine
import TextFormats

extension Invocation {
  /// A remark for people, or with `--json` an object on standard output. It cannot be taken back any more.
  func tell(done text: String, _ entries: [DocumentEntry]) {
    if wantsJSON { writeAfterwards(Self.line(entries)) } else { note(text) }
  }

  /// What would be done, which is the result of a dry run.
  func write(wouldDo text: String, _ entries: [DocumentEntry]) throws {
    let dryRun = DocumentEntry("dry_run", .bool(true))
    try StandardStreams.write(wantsJSON ? Self.line(entries + [dryRun]) : text + "\n")
  }

  private static func line(_ entries: [DocumentEntry]) -> String {
    var text = ByteBuffer()
    text.append(json: .mapping(entries))
    return text.text + "\n"
  }
}

extension DocumentEntry {
  static func file(_ path: FilePath, _ name: String = "file") -> DocumentEntry {
    DocumentEntry(name, .string(path.displayName))
  }

  static func number(_ name: String, _ value: Int) -> DocumentEntry {
    DocumentEntry(name, .integer(Int64(value)))
  }
}
