// The commands that verdicts name, for one file. Layer: FirstAid.

import ByteText
import RealmEngine

/// What to type next.
struct NextCommands {
  private let facts: FileFacts
  private var path: FilePath { facts.path }

  init(_ facts: FileFacts) { self.facts = facts }

  private func words(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }

  // MARK: Realms

  private func realm(_ command: String, _ options: String..., output: FilePath? = nil) -> ShellCommand {
    let out = output.map { [$0.word] } ?? []
    return .realm(
      words(command) + options.map { Array($0.utf8) } + [path.word] + out + facts.keyWords)
  }

  /// A name for a new file, beside the realm where that can be.
  private func output(_ label: String) -> FilePath {
    (facts.outputFolder?.child(path.lastComponent) ?? path).freeName(label)
  }

  var info: ShellCommand { .realm(words("info") + [path.word]) }
  var version: ShellCommand { .realm(words("--version")) }
  var recover: ShellCommand { realm("recover", output: output("recovered")) }
  var recoverUnverified: ShellCommand {
    realm("recover", "--unverified", "--mark", output: output("recovered"))
  }
  var upgrade: ShellCommand {
    facts.isWritable && facts.isFolderWritable ? realm("upgrade", "--yes") : copy
  }
  var upgradeWords: String {
    facts.isWritable && facts.isFolderWritable
      ? "Upgrade it to the current format; the old file is kept as a backup."
      : "You may not change it here: make a copy, and upgrade the copy."
  }
  var finishUpgradeWords: String {
    facts.isWritable && facts.isFolderWritable
      ? "Finish the upgrade; the old file is kept as a backup." : upgradeWords
  }
  var compact: ShellCommand { realm("compact") }
  var copyLocally: ShellCommand { realm("copy", "--local", output: output("local")) }

  var withKey: ShellCommand {
    .realm(words("doctor") + [path.word] + words("--key-file", "KEY_FILE"))
  }

  /// The realm that a lock file is named after.
  var realmOfLockFile: ShellCommand {
    let suffix = Array(".lock".utf8)
    guard path.bytes.suffix(suffix.count) == suffix[...] else { return lookAround }
    return .realm(words("doctor") + [FilePath(path.bytes.dropLast(suffix.count)).word])
  }

  // MARK: Where the file is of no use

  /// The newest backup that opens, or else the folder.
  var lookAround: ShellCommand {
    if let sibling = facts.neighbours.siblings.first(where: { $0.objectCount != nil }) {
      return .realm(words("info") + [sibling.path.word] + facts.keyWords)
    }
    return .realm(words("doctor", "--recursive") + [path.directory.word])
  }

  var lookAroundWords: String {
    facts.neighbours.siblings.contains { $0.objectCount != nil }
      ? "A backup is beside it; see what that contains." : "Look for other copies near it."
  }

  // MARK: Other programs

  /// A copy that can be written; the program gives a copy the rights of the original.
  private var copy: ShellCommand {
    let output = output("copy")
    let copying = realm("copy", output: output)
    guard !facts.isWritable else { return copying }
    return ShellCommand(
      text: "\(copying.text) && \(ShellCommand(words("chmod", "u+w") + [output.word]).text)")
  }

  private func change(_ rights: String, _ path: FilePath) -> ShellCommand {
    ShellCommand(words("chmod", rights) + [path.word])
  }

  var allowReading: ShellCommand {
    guard let barrier = facts.barrier, barrier.mayAllow else {
      return ShellCommand(words("ls", "-ld") + [(facts.barrier?.path ?? path).word])
    }
    return change(barrier.isFolder ? "u+rx" : "u+r", barrier.path)
  }
  var allowReadingWords: String {
    facts.barrier?.mayAllow ?? false
      ? "It belongs to you, so you can allow yourself to read it."
      : "Ask its owner, whom the command shows, or run this program as that user."
  }
  var showText: ShellCommand { ShellCommand(words("head", "-c", "400") + [path.word]) }
  var allowWriting: ShellCommand { facts.mayAllowWriting ? change("u+w", path) : copy }
  var allowWritingFolder: ShellCommand {
    facts.mayAllowFolderWriting ? change("u+w", path.directory) : copy
  }
  func allowWords(_ mayAllow: Bool) -> String {
    mayAllow
      ? "Allow yourself to change it, or work on a copy." : "You may not change that, so work on a copy."
  }
  var showSpace: ShellCommand { ShellCommand(words("df", "-h") + [path.directory.word]) }

  var pullLFS: ShellCommand {
    ShellCommand(
      words("git", "-C") + [path.directory.word] + words("lfs", "pull", "--include") + [path.lastComponent])
  }

  var unpack: ShellCommand {
    let programs = [
      ("gzip", "gzip -dc"), ("bzip2", "bzip2 -dc"), ("xz", "xz -dc"), ("zstd", "zstd -dc"),
    ]
    guard let program = programs.first(where: { facts.otherName.hasPrefix($0.0) }) else {
      let list = facts.otherName.hasPrefix("a tar") ? words("tar", "-tf") : words("unzip", "-l")
      return ShellCommand(list + [path.word])
    }
    return ShellCommand(
      text:
        "\(program.1) < \(shellWord(path.bytes)) > \(shellWord(output("unpacked").bytes))"
    )
  }

  private var isSQLite: Bool { facts.otherName.hasPrefix("an SQLite") }

  var otherDatabase: ShellCommand {
    isSQLite ? ShellCommand(words("sqlite3", "-readonly") + [path.word] + words(".tables")) : lookAround
  }

  var otherDatabaseWords: String {
    isSQLite ? "Read it with sqlite3, or import a table with 'realm-cli import'." : lookAroundWords
  }
}

extension FilePath {
  /// A free name beside the file: `app.recovered.realm`.
  fileprivate func freeName(_ label: String) -> FilePath {
    for number in 1..<1000 {
      let suffix = number == 1 ? ".\(label).realm" : ".\(label)-\(number).realm"
      let path = sibling(stem + Array(suffix.utf8))
      if ((try? path.statusOfLink) ?? nil) == nil { return path }
    }
    return sibling(stem + Array(".\(label).realm".utf8))
  }
}
