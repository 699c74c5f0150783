// `hash`: one number for schema and data, however they are stored. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import Rendering
import TextFormats

extension Command {
  /// `hash FILE…`
  static let hash = Command(
    CommandSpec(
      "hash", group: CommandGroup.reading, summary: "print a SHA-256 of schema and data",
      operands: [.realms], options: [.snapshot, .failFast],
      details: [
        """
        Equal for files with the same classes, properties, indexes, schema version, objects and object keys, \
        whatever their layout, encryption and file format: a compacted, an encrypted and an upgraded file have \
        the hash of the original.
        """,
        """
        It is the SHA-256 of what `dump` prints, with these differences: the first line says nothing of the \
        file format; properties stand in the byte order of their names; a primary key never says that it is \
        indexed; the elements of a set stand in the byte order of their texts.
        """,
      ],
      examples: [Example("realm-cli hash app.realm", "64 hexadecimal digits")])
  ) { invocation in
    let isOnly = invocation.arguments.words(.realms).count == 1
    return try invocation.forEachFile(of: .realms) { word in
      var digits = ByteBuffer()
      for byte in try invocation.contentHash(of: word) { digits.append(hexadecimal: byte) }
      // As sha256sum prints it.
      let name = isOnly ? "" : "  " + FilePath(word.bytes).displayName
      return FileResult(
        shown: "\(digits.text)\(name)\n", [DocumentEntry("sha256", .string(digits.text))])
    }
  }
}

extension Invocation {
  fileprivate func contentHash(of word: Word) throws -> [UInt8] {
    let digest = SHA256Digest()
    var text = OutputBuffer { bytes throws(EngineError) in digest.update(bytes) }
    try withSnapshot(of: word, to: &text) { database, text in
      try DumpWriter(database.transaction, allTables: showsAllTables, isCanonical: true).write(to: &text)
    }
    try text.flush()
    return digest.finish()
  }
}
