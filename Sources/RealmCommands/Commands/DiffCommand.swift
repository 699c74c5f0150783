// `diff`: what tells two realms apart, schemas and objects. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import Migrations
import RealmEngine
import RealmSession
import Rendering
import TextFormats

extension Option {
  static let schemaOnly = Option("schema", "compare classes and properties only")
  static let dataOnly = Option("data", "compare objects only")
  static let matching = Option(
    "match", takes: .oneOf(["key", "content"]), "HOW",
    "how to match objects without a primary key: by object key (key, the default) or by their values (content)"
  )
  static let onlyClass = Option(
    "class", repeatable: true, takes: .className, "CLASS", "compare this class; repeatable")
  static let ignoredProperties = Option(
    "ignore", takes: .list, "NAMES", "ignore properties: 'Person.updatedAt, *.cache'; repeatable")
  static let differenceSummary = Option("summary", "print one line per class with the number of differences")
  fileprivate static let previous = Option(
    "previous", "compare the previous version of A with the current one")
  static let differenceFormat = Option(
    "format", takes: .oneOf(["text", "statements", "jsonl", "json"]), "FORMAT",
    "text (default), statements (which turn A into B), jsonl or json")
}

extension Arguments.Operand {
  fileprivate static let oldRealm = Operand("A", .file)
  static let newRealm = Operand("B", .file, .atMostOnce)
}

extension Command {
  /// `diff A B`
  static let diff = Command(
    .file([
      .text("other"), .flag("different"), .texts("schema"), CommandResult.changes,
      JSONField("objects", .list(.row), isRequired: false),
    ]),
    CommandSpec(
      "diff", group: CommandGroup.checking, summary: "show the differences between two realms",
      brief: "compare two realms",
      operands: [.oldRealm, .newRealm],
      options: [
        .schemaOnly, .dataOnly, .onlyClass, .ignoredProperties, .matching, .differenceFormat,
        .differenceSummary,
        .previous, .exitCode, .noJoin,
      ],
      details: [
        """
        The lines show what turns A into B: + added, - removed, ~ changed. Objects are matched by primary key, or by \
        object key in classes without one. With --schema, A and B may also be files that 'schema' has printed.
        """,
        """
        --format statements prints statements that turn A into B when realm-cli -w A runs them: first the schema, \
        then objects, each by its key, without asking for confirmation. Object keys are kept where they are free. \
        Properties named by --ignore and classes left out by --class keep A's values. With --schema, values are \
        converted where a type differs; where only you can tell how, the difference is refused.
        """,
        """
        --match content also matches objects with different object keys: objects with equal values are the same, the \
        others are added or removed. In a class without a primary key, it then does not matter which of several equal \
        objects a link refers to.
        """,
        """
        A property that only one side has is a difference of the schema; it is also a difference of an object if it \
        holds something other than null, zero or an empty value. Pages with equal bytes are skipped, so that similar \
        files compare quickly; memory grows with the number of differences.
        """,
      ],
      examples: [
        Example(
          "realm-cli diff before.realm after.realm", "~ Person 12 name: 'Ada' → 'Bea', tags: +'x' -'y'"),
        Example("realm-cli diff --summary a.realm b.realm", "how many objects of each class differ"),
        Example("realm-cli diff a.realm b.realm --format statements | realm-cli -w a.realm", "turn A into B"),
        Example("realm-cli diff --previous app.realm", "the changes of the last transaction"),
        Example(
          "realm-cli diff --schema --exit-code app.realm schema.yaml", "exit with 9 if the schemas differ"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    if arguments.has(.schemaOnly), arguments.has(.dataOnly) {
      throw Diagnostic.usage(
        "--schema and --data contradict each other", hint: "without them both are compared")
    }
    let other = arguments.word(.newRealm as Arguments.Operand)
    if arguments.has(.previous), other != nil {
      throw Diagnostic.usage("--previous compares two versions of one file")
    }
    if !arguments.has(.previous), other == nil {
      throw Diagnostic.usage(
        "nothing to compare with", hint: "name another file, or compare with the version before: --previous")
    }
    let hasDifferences =
      arguments.has(.schemaOnly) && !arguments.has(.previous)
        && DifferenceReport.Format(arguments) != .statements
      ? try invocation.writeSchemaChanges() : try invocation.writeDifferences()
    return hasDifferences && arguments.has(.exitCode) ? .checkFailed : .success
  }
}

extension Invocation {
  /// Of realms or documents. Whether there are any.
  fileprivate func writeSchemaChanges() throws -> Bool {
    let words = arguments.words(.oldRealm) + arguments.words(.newRealm)
    let changes = try schema(of: words[0]).changes(to: try schema(of: words[1]))
    try withOutput { out in
      let format = DifferenceReport.Format(arguments)
      if format == .json {
        try writeObject(words, to: &out) { out in
          DifferenceReport.writeMembers(schema: changes.map(\.text), to: &out)
          out.text.append(literal: ",\"changes\":[]")
          return !changes.isEmpty
        }
        return
      }
      var told = ChangeWriter(
        .differences, format.records, isColored: DifferenceReport.isColored(self))
      for change in changes { told.write(differenceOfSchema: change.text, to: &out) }
      told.finish(&out)
    }
    return !changes.isEmpty
  }

  /// Of realms. Whether there are any.
  fileprivate func writeDifferences() throws -> Bool {
    let report = try DifferenceReport(self)
    let words = arguments.words(.oldRealm) + arguments.words(.newRealm)
    if words.count > 1, words.allSatisfy(\.isDash) {
      throw Diagnostic.usage("standard input cannot be both realms")
    }
    let isOneFile = arguments.has(.previous)
    let left = try snapshotSource(of: words[0], isOneFile ? .previous : .current)
    let right = try snapshotSource(of: words[isOneFile ? 0 : 1], .current)
    do {
      return try withOutput { out in
        try left.read(to: &out) { before, out in
          try right.read(to: &out) { after, out in
            func write(_ out: inout OutputBuffer) throws -> Bool {
              try report.write(before.transaction, after.transaction, isOneFile: isOneFile, to: &out)
            }
            do {
              guard DifferenceReport.Format(arguments) == .json else { return try write(&out) }
              return try writeObject(words, to: &out, write)
            } catch let error as EngineError where [.damaged, .other].contains(error.kind) {
              // Both files are read at once, so who is damaged shows only where one is read alone.
              let culprit = before.transaction.canBeRead ? right.path : left.path
              throw SessionError.naming(culprit, in: error)
            }
          }
        }
      }
    } catch {
      throw Diagnostic.wording(error, file: left.path)
    }
  }

  /// The object for programs: `body` writes its first members and says whether there is a difference.
  @discardableResult
  private func writeObject(
    _ words: [Word], to out: inout OutputBuffer, _ body: (inout OutputBuffer) throws -> Bool
  ) throws -> Bool {
    out.text.append(UInt8(ascii: "{"))
    let isDifferent = try body(&out)
    let facts = [
      DocumentEntry.text("other", FilePath((words.last ?? words[0]).bytes).name),
      .flag("different", isDifferent),
    ]
    let exit: ExitStatus = isDifferent && arguments.has(.exitCode) ? .checkFailed : .success
    var element = ByteBuffer()
    element.append(
      json: FileResult(shown: "", facts, exit: exit).document(of: FilePath(words[0].bytes), isDryRun: false))
    // What follows its opening bracket.
    out.text.append(UInt8(ascii: ","))
    out.text.append(element.span.extracting(1..<element.count))
    out.text.append(UInt8(ascii: "\n"))
    return isDifferent
  }
}

extension ReadTransaction {
  /// Whether all objects can be written.
  fileprivate var canBeRead: Bool {
    var nowhere = OutputBuffer { _ in }
    return (try? DumpWriter(self, allTables: true).write(to: &nowhere)) != nil
  }
}
