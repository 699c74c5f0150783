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
    CommandSpec(
      "load", group: CommandGroup.writing, summary: "create a realm from a dump",
      operands: [target, dumpFile], options: [.dryRun, .lockTimeout, .force],
      details: [
        """
        Reads what `realm-cli dump` wrote, from DUMP or standard input, and makes FILE with the same classes and \
        objects, object keys included; the dump of FILE is the same again. FILE is there whole or not at all, and \
        must not exist without --force. A key option makes it encrypted. Not in a dump, so not in FILE: tables \
        that are no classes, history, and the state of sync.
        """
      ],
      examples: [
        Example("realm-cli dump old.realm | realm-cli load new.realm", "through a pipe"),
        Example("realm-cli load new.realm data.jsonl --key-file key.hex", "an encrypted realm"),
      ])
  ) { invocation in
    let path = try invocation.paths(target)[0]
    if invocation.arguments.word(dumpFile) == nil { try invocation.refuseKeyOnInput(beside: "the dump") }
    let input = try invocation.openInput(invocation.arguments.word(dumpFile))
    let made = try invocation.makeRealm(at: path, input.name) { transaction in
      var reader = try DumpReader(descriptor: input.descriptor, into: transaction)
      try reader.run()
      for remark in reader.remarks { invocation.warn(remark) }
    }
    withExtendedLifetime(input) {}
    return try invocation.write(made)
  }
}
