// What became of objects and of their classes, a line each for people or an object each for programs. Layer: RealmCommands,
// Reading. `watch` and `diff` differ in the words that they have for it, and in how they show values.

import ByteText
import RealmEngine
import Rendering
import TextFormats

/// What became of an object.
enum ToldChange {
  case added, removed, changed

  fileprivate var form: (sign: StaticString, mark: TerminalMark) {
    switch self {
    case .added: ("+ ", .added)
    case .removed: ("- ", .removed)
    case .changed: ("~ ", .changed)
    }
  }
}

/// Writes changes; who uses it writes the values between `begin` and `end`.
struct ChangeWriter {
  /// What a command calls changes in JSON.
  struct Words {
    let member: String
    let added: String
    let removed: String
    let changed: String
    /// Of lines.
    let indentation: StaticString

    static let commits = Words(
      member: "op", added: "insert", removed: "delete", changed: "update", indentation: "  ")
    static let differences = Words(
      member: "change", added: "added", removed: "removed", changed: "changed", indentation: "")
  }

  private let words: Words
  private let isColored: Bool
  private var records: JSONRecords?
  private var isMarked = false

  /// `records`: nil for people.
  init(_ words: Words, _ records: JSONRecords?, isColored: Bool) {
    self.words = words
    self.records = records
    self.isColored = isColored
  }

  var isForPeople: Bool { records == nil }

  /// Begins what became of an object; nil: it is there.
  mutating func begin(
    _ change: ToldChange?, _ schema: ClassSchema, _ name: ObjectName, to out: inout OutputBuffer
  ) {
    open(change, to: &out)
    if isForPeople {
      out.text.append(literal: change?.form.sign ?? "  ")
      name.write(as: schema, to: &out)
      return out.text.append(UInt8(ascii: " "))
    }
    out.text.append(UInt8(ascii: "{"))
    if let change {
      out.text.append(jsonKey: words.member)
      let word =
        switch change {
        case .added: words.added
        case .removed: words.removed
        case .changed: words.changed
        }
      out.text.append(jsonString: word)
      out.text.append(UInt8(ascii: ","))
    }
    out.text.append(literal: "\"class\":")
    out.text.append(jsonString: schema.name)
    out.text.append(UInt8(ascii: ","))
    name.writeMembers(to: &out)
  }

  /// Names the values that follow, for programs.
  func label(_ name: StaticString, to out: inout OutputBuffer) {
    guard !isForPeople else { return }
    out.text.append(literal: ",\"")
    out.text.append(literal: name)
    out.text.append(literal: "\":")
  }

  func end(to out: inout OutputBuffer) throws(EngineError) {
    if !isForPeople { out.text.append(UInt8(ascii: "}")) }
    close(to: &out)
    try out.flushIfLarge()
  }

  /// A change of the schema: `text` for people, `members` behind the first one for programs.
  mutating func write(
    schema text: String, _ change: ToldChange, as word: String, _ members: [DocumentEntry],
    to out: inout OutputBuffer
  ) {
    open(change, to: &out)
    if isForPeople {
      out.text.append(text: text)
    } else {
      out.text.append(json: .mapping([.text(words.member, word)] + members))
    }
    close(to: &out)
  }

  /// When all has been written.
  func finish(_ out: inout OutputBuffer) { records?.finish(&out) }

  private mutating func open(_ change: ToldChange?, to out: inout OutputBuffer) {
    records?.begin(&out)
    guard isForPeople else { return }
    out.text.append(literal: words.indentation)
    isMarked = isColored && change != nil
    if isMarked, let change { out.text.append(change.form.mark) }
  }

  private func close(to out: inout OutputBuffer) {
    guard isForPeople else { return records?.end(&out) ?? () }
    if isMarked { out.text.append(.plain) }
    out.text.append(UInt8(ascii: "\n"))
  }
}
