// `load`: a realm from its dump. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmSession
import TextFormats

extension Command {
  private static let target = Arguments.Operand("FILE", .outputFile)
  private static let dumpFile = Arguments.Operand("DUMP", .file, .atMostOnce)

  /// `load FILE [DUMP]`
  static let load = Command(
    .file(MadeRealm.fields),
    CommandSpec(
      "load", group: CommandGroup.writing, summary: "create a realm from a dump",
      operands: [target, dumpFile], options: [.dryRun, .lockTimeout, .force],
      details: [
        """
        Reads a dump written by `realm-cli dump`, from DUMP or standard input, and creates FILE with the same \
        classes, objects and object keys; the dump of FILE is identical. FILE is complete or absent, and must not \
        exist, unless --force is given. A key option encrypts it. A dump does not contain tables that are not \
        classes, history and sync state.
        """
      ],
      examples: [
        Example("realm-cli dump old.realm | realm-cli load new.realm", "through a pipe"),
        Example("realm-cli load new.realm data.jsonl --key-file key.hex", "an encrypted realm"),
      ])
  ) { invocation in
    let path = try invocation.paths(target)[0]
    if invocation.arguments.word(dumpFile) == nil { try invocation.refuseKeyOnInput(beside: "the dump") }
    if let word = invocation.arguments.word(dumpFile), FileProbe.findsRealm(FilePath(word.bytes)) {
      throw Diagnostic(
        .refused, code: "bad-document", of: FilePath(word.bytes), "is a realm, not the dump of one",
        hint: "to copy it: realm-cli copy \(word.shellText) \(path.shellText)")
    }
    let input = try invocation.openInput(invocation.arguments.word(dumpFile))
    invocation.sayWhenStopped(.objects)
    let made = try invocation.makeRealm(at: path, input.name) { transaction in
      var reader = try DumpReader(descriptor: input.descriptor, into: transaction)
      try reader.run()
      for remark in reader.remarks { invocation.warn(remark) }
    }
    withExtendedLifetime(input) {}
    return try invocation.write(made)
  }
}
