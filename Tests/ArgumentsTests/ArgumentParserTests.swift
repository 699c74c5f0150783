// The rules of the command line, on a small sample table.

import Arguments
import Testing

@Suite("Parsing a command line")
struct ArgumentParserTests {
  private func refusal(_ words: String..., fallback: CommandSpec? = Sample.shell) -> UsageError? {
    do throws(UsageError) {
      _ = try ArgumentParser(Sample.program(fallback: fallback), words.map { Word($0) }).parse()
      return nil
    } catch {
      return error
    }
  }

  @Test("operands are found by position, optional ones may be missing")
  func operands() throws {
    let parsed = try Sample.parse("query", "zoo.realm", "Dog")
    #expect(parsed.path.map(\.name) == ["query"])
    #expect(parsed.required(Sample.file).text == "zoo.realm")
    #expect(parsed.text(Sample.className) == "Dog")
    #expect(parsed.word(Sample.predicate) == nil)
    #expect(try Sample.parse("query", "f", "Dog", "age > 3").text(Sample.predicate) == "age > 3")
  }

  @Test(
    "options stand anywhere, even before the command",
    arguments: [
      ["--limit", "3", "query", "f", "Dog"], ["query", "--limit", "3", "f", "Dog"],
      ["query", "f", "--limit=3", "Dog"], ["query", "f", "Dog", "--limit", "3"],
      ["-mjson", "--limit", "3", "query", "f", "Dog"], ["-qm", "json", "--limit=3", "query", "f", "Dog"],
    ])
  func optionsAnywhere(words: [String]) throws {
    let parsed = try ArgumentParser(Sample.program(fallback: Sample.shell), words.map { Word($0) }).parse()
    #expect(parsed.path.map(\.name) == ["query"])
    #expect(parsed.integer(Sample.limit) == 3)
    #expect(parsed.required(Sample.className).text == "Dog")
  }

  @Test("an option may be a flag of one command and take a value of another, before the command or behind it")
  func differingOption() throws {
    for words in [["query", "f", "C", "--count"], ["--count", "query", "f", "C"]] {
      let parsed = try ArgumentParser(Sample.program(fallback: nil), words.map { Word($0) }).parse()
      #expect(parsed.path.map(\.name) == ["query"] && parsed.has(Sample.counts))
    }
    for words in [["demand", "f", "--count", "3"], ["--count", "3", "demand", "f"]] {
      let parsed = try ArgumentParser(Sample.program(fallback: nil), words.map { Word($0) }).parse()
      #expect(parsed.path.map(\.name) == ["demand"] && parsed.integer(Sample.demandedCount) == 3)
    }
  }

  @Test("short options bundle, and the rest of a bundle may be a value")
  func bundles() throws {
    let parsed = try Sample.parse("-qvmcsv", "f")
    #expect(parsed.has(Sample.quiet) && parsed.has(Sample.verbose))
    #expect(parsed.text(Sample.mode) == "csv")
    #expect(try Sample.parse("f", "-qm", "csv").text(Sample.mode) == "csv")
    #expect(try Sample.parse("query", "f", "Dog", "-oout.csv").text(Sample.output) == "out.csv")
  }

  @Test("sqlite3's single-dash words are read whole before bundles")
  func singleDashWords() throws {
    #expect(try Sample.parse("-csv", "f").text(Sample.mode) == "csv")
    let parsed = try Sample.parse("-cmd", "count Dog", "f", "-json")
    #expect(parsed.text(Sample.run) == "count Dog")
    #expect(parsed.text(Sample.mode) == "json")
    #expect(parsed.required(Sample.file).text == "f")
  }

  @Test("the last of several modes counts, shorthands included")
  func lastOneCounts() throws {
    #expect(try Sample.parse("--json", "-m", "box", "f").text(Sample.mode) == "box")
    #expect(try Sample.parse("-m", "box", "--json", "f").text(Sample.mode) == "json")
  }

  @Test("several values of a list are one list")
  func lists() throws {
    let names = Option("mask", takes: .list, "NAMES", "mask")
    let keys = Option("sort", takes: .properties, "KEYS", "sort")
    let command = CommandSpec("copy", summary: "copy", options: [names, keys])
    let program = ProgramSpec(
      name: "p", version: "1", summary: "", introduction: [], fallback: nil, commands: [command],
      globalOptions: [], exitStatuses: [], environment: [])
    let words = ["copy", "--mask", "a", "--sort=x desc", "--mask=b, c", "--sort", "y"].map { Word($0) }
    let parsed = try ArgumentParser(program, words).parse()
    #expect(parsed.text(names) == "a, b, c")
    #expect(parsed.text(keys) == "x desc, y")
    #expect(parsed.words(names).map(\.text) == ["a", "b, c"])
  }

  @Test("values of a command's own option contradict each other, unless each counts")
  func contradictions() throws {
    #expect(throws: UsageError.self) { try Sample.parse("query", "f", "Dog", "--limit", "1", "--limit=2") }
    #expect(try Sample.parse("query", "f", "Dog", "--limit", "1", "--limit=1").integer(Sample.limit) == 1)
    let parsed = try Sample.parse("query", "f", "Dog", "--arg", "1", "--arg=2")
    #expect(parsed.words(Sample.argument).map(\.text) == ["1", "2"])
  }

  @Test("behind -- everything is an operand, also the name of a command")
  func endOfOptions() throws {
    let parsed = try Sample.parse("--", "query", "--json")
    #expect(parsed.path.isEmpty)
    #expect(parsed.required(Sample.file).text == "query")
    #expect(parsed.words(Sample.statements).map(\.text) == ["--json"])
    #expect(
      try Sample.parse("query", "--limit=1", "--", "f", "Dog", "-x == 1").text(Sample.predicate) == "-x == 1")
  }

  @Test("a negative number and a lone dash are operands, and an option takes any next word")
  func dashes() throws {
    #expect(try Sample.parse("query", "f", "Dog", "-5").text(Sample.predicate) == "-5")
    #expect(try Sample.parse("query", "-", "Dog").required(Sample.file).isDash)
    #expect(try Sample.parse("query", "f", "Dog", "--arg", "-5").words(Sample.argument).map(\.text) == ["-5"])
  }

  @Test("repeated options keep their order across two names")
  func order() throws {
    let parsed = try Sample.parse("query", "f", "Dog", "--arg", "1", "--arg-text", "b", "--arg", "3")
    let found = parsed.occurrences(of: Sample.argument, Sample.argumentText)
    #expect(found.map(\.name) == ["arg", "arg-text", "arg"])
    #expect(found.map(\.value?.text) == ["1", "b", "3"])
  }

  @Test("a repeated operand leaves the ones behind it what they need")
  func repeatedOperands() throws {
    let parsed = try Sample.parse("gather", "a", "b", "c")
    #expect(parsed.words(Sample.files).map(\.text) == ["a", "b"])
    #expect(parsed.required(Sample.destination).text == "c")
    #expect(try Sample.parse("schema", "f").words(Sample.classes).isEmpty)
  }

  @Test("a subcommand follows its command, options between them")
  func subcommands() throws {
    let parsed = try Sample.parse("migrate", "-q", "--to", "-1", "apply", "f")
    #expect(parsed.path.map(\.name) == ["migrate", "apply"])
    #expect(parsed.integer(Sample.target) == -1)
    #expect(refusal("migrate", "aply", "f")?.hint == "did you mean 'migrate apply'?")
    #expect(refusal("migrate")?.message == "migrate needs a subcommand")
  }

  @Test("help ends parsing, so that nothing else need be right")
  func immediate() throws {
    let parsed = try Sample.parse("query", "--help", "--nonsense")
    #expect(parsed.immediate == "help")
    #expect(parsed.path.map(\.name) == ["query"])
    #expect(try Sample.parse("-qh").immediate == "help")
    #expect(refusal("query", "--nonsense", "--help") != nil)
  }

  @Test("paths are bytes: what is not UTF-8 arrives unchanged")
  func bytes() throws {
    let path: [UInt8] = [0x7A, 0xFF, 0xFE]
    let words = [Word("query"), Word(path), Word("Dog")]
    let parsed = try ArgumentParser(Sample.program(fallback: nil), words).parse()
    #expect(parsed.required(Sample.file).bytes == path)
    #expect(parsed.required(Sample.file).text == nil)
  }

  @Test("text that is not UTF-8 is refused where text is needed")
  func notText() {
    let words = [Word("query"), Word("f"), Word([0xFF])]
    let parser = ArgumentParser(Sample.program(fallback: nil), words)
    #expect(throws: UsageError.self) { try parser.parse() }
  }

  @Test("a mistyped option, command or value names the nearest")
  func suggestions() {
    #expect(refusal("query", "f", "Dog", "--limt", "3")?.hint == "did you mean --limit?")
    #expect(refusal("query", "f", "Dog", "-limit", "3")?.hint == "did you mean --limit?")
    #expect(refusal("qurey", "f", fallback: nil)?.hint == "did you mean 'query'?")
    #expect(refusal("query", "f", "Dog", "--mode", "jsn")?.hint == "did you mean 'json'?")
    #expect(refusal("schema", "f", "--limit", "3")?.hint == "it is an option of 'query'")
    #expect(refusal("schema", "f", "--to=3")?.hint == "it is an option of 'migrate apply'")
    #expect(refusal("schema", "-qx", "f")?.message == "unknown option -x in -qx")
  }

  @Test("missing and surplus words name the usage")
  func wordCount() {
    let missing = refusal("query", "f")
    #expect(missing?.message == "query – CLASS is missing")
    #expect(missing?.hint == "usage: realm-cli query [OPTIONS] FILE CLASS [PREDICATE]")
    #expect(refusal("query", "f", "Dog", "age > 3", "more")?.message == "unexpected argument 'more'")
    #expect(refusal(fallback: nil)?.message == "no command given")
    #expect(refusal("gather", "only")?.message == "gather – DIRECTORY is missing")
  }

  @Test("values are checked: counts, integers, missing and unwanted ones")
  func values() {
    #expect(
      refusal("query", "f", "Dog", "--limit", "many")?.message == "--limit N – 'many' is not a whole number")
    #expect(refusal("query", "f", "Dog", "--limit", "-1")?.message == "--limit N – '-1' is less than 0")
    #expect(refusal("query", "f", "Dog", "--limit")?.message == "--limit needs a value")
    #expect(refusal("f", "--quiet=yes")?.message == "--quiet takes no value, but 'yes' was given")
    #expect(refusal("query", "", "Dog")?.message == "FILE – '' is empty")
    #expect(refusal("query", "f", "Dog", "--limit", "99999999999999999999") == nil)
  }

  @Test("two users of standard input are refused")
  func standardInput() throws {
    #expect(
      refusal("query", "-", "Dog", "--key-file", "-")?.message
        == "FILE and --key-file would both read standard input ('-')")
    #expect(refusal("gather", "-", "-", "d") != nil)
    _ = try Sample.parse("query", "f", "Dog", "--key-file", "-", "-o", "-")
  }
}
