// The completion scripts in real shells, with a small table and a stand-in for the program that knows two classes.
// bash is everywhere; fish and zsh are asked where they are installed.

import Arguments
import Foundation
import TestSupport
import Testing

@Suite("Completion in shells")
struct ShellCompletionTests {
  private static let mode = Option(
    "mode", letter: "m", takes: .oneOf(["box", "csv", "json"]), "MODE", "how to print: it's [this] or that")
  private static let program = ProgramSpec(
    name: "realm-cli", version: "1", summary: "summary", introduction: [],
    fallback: CommandSpec(
      "", summary: "statements", operands: [Operand("FILE", .file), Operand("STATEMENT", .text, .any)]),
    commands: [
      CommandSpec(
        "query", group: "Reading", summary: "objects: some [of] them",
        operands: [
          Operand("FILE", .file), Operand("CLASS", .className), Operand("PREDICATE", .text, .atMostOnce),
        ],
        options: [
          Option("limit", takes: .count, "N", "at most N objects"),
          Option("select", takes: .properties, "PROPERTIES", "only these"),
        ]),
      CommandSpec(
        "schema", group: "Reading", summary: "classes",
        operands: [Operand("FILE", .file), Operand("CLASS", .className, .any)]),
      CommandSpec(
        "migrate", group: "Writing", summary: "change the schema",
        subcommands: [
          CommandSpec(
            "apply", summary: "run steps", operands: [Operand("FILE", .file, .atLeastOnce)],
            options: [Option("dir", takes: .directory, "DIR", "where the steps are")]),
          CommandSpec("lint", summary: "read steps"),
        ]),
      CommandSpec(
        "help", group: "Writing", summary: "tell",
        operands: [Operand("COMMAND", .command(topics: { ["safety"] }), .any)]),
    ],
    globalOptions: [
      OptionGroup(
        "Output",
        [
          mode, Option("csv", singleDashWord: true, means: mode, "csv"),
          Option("quiet", letter: "q", "say less"),
          Option("key-file", takes: .file, "FILE", "the key is in FILE"),
        ])
    ],
    acts: { path, option, value in
      !(path == ["schema"] && (option == "quiet" || option == "mode" && value == "csv"))
    }, exitStatuses: [], environment: [])

  /// A line with the cursor at its end, and what must be offered for its last word.
  static let cases: [(line: String, offered: Set<String>)] = [
    ("realm-cli qu", ["query"]),
    ("realm-cli z", ["zoo.realm"]),
    ("realm-cli query z", ["zoo.realm"]),
    ("realm-cli query zoo.realm ", ["Dog", "Person", "Two Words"]),
    ("realm-cli -q query --limit 3 zoo.realm P", ["Person"]),
    ("realm-cli query --key-file k zoo.realm S", ["Secret"]),
    ("realm-cli query zoo.realm Dog --select na", ["name"]),
    ("realm-cli query zoo.realm Dog --select age,na", ["age,name"]),
    ("realm-cli schema zoo.realm Dog P", ["Person"]),
    ("realm-cli query --li", ["--limit"]),
    ("realm-cli schema --li", []),
    ("realm-cli schema --c", []),
    ("realm-cli schema zoo.realm --qu", []),
    ("realm-cli schema zoo.realm --mo", ["--mode"]),
    ("realm-cli query --c", ["--csv"]),
    ("realm-cli migrate lint --qu", ["--quiet"]),
    ("realm-cli --mode c", ["csv"]),
    ("realm-cli query -m j", ["json"]),
    ("realm-cli -cs", ["-csv"]),
    ("realm-cli migrate ", ["apply", "lint"]),
    ("realm-cli migrate apply z", ["zoo.realm"]),
    ("realm-cli help mi", ["migrate"]),
    ("realm-cli help sa", ["safety"]),
    ("realm-cli help migrate ", ["apply", "lint"]),
    ("realm-cli help query ", []),
    ("realm-cli migrate apply --di", ["--dir"]),
    ("realm-cli migrate apply --dir s", ["steps"]),
  ]

  /// A folder with a realm, a directory, and a program that answers the hidden command.
  private func scene() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    try Data().write(to: folder.url.appendingPathComponent("zoo.realm"))
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("steps"), withIntermediateDirectories: false)
    // A shell writes the program: what this process holds open for writing, a child that another test starts at that
    // moment has open too, and such a file cannot be run.
    let answers = """
      #!/bin/sh
      case "$*" in
        '__names -- classes zoo.realm') printf 'Dog\\nPerson\\nTwo Words\\n' ;;
        '__names -- classes quoted.realm') printf 'Two Words\\nCash$\\n' ;;
        '__names --key-file k -- classes zoo.realm') echo Secret ;;
        '__names -- properties zoo.realm Dog') printf 'age\\nname\\n' ;;
      esac
      """
    let written = try RealmProcess.run(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "printf '%s\\n' \"$1\" >realm-cli && chmod +x realm-cli", "sh", answers], in: folder.url)
    try #require(written.status == 0)
    return folder
  }

  private func run(_ shell: String, _ script: String, in folder: ScratchFolder) throws -> Set<String> {
    let result = try RealmProcess.run(
      URL(fileURLWithPath: shell), ["-c", script],
      environment: ["PATH": "\(folder.url.path):/usr/bin:/bin", "HOME": folder.url.path], in: folder.url)
    return Set(result.outputText.split(separator: "\n").map(String.init))
  }

  @Test("bash offers what the table allows at that place", arguments: cases)
  func bash(line: String, offered: Set<String>) throws {
    let folder = try scene()
    let script = """
      \(Self.program.bashCompletion)
      COMP_WORDS=(\(line)\(line.hasSuffix(" ") ? "''" : ""))
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _realm_cli
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let expected = Set(offered.map { $0.replacingOccurrences(of: " ", with: "\\ ") })
    #expect(try run("/bin/bash", script, in: folder) == expected, "\(line)")
  }

  @Test(
    "bash writes a name as it must be behind the quote that is open",
    arguments: [
      ("\\\"Tw", "Two Words"), ("\\'Tw", "Two Words"), ("Tw", "Two\\ Words"), ("\\\"C", "Cash\\$"),
      ("\\'C", "Cash$"),
    ])
  func bashQuotes(typed: String, offered: String) throws {
    let folder = try scene()
    let script = """
      \(Self.program.bashCompletion)
      COMP_WORDS=(realm-cli query quoted.realm \(typed))
      COMP_CWORD=3
      _realm_cli
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try run("/bin/bash", script, in: folder) == [offered], "\(typed)")
  }

  @Test("bash completes behind an equals sign, which it takes for a word of its own")
  func bashEqualsSign() throws {
    let folder = try scene()
    for words in ["realm-cli --mode = c", "realm-cli query zoo.realm Dog --mode = c"] {
      let script = """
        \(Self.program.bashCompletion)
        COMP_WORDS=(\(words))
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _realm_cli
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      #expect(try run("/bin/bash", script, in: folder) == ["csv"], "\(words)")
    }
  }

  private static let fishPath = "/usr/bin/fish"

  @Test(
    "fish offers what the table allows at that place",
    .enabled(if: FileManager.default.isExecutableFile(atPath: fishPath)), arguments: cases)
  func fish(line: String, offered: Set<String>) throws {
    let folder = try scene()
    let script = folder.url.appendingPathComponent("completion.fish")
    try Self.program.fishCompletion.write(to: script, atomically: true, encoding: .utf8)
    let found = try run(Self.fishPath, "source completion.fish; complete -C '\(line)'", in: folder)
    let words = found.map { $0.split(separator: "\t")[0] }.map { $0.hasSuffix("/") ? $0.dropLast() : $0 }
    #expect(Set(words.map(String.init)) == offered, "\(line)")
  }

  private static let zshPath = "/usr/bin/zsh"

  /// Types each line of standard input and the tab key into an interactive zsh, and prints what completion adds.
  private static let zshDialogue = """
    zmodload zsh/zpty
    zpty shell 'zsh -f -i'
    answer() {
      local -i waits
      until [[ -e found && "$(<found)" == *"== $1" ]]; do
        (( waits++ < 12000 )) || exit 1
        zpty -r -t shell >/dev/null
        sleep 0.01
      done
    }
    zpty -w shell 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PROMPT='
    zpty -w shell 'compadd() { local -a added; builtin compadd -O added "$@"; print -rl -- $added >>found; builtin compadd "$@" }'
    zpty -w shell 'integer count; tell() { zle complete-word; zle kill-whole-line; print -r -- "== $((count++))" >>found }'
    zpty -w shell 'zle -N tell; bindkey "^I" tell; print "== ready" >>found'
    answer ready
    number=0
    while IFS= read -r line; do
      zpty -n -w shell "$line"$'\\t'
      answer $((number++))
    done
    zpty -d shell
    cat found
    """

  @Test(
    "zsh offers what the table allows at that place",
    .enabled(if: FileManager.default.isExecutableFile(atPath: zshPath)))
  func zsh() throws {
    let folder = try scene()
    for (name, text) in [("_realm-cli", Self.program.zshCompletion), ("dialogue.zsh", Self.zshDialogue)] {
      try text.write(to: folder.url.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    let result = try RealmProcess.run(
      URL(fileURLWithPath: Self.zshPath), ["-f", "dialogue.zsh"],
      input: Data(Self.cases.map { $0.line + "\n" }.joined().utf8),
      environment: ["PATH": "\(folder.url.path):/usr/bin:/bin", "HOME": folder.url.path], in: folder.url)
    let answers = result.outputText.components(separatedBy: "== ").dropFirst()
      .map { $0.split(separator: "\n").dropFirst().map(String.init) }
    #expect(answers.count == Self.cases.count + 1, "\(result)")
    for (wanted, found) in zip(Self.cases, answers) {
      // It puts the part behind a comma in its place by itself.
      let parts = wanted.offered.map { $0.split(separator: ",").last.map(String.init) ?? "" }
      #expect(Set(found) == Set(parts), "\(wanted.line)")
    }
  }

  @Test(
    "the shells can read the scripts that are checked in",
    arguments: [
      ("/bin/bash", ["-n"], "realm-cli.bash"), ("/usr/bin/zsh", ["-n"], "_realm-cli"),
      ("/usr/bin/fish", ["--no-execute"], "realm-cli.fish"),
    ])
  func scripts(shell: String, options: [String], name: String) throws {
    guard FileManager.default.isExecutableFile(atPath: shell) else { return }
    let folder = RealmProcess.packageRoot.appendingPathComponent("completions")
    let result = try RealmProcess.run(URL(fileURLWithPath: shell), options + [name], in: folder)
    #expect(result.status == 0 && result.errorText.isEmpty, "\(result)")
  }
}
