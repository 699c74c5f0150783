// Writing a small text file whole or not at all. Layer: RealmCommands, Migrations.

import RealmEngine

enum NewTextFile {
  /// Writes `bytes` to `path`. Throws `.alreadyExists` where something stands there and may not be replaced. Gives what went
  /// wrong when the file was in its place.
  static func write(_ bytes: [UInt8], to path: FilePath, mayReplace: Bool) throws(EngineError) -> [String] {
    let existing = try path.status
    if existing != nil, !mayReplace {
      throw EngineError(.alreadyExists, of: path, "already exists")
    }
    try path.requireTextTarget()
    // These files go into git and CI: a new one may do what the user's mask leaves.
    let replacement = try SafeReplacement(target: path, like: existing, mode: 0o666)
    try bytes.withRawBytes { bytes throws(EngineError) in try replacement.handle.write(bytes, at: 0) }
    // Who is told nothing of a file must not find it either.
    EndSignals.hold()
    do throws(EngineError) {
      return try replacement.commit(replacing: mayReplace)
    } catch {
      EndSignals.release()
      throw error
    }
  }
}
