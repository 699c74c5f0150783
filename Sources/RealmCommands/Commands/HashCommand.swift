// `hash`: one number for schema and data, however they are stored. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import Rendering
import TextFormats

extension Command {
  /// `hash FILE…`
  static let hash = Command(
    .files([.text("sha256")]),
    CommandSpec(
      "hash", group: CommandGroup.reading, summary: "print a SHA-256 of schema and data",
      brief: "SHA-256 of the content",
      operands: [.realms], options: [.allTables, .snapshot, .failFast],
      details: [
        """
        Files with the same classes, properties, indexes, schema version, objects and object keys have equal hashes, \
        whatever their layout, encryption and file format: a compacted, encrypted or upgraded file has the hash of \
        the original.
        """,
        """
        It is the SHA-256 of the output of `dump`, with these differences: the first line omits the file format; \
        properties are in the byte order of their names; a primary key is never marked as indexed; the elements of a \
        set are in the byte order of their texts.
        """,
      ],
      examples: [
        Example("realm-cli hash app.realm", "64 hexadecimal digits"),
        Example("realm-cli hash before.realm after.realm", "compare files: equal content has equal hashes"),
      ])
  ) { invocation in
    let isOnly = invocation.arguments.words(.realms).count == 1
    return try invocation.forEachFile { word in
      var digits = ByteBuffer()
      for byte in try invocation.contentHash(of: word) { digits.append(hexadecimal: byte) }
      // As sha256sum prints it.
      let name = isOnly ? "" : "  " + FilePath(word.bytes).displayName
      return FileResult(
        shown: "\(digits.text)\(name)\n", [.text("sha256", digits.text)])
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
