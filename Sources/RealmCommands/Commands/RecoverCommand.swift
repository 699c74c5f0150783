// `recover`: what can be saved of a damaged realm, in a new one. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmRecovery
import RealmSession
import Rendering
import TextFormats

extension Command {
  private static let source = Arguments.Operand("FILE", .file)
  private static let output = Arguments.Operand("OUT", .outputFile, .atMostOnce)
  private static let formatVersion = Option(
    "format-version", takes: .text, "N",
    "the file format, 2 to 11 or 20 to 24, where the header is gone or wrong")
  private static let pageSize = Option(
    "page-size", takes: .text, "N",
    "the bytes of an encrypted page: 4096, in every format")
  private static let unverified = Option(
    "unverified", "also read encrypted pages whose check fails; what comes from them is reported")
  private static let marks = Option(
    "mark", "with --unverified: list the properties in question in a property _unverified of each object")

  /// `recover FILE OUT`
  static let recover = Command(
    .file(Recovery.fields),
    CommandSpec(
      "recover", group: CommandGroup.checking, summary: "save what can be read from a damaged realm",
      brief: "save a damaged realm",
      operands: [source, output],
      options: Option.newKeys + [
        .decrypts, unverified, marks, formatVersion, pageSize, .lockTimeout, .dryRun, .force,
      ],
      details: [
        """
        Reads FILE and skips what is damaged: it takes the current version of the data as far as it is readable, the \
        previous version where the current one is lost, and versions, tables and rows that are no longer referenced \
        but not free space. OUT is a sound realm of the newest format with everything that was found. FILE itself is \
        never changed.
        """,
        """
        No values are invented. A lost value is null, and a property with lost values becomes optional in OUT. Links \
        to lost objects are null. Objects whose primary key is lost or duplicate, and embedded objects whose owner is \
        lost, are put into a class Recovered_CLASS.
        """,
        """
        The report shows for each class how many objects are complete, how many are partial and what they lack, how \
        many more the file says it had, and where the damage is; with --json as one document. With --dry-run only the \
        report is made, and OUT may be left out.
        """,
        """
        An encrypted page whose check fails is lost. With --unverified it is decrypted anyway: a wrong byte spoils \
        17 bytes, and the rest of the page is right. Values that come from these pages may be wrong. \
        The report lists them by class, property and object key; --mark also writes the list into OUT.
        """,
        """
        Exit status: 0 if everything was recovered, 9 if OUT was written but something was damaged, 3 if no part of a \
        realm was found.
        """,
      ],
      examples: [
        Example("realm-cli recover broken.realm saved.realm", "write what can be saved, report what is lost"),
        Example("realm-cli recover -n --json broken.realm", "the report alone, for programs"),
      ])
  ) { invocation in
    try Recovery(invocation, from: invocation.arguments.required(source)).run(
      to: invocation.arguments.word(output))
  }

  /// One salvage of one file.
  private struct Recovery {
    static let fields: [JSONField] =
      [
        .text("recovered").orNull, JSONField("verdict", .word(["sound", "damaged"])),
        .integer("file_format").orNull, .flag("encrypted"),
        JSONField("versions", .list(.object(.integer("version"), .text("found")))),
      ] + ["sound", "partial", "set_aside", "older", "rekeyed", "known_lost"].map(JSONField.integer) + [
        .flag("may_be_more"), JSONField("classes", .list(.row)),
        JSONField("lost_pages", .list(.integer)), JSONField("unverified_pages", .list(.integer)),
        JSONField(
          "unverified",
          .list(
            .object(
              .text("class"), .text("property"), .integer("values"),
              JSONField("keys", .list(.list(.integer)))))), .integer("damage_count"),
        JSONField("damage", .list(.object(.text("place"), .text("location"), .text("reason")))),
      ]

    let invocation: Invocation
    private let word: Word
    let path: FilePath
    private let content: MemoryImage?
    private let choices: SalvageChoices

    init(_ invocation: Invocation, from word: Word) throws {
      self.invocation = invocation
      self.word = word
      path = word.sourcePath
      if word.isDash { try invocation.refuseKeyOnInput(beside: "the realm") }
      choices = try Self.choices(invocation)
      guard invocation.arguments.has(Command.unverified) || !invocation.arguments.has(Command.marks) else {
        throw Diagnostic.usage("--mark marks what --unverified reads", hint: "add --unverified")
      }
      content = word.isDash ? try invocation.streamedRealm(mustBeRealm: false) : nil
    }

    private static func choices(_ invocation: Invocation) throws -> SalvageChoices {
      try refusePageSize(invocation)
      guard let text = invocation.arguments.text(formatVersion) else { return SalvageChoices() }
      guard let format = Int(text), FileFormat.isReleased(format) else {
        throw Diagnostic.usage(
          "there is no file format '\(text)'", hint: "the formats are 2 to 11 and 20 to \(FileFormat.newest)")
      }
      return SalvageChoices(format: format)
    }

    /// No engine ever encrypted pages of another size, whatever the system's own pages were.
    private static func refusePageSize(_ invocation: Invocation) throws {
      guard let text = invocation.arguments.text(pageSize), Int(text) != PageGeometry.pageSize else { return }
      throw Diagnostic.usage(
        "no realm has encrypted pages of '\(text)' bytes",
        hint: "all formats use pages of \(PageGeometry.pageSize) bytes")
    }

    func run(to output: Word?) throws -> ExitStatus {
      if invocation.isDryRun {
        let (salvage, _) = try salvage()
        try salvage.file.checkUnchanged()
        return try invocation.write(result(salvage, output: nil), of: path)
      }
      guard let output else {
        throw Diagnostic.usage(
          "the output file is missing",
          hint: "name it after FILE, or use --dry-run to see what would be recovered")
      }
      let target = FilePath(output.bytes)
      let (salvage, key) = try salvage()
      let made = try invocation.makeRealm(at: target, path, key: try outputKey(key)) { transaction in
        try SalvageWriter(
          salvage, into: transaction, marking: invocation.arguments.has(Command.marks)
        ).run()
        try salvage.file.checkUnchanged()
      }
      invocation.note(made.sentence(isDryRun: false))
      return try invocation.write(result(salvage, output: target), of: path, changing: true)
    }

    private func salvage() throws -> (Salvage, EncryptionKey?) {
      try invocation.withKey(for: path) { key throws(EngineError) in
        let file = try SalvageFile.open(
          path, content: content, key: key,
          acceptingUnverified: invocation.arguments.has(Command.unverified))
        let salvage = try Salvage(file, choices)
        if salvage.isSound { note(damageOf: salvage, key) }
        return (salvage, key)
      }
    }

    /// What only `check` sees, such as bytes that belong to two lists: everything can be read then, and some of it is not what
    /// was written.
    private func note(damageOf salvage: Salvage, _ key: EncryptionKey?) {
      let found =
        if let content {
          try? FileInspection.inspect(try RealmFile(content: content, path: path, key: key))
        } else {
          try? invocation.inspection(of: word)
        }
      guard salvage.file.header != nil, let report = found else { return }
      for finding in report.findings where finding.severity == .damage {
        salvage.log.note(
          .damaged(at: finding.offset, expected: finding.expected, found: finding.found), finding.place)
      }
    }

    /// A copy of an encrypted file is not readable for everybody, unless that is asked for.
    private func outputKey(_ key: EncryptionKey?) throws -> EncryptionKey? {
      let new = try KeySource(invocation: invocation).namedKey(.new)
      guard invocation.arguments.has(.decrypts) else { return new ?? key }
      guard new == nil else { throw Diagnostic.usage("--decrypt and a new key contradict each other") }
      return nil
    }

    private func result(_ salvage: Salvage, output: FilePath?) -> FileResult {
      let writer = SalvageReportWriter(salvage)
      return FileResult(
        shown: writer.text, writer.entries(output: output?.displayName),
        exit: salvage.isSound ? .success : .checkFailed)
    }
  }
}
