// From the words of the command line to an exit status. Layer: RealmCommands, Program; the top of everything.

import Arguments
import CPlatform
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The whole program.
package enum RealmProgram {
  /// Runs the command that the process was started with, and ends the process.
  package static func main() -> Never {
    platform_started()
    platform_reserve_standard_streams()
    platform_install_signal_handlers()
    SystemCalls.setShrunkFileMessage(
      Array("realm-cli: the file was truncated by another program while it was read\n".utf8))
    exit(run(SystemCalls.commandLineWords()).code)
  }

  /// What somebody sees who has typed nothing but the program's name.
  private static let firstSteps = """
    realm-cli: no file given
      realm-cli FILE.realm                                open a prompt, where .help shows help
      realm-cli info FILE.realm                           show what it is and what it contains
      realm-cli create FILE.realm --schema SCHEMA.yaml    create a new one
    hint: see 'realm-cli --help' for all commands

    """

  private static func run(_ words: [Word]) -> ExitStatus {
    if words.isEmpty {
      StandardStreams.writeError(firstSteps)
      return .usage
    }
    var parsed: ParsedArguments?
    do {
      let arguments = try parse(words)
      parsed = arguments
      if let immediate = arguments.immediate { return try answer(immediate, arguments) }
      return try dispatch(arguments)
    } catch {
      var diagnostic = Diagnostic(error).suggestingOption(for: words)
      if let parsed {
        diagnostic = diagnostic.suggestingOrder(of: parsed).suggestingStatement(in: parsed).told(by: parsed)
      }
      // What is wrong with a statement or an option does not know the realm that it is for; other files are named already.
      if diagnostic.file == nil, diagnostic.exit == .usage || diagnostic.exit == .statement {
        diagnostic.file = parsed?.word(.file).map { FilePath($0.bytes) }
      }
      report(diagnostic, words)
      if diagnostic.exit == .signal(SIGINT) { platform_end_by_signal(SIGINT) }
      return diagnostic.exit
    }
  }

  private static func parse(_ words: [Word]) throws(UsageError) -> ParsedArguments {
    if let parsed = try? ArgumentParser(Registry.program(naming: words), words).parse() { return parsed }
    return try ArgumentParser(Registry.program, words).parse()
  }

  private static func answer(
    _ immediate: String, _ arguments: ParsedArguments
  ) throws -> ExitStatus {
    let isVersion = immediate == Option.version.name
    let program = isVersion ? Registry.program(naming: []) : Registry.program
    try StandardStreams.write(
      isVersion ? "\(program.name) \(program.version)\n" : program.helpText(arguments.path))
    return .success
  }

  private static func dispatch(_ arguments: ParsedArguments) throws -> ExitStatus {
    if arguments.has(.safe) {
      if arguments.has(.allowShell) {
        throw Diagnostic.usage("--safe and --allow-shell contradict each other")
      }
      if let deed = arguments.ownDeeds.first { throw deed.refusal(of: "this command line") }
    }
    let invocation = Invocation(
      arguments: arguments, terminal: .current(), environment: { SystemCalls.environment($0) })
    let names = arguments.path.map(\.name)
    let named = names.first.flatMap(Registry.command)
    guard let command = named ?? Registry.fallback else {
      preconditionFailure("the parser lets only commands of the table through")
    }
    return try command.run(invocation, names: names.dropFirst())
  }

  /// The command line may be the very thing that is wrong, so how to report is read from its bare words.
  private static func report(_ diagnostic: Diagnostic, _ words: [Word]) {
    let texts = words.prefix { $0.text != "--" }.map(\.displayText)
    let forms = ["json", "jsonl"]
    let wantsJSON = zip([""] + texts, texts).contains { before, word in
      forms.contains { word == "--\($0)" || word == "--mode=\($0)" || word == "-m\($0)" } || word == "-json"
        || (forms.contains(word) && ["--mode", "-m"].contains(before))
    }
    let choice = texts.last { $0.hasPrefix("--color=") }.flatMap {
      ColorChoice(rawValue: String($0.dropFirst(8)))
    }
    let isColored = (choice ?? .auto).applies(
      isTerminal: SystemCalls.isTerminal(StandardStreams.error), environment: SystemCalls.environment)
    diagnostic.report(asJSON: wantsJSON, isColored: isColored)
  }
}
