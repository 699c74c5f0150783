// `keygen`: a new key from the system's random source. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine

extension Command {
  private static let file = Arguments.Operand("FILE", .outputFile, .atMostOnce)
  private static let form = Option(
    "format", takes: .oneOf(["hex", "base64", "raw"]), "FORM", "how it is written: hex, base64, raw")

  /// `keygen [FILE]`
  static let keygen = Command(
    .document(modes: []),
    CommandSpec(
      "keygen", group: CommandGroup.files, summary: "generate an encryption key",
      operands: [file], options: [form, .output, .dryRun, .force],
      details: [
        """
        A key is 64 random bytes. It is written to FILE, readable only by you, or to standard output. Keep it safe: \
        an encrypted realm cannot be read without its key.
        """
      ],
      examples: [
        Example("realm-cli keygen key.hex", "128 hexadecimal digits"),
        Example("realm-cli keygen --format=base64", "for an environment variable"),
      ])
  ) { invocation in
    let words = [invocation.arguments.word(file), invocation.arguments.word(.output)].compactMap { $0 }
    guard words.count <= 1 else { throw Diagnostic.usage("FILE and --output both name the key file") }
    let target = words.first.flatMap { $0.isDash ? nil : FilePath($0.bytes) }
    if invocation.isDryRun {
      invocation.note("\(target.map { "\($0.displayName): " } ?? "")would write a key")
      return .success
    }
    let key = try Randomness.bytes(count: EncryptionKey.size)
    var text = ByteBuffer()
    switch invocation.arguments.text(form) {
    case "raw":
      guard target != nil || !invocation.terminal.outputIsTerminal else {
        throw Diagnostic.usage("a raw key cannot be written to a terminal", hint: "name a file for it")
      }
      text.append(key)
    case "base64":
      text.append(base64: key.span)
      text.append(UInt8(ascii: "\n"))
    default:
      for byte in key { text.append(hexadecimal: byte) }
      text.append(UInt8(ascii: "\n"))
    }
    guard let target else {
      try StandardStreams.write(text, to: StandardStreams.output, named: "standard output")
      return .success
    }
    try invocation.keep(text.bytes, in: target)
    invocation.note("\(target.displayName): key written, readable only by you")
    return .success
  }
}

extension Invocation {
  fileprivate func keep(_ content: [UInt8], in target: FilePath) throws {
    do throws(EngineError) {
      if try target.statusOfLink != nil, !mayReplaceOutput {
        throw EngineError(
          .alreadyExists, of: target, "already exists",
          hint: "--force replaces it; files that need the old key can then no longer be opened")
      }
      try target.requireTextTarget()
      let file = try SafeReplacement(target: target, like: nil)
      try content.withRawBytes { bytes throws(EngineError) in try file.handle.write(bytes, at: 0) }
      EndSignals.hold()
      warn(of: try file.commit(replacing: mayReplaceOutput))
    } catch {
      throw Diagnostic(error, file: target)
    }
  }
}
