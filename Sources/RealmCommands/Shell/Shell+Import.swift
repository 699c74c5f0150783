// `.import SOURCE [CLASS] [OPTION…]`: the command on the realm that is open, in the transaction that is open.
// Layer: RealmCommands, Shell.

import Arguments
import RealmEngine
import RealmSession

extension Shell {
  func importObjects(_ words: [Word]) throws {
    let path = try requiredRealm().path
    guard let session, let source = words.first else { return }
    var options = words.dropFirst()
    var operands = [Word(SessionRealm.memoryName)]
    if let name = options.first, name.bytes.first != UInt8(ascii: "-") {
      operands.append(name)
      options = options.dropFirst()
    }
    if session.realm.isDryRun { options = [Word("--dry-run")] + options }
    let command = [Word(Command.import.spec.name)] + modeWords(of: .import)
    let line = command + options + [Word("--")] + operands + [source]
    var invocation = invocation.with(try ArgumentParser(Registry.program, line).parse())
    invocation.resultDescriptor = output.descriptor
    defer { output.endOnce() }
    try invocation.arguments.refuseImmediate(Command.import.spec.name)
    try permit(invocation.arguments.deeds(), ".\(Command.import.spec.name)")
    let isRehearsed = invocation.isDryRun && !session.realm.isDryRun
    let result = try invocation.importObjects(into: path) { run in
      try isRehearsed ? session.rehearse(run) : session.changeCounting(run)
    }
    guard try invocation.write(result, of: path, changing: true) == .success else {
      throw Diagnostic(.refused, code: "rejected", ".import has rejected rows")
    }
  }
}
