// Where a key comes from: an option, the environment, or the user. Layer: RealmCommands, Keys.
// A key never stands on the command line itself, where every user of the machine could see it.

import Arguments
import ByteText
import RealmEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The three options that name a key: of the file as it is, or of the one to be written.
struct KeyOptions {
  let file: Option
  let environment: Option
  let command: Option

  /// The key of the file that is opened.
  static let current = KeyOptions(file: .keyFile, environment: .keyEnvironment, command: .keyCommand)
}

/// Finds keys for one invocation.
struct KeySource {
  let invocation: Invocation

  private static let keyVariable = "REALM_CLI_KEY"
  /// How long another program may take to give a key.
  private static let secondsMax = 10

  /// The key that an option names; nil when none does.
  func namedKey(_ options: KeyOptions = .current) throws -> EncryptionKey? {
    let arguments = invocation.arguments
    let given = [options.file, options.environment, options.command].filter(arguments.has)
    guard given.count <= 1 else {
      throw Diagnostic.usage("--\(given[0].name) and --\(given[1].name) both specify a key")
    }
    if let word = arguments.word(options.file) { return try key(inFile: word) }
    if let name = arguments.text(options.environment) { return try key(inVariable: name) }
    if let word = arguments.word(options.command) { return try key(printedBy: word) }
    return nil
  }

  /// The key that the environment names, for files that turn out to be encrypted; nil when it names none.
  func environmentKey() throws -> EncryptionKey? {
    if let path = invocation.environment(Invocation.keyFileVariable), !path.isEmpty {
      return try key(inFile: Word(path))
    }
    guard var content = invocation.environment(Self.keyVariable), !content.isEmpty else { return nil }
    return try parse(&content, "in \(Self.keyVariable)")
  }

  /// Asks the user; nil where nobody is there to be asked, or where the answer is nothing.
  func askedKey(for file: FilePath) throws -> EncryptionKey? {
    guard invocation.isInteractive else { return nil }
    let question = "key of \(file.displayName) (not shown): "
    guard var answer = try invocation.terminal.ask(question, isSecret: true), !answer.isEmpty else {
      return nil
    }
    return try parse(&answer, "that was typed")
  }

  // MARK: Reading

  private func key(inFile word: Word) throws -> EncryptionKey {
    if word.isDash {
      var content: [UInt8]
      do throws(SystemCallError) {
        content = try [UInt8].content(of: StandardStreams.input, sizeMax: KeyText.sizeMax)
      } catch {
        throw Diagnostic(
          .key, code: "key-missing", "cannot read the key from standard input – \(error.message)")
      }
      return try parse(&content, "on standard input")
    }
    let path = FilePath(word.bytes)
    var content = try content(of: path)
    return try parse(&content, "in \(path.displayName)")
  }

  /// Who gives the key in the place of its name has it in the history of his shell, but not in a message too.
  private static func refuseKey(_ word: [UInt8], insteadOf wanted: String) throws(Diagnostic) {
    guard (try? KeyText.parse(word)) != nil else { return }
    throw Diagnostic.usage("this is the key itself; \(wanted) is needed")
  }

  private func content(of path: FilePath) throws(Diagnostic) -> [UInt8] {
    let found: (content: [UInt8], isExposed: Bool)?
    do throws(EngineError) {
      found = try read(path)
    } catch {
      try Self.refuseKey(path.bytes, insteadOf: "the name of its file")
      throw Diagnostic(error, file: path)
    }
    guard let found else { throw Self.late("nobody wrote a key to the pipe \(path.displayName)") }
    if found.isExposed {
      invocation.warn("the key file \(path.displayName) is readable by others; 'chmod 600' makes it private")
    }
    return found.content
  }

  private static let refusal = "cannot read the key file"

  private static var deadline: Int { SystemClock.milliseconds + secondsMax * 1000 }

  private static func late(_ what: String) -> Diagnostic {
    Diagnostic(.key, code: "key-missing", "\(what) within \(secondsMax) seconds")
  }

  /// Nil: a pipe to which nobody wrote in time.
  private func read(_ path: FilePath) throws(EngineError) -> (content: [UInt8], isExposed: Bool)? {
    // To open a pipe does not wait for its writer then.
    let handle = try FileHandle.openForReading(path, O_NONBLOCK, orSay: Self.refusal)
    let status = try handle.status()
    do throws(SystemCallError) {
      let content = try [UInt8].content(
        of: handle.descriptor, sizeMax: KeyText.sizeMax, until: status.isPipe ? Self.deadline : nil)
      return (content, status.isRegular && status.mode & 0o077 != 0)
    } catch {
      if error.code == ETIMEDOUT { return nil }
      throw FileHandle.failure(Self.refusal, path, code: error.code)
    }
  }

  private func key(inVariable name: String) throws -> EncryptionKey {
    guard var content = invocation.environment(name) else {
      try Self.refuseKey(Array(name.utf8), insteadOf: "the name of an environment variable")
      throw Diagnostic(.key, code: "key-missing", "the environment variable \(name) is not set")
    }
    return try parse(&content, "in \(name)")
  }

  private func key(printedBy command: Word) throws -> EncryptionKey {
    let started: (output: [UInt8], status: Int32)?
    do throws(SystemCallError) {
      started = try SystemCalls.capture(
        shellCommand: command.bytes, sizeMax: KeyText.sizeMax, until: Self.deadline)
    } catch {
      guard error.code == ETIMEDOUT else {
        throw Diagnostic(.key, code: "key-missing", "cannot read from the key command – \(error.message)")
      }
      throw Self.late("the key command did not end")
    }
    guard var result = started else {
      throw Diagnostic(.key, code: "key-missing", "the key command cannot be started")
    }
    guard result.status == 0 else {
      throw Diagnostic(.key, code: "key-missing", "the key command failed with status \(result.status)")
    }
    return try parse(&result.output, "that the key command printed")
  }

  /// Overwrites `content`: the key is kept nowhere else.
  private func parse(_ content: inout [UInt8], _ place: String) throws -> EncryptionKey {
    defer { content.wipe() }
    do throws(KeyTextError) {
      var (bytes, form) = try KeyText.parse(content)
      defer { bytes.wipe() }
      invocation.detail("the key \(place) was read as \(form.rawValue)")
      if let key = EncryptionKey(bytes) { return key }
      throw KeyTextError(reason: "cannot be kept: there is no memory left")
    } catch {
      throw Diagnostic(.key, code: "key-malformed", "the key \(place) \(error.reason)")
    }
  }
}
