// A directory as sources: a file for each class, as `export` writes them. Layer: RealmCommands, Importing.

import ByteText
import RealmEngine
import RealmSession

/// The files of a directory that can be imported.
struct SourceDirectory {
  /// In the byte order of their names, each with the class that it is called after.
  let files: [(path: FilePath, className: String)]

  /// Throws where no file has an ending that is known.
  init(_ path: FilePath) throws(Diagnostic) {
    files = SystemCalls.names(in: path).sorted { $0.lexicographicallyPrecedes($1) }.compactMap { name in
      Self.className(name).map { (path.child(name), $0) }
    }
    guard files.isEmpty else { return }
    throw Diagnostic(
      .refused, code: "bad-row", of: path, "holds nothing to import",
      hint: "files that end in: \(SourceFormat.endings.map { ".\($0)" }.joined(separator: ", "))")
  }

  /// The name of a file without its ending, where that is known; hidden files are none.
  private static func className(_ name: [UInt8]) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name[0] != UInt8(ascii: ".") else {
      return nil
    }
    let ending = String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
    guard SourceFormat.endings.contains(ending) else { return nil }
    return DirectoryOutput.name(ofFile: name[..<dot])
  }
}
