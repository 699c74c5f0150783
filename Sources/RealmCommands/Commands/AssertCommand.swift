// `assert`: whether as many objects meet a condition as there should be. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import Rendering
import TextFormats

extension Option {
  fileprivate static let exactly = Option("count", takes: .count, "N", "exactly N objects")
  fileprivate static let atLeast = Option("min", takes: .count, "N", "at least N objects")
  fileprivate static let atMost = Option("max", takes: .count, "N", "at most N objects")
  fileprivate static let none = Option("empty", "no objects")
}

extension Command {
  /// `assert FILE CLASS [PREDICATE]`
  static let assert = Command(
    .file([.text("class"), .integer("count")]),
    CommandSpec(
      "assert", group: CommandGroup.checking, summary: "check the number of objects that meet a condition",
      brief: "check counts of objects",
      operands: [.file, .className, .predicate],
      options: [
        .exactly, .atLeast, .atMost, .none, .argument, .argumentText, .parameter, .allTables, .snapshot,
      ],
      details: [
        "Prints nothing and exits with 0 when it holds, else says what was found and exits with 9."
      ],
      examples: [
        Example("realm-cli assert app.realm Person 'age < 0' --empty", "nobody has a negative age"),
        Example("realm-cli assert app.realm Account --min 1 --max 5", "one to five accounts"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let expectations = Expectations(arguments)
    guard !expectations.isEmpty else {
      throw Diagnostic.usage("assert needs --count, --min, --max or --empty")
    }
    if let (one, other) = expectations.contradiction {
      throw Diagnostic.usage(
        "\(one) and \(other) contradict each other", hint: "no number of objects meets both")
    }
    let file = FilePath(arguments.required(.file).bytes)
    let text = try invocation.queryText()
    let name = arguments.required(.className).displayText
    var nothing = OutputBuffer()
    let count = try invocation.withSnapshot(of: arguments.required(.file), to: &nothing) { database, _ in
      let realm = database.transaction
      return try QueryExecutor(try invocation.boundQuery(text, in: realm), in: realm).count()
    }
    let broken = expectations.broken(by: count)
    let facts = [DocumentEntry.text("class", name), .number("count", count)]
    let status = try invocation.write(
      FileResult(shown: "", facts, exit: broken == nil ? .success : .checkFailed), of: file)
    guard let broken else { return status }
    let condition = arguments.text(.predicate).map { " where \($0)" } ?? ""
    throw Diagnostic(
      .checkFailed, code: "assertion", of: file,
      "– \(name)\(condition): \(counted(count, "object")), but \(broken) expected")
  }
}

/// How many objects there should be.
private struct Expectations {
  /// Options as they were typed, the numbers they allow, and their words in a message.
  private var limits: [(option: String, counts: ClosedRange<Int64>, words: String)] = []

  init(_ arguments: ParsedArguments) {
    if arguments.has(.none) { limits.append(("--empty", 0...0, "none")) }
    if let count = arguments.integer(.exactly) {
      limits.append(("--count \(count)", count...count, count == 0 ? "none" : "\(count)"))
    }
    if let count = arguments.integer(.atLeast) {
      limits.append(("--min \(count)", count...Int64.max, "at least \(count)"))
    }
    if let count = arguments.integer(.atMost) {
      limits.append(("--max \(count)", Int64.min...count, "at most \(count)"))
    }
  }

  var isEmpty: Bool { limits.isEmpty }

  /// Two options that no number meets.
  var contradiction: (String, String)? {
    for (index, limit) in limits.enumerated() {
      if let other = limits[..<index].first(where: { !$0.counts.overlaps(limit.counts) }) {
        return (other.option, limit.option)
      }
    }
    return nil
  }

  /// The first expectation that does not hold, in words.
  func broken(by count: Int) -> String? {
    limits.first { !$0.counts.contains(Int64(count)) }?.words
  }
}
