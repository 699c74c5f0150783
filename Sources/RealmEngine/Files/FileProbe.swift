// What can be told about a file from outside, whether or not it can be opened. Layer: Files.

/// The facts that the first bytes and the size of a file give away.
package struct FileProbe: Sendable {
  /// Bytes on disk.
  package let fileSize: Int
  /// Nil where the magic is missing.
  package let header: FileHeader?
  /// Whether it looks like an encrypted realm.
  package let looksEncrypted: Bool

  /// Whether it is a plain realm, or may be an encrypted one.
  var isRealm: Bool { header != nil || looksEncrypted }

  /// Cost: one or two pages. Throws where there is no file to look at.
  package init(_ path: FilePath) throws(EngineError) {
    try self.init(try FileHandle.openRealm(path))
  }

  /// Probes a file that is open.
  init(_ handle: FileHandle) throws(EngineError) {
    let (path, status) = (handle.path, try handle.status())
    guard status.isRegular else { throw path.notAFile(status) }
    fileSize = status.size
    guard let content = MemoryImage.mapping(descriptor: handle.descriptor, size: status.size) else {
      throw FileHandle.failure("cannot map", path)
    }
    let image = FileImage(plain: content)
    let head = try image.bytes(0, min(status.size, FileHeader.size))
    header = FileHeader(head)
    looksEncrypted = header == nil && FileSignature(head).looksEncrypted(image)
  }
}
