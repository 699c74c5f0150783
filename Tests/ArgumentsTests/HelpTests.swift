// Help and the man page say what the table says.

import Arguments
import Testing

@Suite("Help and man page")
struct HelpTests {
  private let program = Sample.program(fallback: Sample.shell)

  @Test("help begins with what the program is and is not, and lists the commands that exist")
  func programHelp() {
    let lines = program.helpText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(2) == ["realm-cli – looks into files", "Not another program."])
    #expect(lines.contains("Usage: realm-cli [OPTIONS] FILE [STATEMENT…]"))
    #expect(program.helpText.contains("  query      objects that match a "))
    #expect(program.optionsText.contains("  -json, --json, -csv, --csv  shorthand for --mode WORD\n"))
    #expect(!program.helpText.contains("__names"))
  }

  @Test("a command's help is complete")
  func commandHelp() {
    #expect(
      program.helpText([Sample.query]) == """
        realm-cli query – objects that match a predicate

        Usage: realm-cli query [OPTIONS] FILE CLASS [PREDICATE]

        Examples:
          realm-cli query zoo.realm Dog 'age > 3'
              dogs older than three years

        In ascending object key.

        Options:
          --limit N          at most N objects
          --arg VALUE        the value of $0, $1 and so on
          --arg-text TEXT    the same, always a string
          -o, --output FILE  write to FILE
          --count            print how many

        'realm-cli help options' lists the options of every command.

        """)
  }

  @Test("no line of help is wider than a terminal")
  func width() {
    let paths = [[], [Sample.query], [Sample.migrate], [Sample.migrate, Sample.migrate.subcommands[0]]]
    for path in paths {
      for line in program.helpText(path).split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test("the man pages hold every command and option, and hyphens can be copied")
  func manPage() {
    let page = program.manPage
    for expected in [
      ".TH REALM-CLI 1 \"2", "\"realm-cli 1.2.3\"", ".IP \"\\fBmigrate\\fR\" ",
      "\\fB\\-json, \\-\\-json, \\-csv, \\-\\-csv\\fR", ".SH EXIT STATUS",
    ] {
      #expect(page.contains(expected), "\(expected)")
    }
    #expect(!page.contains("__names"))
    let prompt = program.manPage(of: Sample.shell)
    #expect(prompt.contains(".TH REALM-CLI-PROMPT 1") && page.contains("realm\\-cli\\-prompt(1)"))
    let query = program.manPage(of: Sample.query)
    for expected in [
      ".TH REALM-CLI-QUERY 1", "\\fB\\-\\-arg\\-text TEXT\\fR",
      "realm\\-cli query zoo.realm Dog \\(aqage > 3\\(aq", "realm\\-cli(1)",
    ] {
      #expect(query.contains(expected), "\(expected)")
    }
    #expect(program.manPage(of: Sample.migrate).contains(".SS migrate apply"))
    #expect((page + query).unicodeScalars.allSatisfy { $0.isASCII })
  }

  @Test("the chapters of a manual are made when somebody reads them, not at every start")
  func chapters() {
    @Sendable func tooEarly() -> [ManualChapter] {
      Issue.record("nobody has asked for the chapters")
      return []
    }
    let unread = ManualPage("unread", section: 7, summary: "nothing", chapters: tooEarly())
    #expect(unread.name == "unread")
    let read = ManualPage(
      "read", section: 7, summary: "all", chapters: [ManualChapter("WORDS", ["One word."])])
    #expect(read.source(origin: "here").contains("One word."))
  }

  @Test("a sign that roff takes is escaped, whatever is joined to it")
  func roffSigns() {
    #expect(ManSource.escaped("'\u{1F3FD} -\u{301}") == "\\(aq\u{1F3FD} \\-\u{301}")
    #expect(ManSource.escaped(".TH") == "\\&.TH")
  }
}
