// Folders for files that tests write.

import Foundation

/// A folder that goes away with the last reference to it.
package final class ScratchFolder {
  package let url: URL
  private let isKept: Bool

  /// `inMemory`: where the system has such a place.
  package init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    let root =
      inMemory && FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    url = root.appendingPathComponent("realm-cli-\(UUID().uuidString)")
    isKept = false
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// A folder whose files stay in `REALM_KEEP_FILES` where that is set, so that another engine can open them.
  package init(keepable name: String) throws {
    let kept = ProcessInfo.processInfo.environment["REALM_KEEP_FILES"]
    url =
      kept.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
    isKept = kept != nil
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { if !isKept { try? FileManager.default.removeItem(at: url) } }
}
