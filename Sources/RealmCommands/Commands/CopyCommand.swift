// `copy`: a realm in a new file, with nothing in it but what is in use. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import TextFormats

extension Command {
  private static let source = Arguments.Operand("SRC", .file)
  private static let destination = Arguments.Operand("DST", .outputFile)
  private static let local = Option("local", "omit the history and the sync state")

  /// `copy SRC DST`
  static let copy = Command(
    .file([.text("copy"), .integer("objects"), .integer("size"), CommandResult.changes.optional]),
    CommandSpec(
      "copy", group: CommandGroup.files, summary: "copy a realm to a new, compact file",
      brief: "to a new, compact file",
      operands: [source, destination],
      options: Option.part + Option.parameters + Option.newKeys + [
        .decrypts, local, .dryRun, .lockTimeout, .salvage, .force,
      ],
      details: [
        """
        Other programs may use the source meanwhile: the copy is one version of its data. A copy of an encrypted \
        realm has the same key, unless a new key or --decrypt is given. The copy is read back and compared before it \
        gets its name, so that it is complete or absent. With --dry-run only its size is printed.
        """,
        """
        With --only, --where or --sample the copy has only the objects that these choose, and those that come along: what \
        links of chosen objects lead to, and so on; with --follow owned only embedded objects. Other links become null or \
        leave their lists, so that no link leads nowhere. All classes stay. Nothing of what was not chosen is in the copy.
        """,
        """
        --mask and --mask-all give each value one that looks like it: letters stay letters, digits digits, numbers keep \
        their number of digits, all dates move by the same time, and data keeps its size. Equal values get the \
        same mask everywhere, other values other masks, so that primary keys stay unique; but booleans all become false. The \
        key of masks is random unless one is named; `realm-cli keygen` creates one.
        """,
      ],
      examples: [
        Example("realm-cli copy app.realm copy.realm", "a defragmented copy"),
        Example("realm-cli copy app.realm safe.realm --new-key-file key.hex", "an encrypted copy"),
        Example(
          "realm-cli copy app.realm part.realm --where 'Person where city == \"Paris\"' --mask '*.name, *.email'",
          "a part to share"),
      ])
  ) { invocation in
    let source = try invocation.paths(source)[0]
    let target = invocation.arguments.required(destination)
    guard !target.isDash else {
      throw Diagnostic.usage(
        "a realm is not written to standard output", hint: "name a file; ./- is one of that name")
    }
    let destination = FilePath(target.bytes)
    let newKey = try KeySource(invocation: invocation).namedKey(.new)
    guard newKey == nil || !invocation.arguments.has(.decrypts) else {
      throw Diagnostic.usage("--decrypt and a new key contradict each other")
    }
    let key = try invocation.keyOfFile(source)
    guard try key != nil || KeySource(invocation: invocation).namedKey() == nil else {
      throw Diagnostic(
        EngineError(
          .keyWrong, "the file is not encrypted, but a key was given",
          hint: "to encrypt the copy: --new-key-file"),
        file: source)
    }
    let part = try invocation.partCopy(of: source, key)
    let job = WholeFileJob(
      source: source, key: key, newKey: newKey ?? (invocation.arguments.has(.decrypts) ? nil : key),
      target: .newFile(destination, replacing: invocation.mayReplaceOutput),
      history: part != nil || invocation.arguments.has(local) ? .drop : .forCopy,
      lockTimeoutMilliseconds: invocation.lockTimeoutMilliseconds,
      salvages: invocation.arguments.has(.salvage), content: part?.content ?? .same)
    func entries(_ objectCount: Int, _ size: Int) -> [DocumentEntry] {
      [.file(destination, "copy"), .number("objects", objectCount), .number("size", size)]
        + (part?.entries ?? [])
    }
    func facts(_ objectCount: Int, _ size: Int) -> String {
      "\(counted(objectCount, "object"))\(part?.summary ?? ""), \(SizeText.bytes(size))"
    }
    if invocation.isDryRun {
      let measured = try invocation.measure(job)
      return try invocation.write(
        FileResult(
          wouldDo:
            "\(source.displayName): would be copied to \(destination.displayName), \(facts(measured.objectCount, measured.size))",
          entries(measured.objectCount, measured.size)), of: source)
    }
    let report = try invocation.run(job)
    if part != nil, key != nil, job.newKey == nil {
      invocation.warn("\(destination.displayName) is not encrypted")
    }
    return try invocation.write(
      FileResult(
        done:
          "\(source.displayName): copied to \(destination.displayName), \(facts(report.objectCount, report.sizeAfter))",
        entries(report.objectCount, report.sizeAfter)), of: source, changing: true)
  }
}
