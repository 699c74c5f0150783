// `.import SOURCE [CLASS] [OPTION…]`: the command on the realm that is open, in the transaction that is open.
// Layer: RealmCommands, Shell.

import Arguments
import RealmEngine
import RealmSession

extension Shell {
  func importObjects(_ words: [Word]) throws {
    let path = try requiredRealm().path
    guard let session else { return }
    var invocation = invocation.with(try importArguments(words, isDryRun: session.realm.isDryRun))
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

  /// Options may stand before the source, as in sqlite3: the first word that begins a line with all others behind it is the source.
  private func importArguments(_ words: [Word], isDryRun: Bool) throws -> ParsedArguments {
    let starts = words.indices.filter { words[$0].bytes.first != UInt8(ascii: "-") }
    for start in starts where starts.first != 0 {
      let turned = Array(words[start...] + words[..<start])
      if let parsed = try? importArguments(behind: turned, isDryRun: isDryRun) { return parsed }
    }
    return try importArguments(behind: words, isDryRun: isDryRun)
  }

  private func importArguments(behind words: [Word], isDryRun: Bool) throws -> ParsedArguments {
    var options = words.dropFirst()
    var operands = [Word(SessionRealm.memoryName)]
    if let name = options.first, name.bytes.first != UInt8(ascii: "-") {
      operands.append(name)
      options = options.dropFirst()
    }
    if isDryRun { options = [Word("--dry-run")] + options }
    let command = [Word(Command.import.spec.name)] + modeWords(of: .import)
    let line = command + options + [Word("--")] + operands + words.prefix(1)
    return try ArgumentParser(Registry.program, line).parse()
  }
}
