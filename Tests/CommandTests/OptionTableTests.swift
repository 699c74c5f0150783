// The table itself is sound: what the parser takes for granted holds for every registered command.

import Arguments
import RealmCommands
import Testing

@Suite("Option table")
struct OptionTableTests {
  private let program = Registry.program

  private var commands: [CommandSpec] {
    let all = program.commands + [program.fallback].compactMap { $0 }
    return all + all.flatMap(\.subcommands)
  }

  private var options: [Option] { program.globalOptions.flatMap(\.options) + commands.flatMap(\.options) }

  /// `query --count` prints a number, `assert --count N` demands one; `create --schema S` names a document,
  /// `diff --schema` says what is compared; `--quote` is a way to print, `import --quote C` what stands around cells;
  /// `insert --data OBJECT` gives objects, `diff --data` says what is compared; `--table` is a way to print, `import --table T` one
  /// of SQLite's.
  private static let differingOptions: Set = ["count", "data", "schema", "quote", "table"]

  @Test("commands are found by the words that they say are theirs")
  func words() {
    for command in program.commands {
      #expect(Registry.program(naming: [Word(command.name)]).commands.map(\.name) == [command.name])
    }
  }

  @Test("an option takes a value in every command or in none, but for the ones that are known to differ")
  func arity() {
    for option in options {
      for other in options where other.name == option.name {
        let isKnown = Self.differingOptions.contains(option.name) && option.letter == nil
        #expect(isKnown || (other.value == nil) == (option.value == nil), "--\(option.name)")
        #expect(other.letter == option.letter, "--\(option.name)")
      }
      for other in options where option.letter != nil && other.letter == option.letter {
        #expect(other.name == option.name, "-\(option.letter.map(String.init) ?? "")")
      }
    }
  }

  @Test("letters are ASCII letters: a digit behind a dash is a number")
  func letters() {
    for case let letter? in options.map(\.letter) {
      // `-0` is no number that anybody writes.
      #expect(letter.isASCII && (letter.isLetter || letter == "0"), "-\(letter)")
    }
  }

  @Test("every command and option explains itself in one line without a full stop")
  func explanations() {
    let lines = commands.map(\.summary) + options.map(\.help)
    for line in lines { #expect(!line.isEmpty && !line.hasSuffix(".") && !line.contains("\n"), "\(line)") }
    for command in program.listedCommands { #expect(!command.group.isEmpty, "\(command.name)") }
  }

  @Test("what other programs call a thing is not the name of a command, and stands once")
  func otherCommandWords() {
    let words = OtherCommandWords.words
    #expect(Set(words).count == words.count)
    for word in words { #expect(!program.commands.contains { $0.name == word }, "\(word)") }
  }

  @Test("at most one operand of a command takes several words")
  func operands() {
    for command in commands {
      let repeated = command.operands.filter { $0.occurrence == .any || $0.occurrence == .atLeastOnce }
      #expect(repeated.count <= 1, "\(command.name)")
    }
  }

  @Test("examples are command lines that the table allows")
  func examples() throws {
    for command in commands {
      for example in command.examples where example.line.hasPrefix("\(program.name) ") {
        let line = example.line.prefix { $0 != ">" && $0 != "|" && $0 != "<" }
        let words = shellWords(String(line)).dropFirst().map { Word($0) }
        #expect(throws: Never.self, "\(example.line)") { try ArgumentParser(program, Array(words)).parse() }
      }
    }
  }

  /// Splits at blanks outside single quotes.
  private func shellWords(_ line: String) -> [String] {
    var words: [String] = []
    for (index, piece) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        words.append(String(piece))
      } else {
        words += piece.split(separator: " ").map(String.init)
      }
    }
    return words
  }
}
