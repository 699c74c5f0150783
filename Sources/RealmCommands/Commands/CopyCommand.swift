// `copy`: a realm in a new file, with nothing in it but what is in use. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import TextFormats

extension Command {
  private static let source = Arguments.Operand("SRC", .file)
  private static let destination = Arguments.Operand("DST", .outputFile)
  private static let decrypts = Option("decrypt", "write an unencrypted file")
  private static let local = Option("local", "omit the history and the sync state")

  /// `copy SRC DST`
  static let copy = Command(
    .file([.text("copy"), .integer("objects"), .integer("size")]),
    CommandSpec(
      "copy", group: CommandGroup.files, summary: "copy a realm to a new, compact file",
      brief: "to a new, compact file",
      operands: [source, destination],
      options: Option.newKeys + [decrypts, local, .dryRun, .lockTimeout, .salvage, .force],
      details: [
        """
        Other programs may use the source meanwhile: the copy is one version of its data. A copy of an encrypted \
        realm has the same key, unless a new key or --decrypt is given. The copy is read back and compared before it \
        gets its name, so that it is complete or absent. With --dry-run only its size is printed.
        """
      ],
      examples: [
        Example("realm-cli copy app.realm copy.realm", "a defragmented copy"),
        Example("realm-cli copy app.realm safe.realm --new-key-file key.hex", "an encrypted copy"),
      ])
  ) { invocation in
    let source = try invocation.paths(source)[0]
    let destination = FilePath(invocation.arguments.required(destination).bytes)
    let newKey = try KeySource(invocation: invocation).namedKey(.new)
    guard newKey == nil || !invocation.arguments.has(decrypts) else {
      throw Diagnostic.usage("--decrypt and a new key contradict each other")
    }
    let key = try invocation.keyOfFile(source)
    let job = WholeFileJob(
      source: source, key: key, newKey: newKey ?? (invocation.arguments.has(decrypts) ? nil : key),
      target: .newFile(destination, replacing: invocation.mayReplaceOutput),
      history: invocation.arguments.has(local) ? .drop : .forCopy,
      lockTimeoutMilliseconds: invocation.lockTimeoutMilliseconds,
      salvages: invocation.arguments.has(.salvage))
    func entries(_ objectCount: Int, _ size: Int) -> [DocumentEntry] {
      [.file(destination, "copy"), .number("objects", objectCount), .number("size", size)]
    }
    if invocation.isDryRun {
      let measured = try invocation.measure(job)
      return try invocation.write(
        FileResult(
          wouldDo:
            "\(source.displayName) would be copied to \(destination.displayName): \(measured.objectCount) objects, \(SizeText.bytes(measured.size))",
          entries(measured.objectCount, measured.size)), of: source)
    }
    let report = try invocation.run(job)
    return try invocation.write(
      FileResult(
        done:
          "\(source.displayName) copied to \(destination.displayName): \(report.objectCount) objects, \(SizeText.bytes(report.sizeAfter))",
        entries(report.objectCount, report.sizeAfter)), of: source, changing: true)
  }
}
