// The bytes of a file of which nothing is believed yet: no header, no key check, no size. Layer: RealmRecovery, Salvage.
// Invariant: what cannot be had (behind the end, a page whose check fails) throws where it is asked for, and only there.

package import RealmEngine

/// A damaged realm, open for reading.
package final class SalvageFile: Sendable {
  package let path: FilePath
  package let image: FileImage
  /// Bytes on disk.
  package let fileSize: Int
  /// Nil where the first bytes are those of no realm.
  package let header: FileHeader?
  /// Encrypted pages that were written and fail their check.
  package let lostPages: [Int]
  /// Encrypted pages that fail their check and are read all the same.
  package var unverifiedPages: [Int] { image.unverifiedPages }

  private let handle: FileHandle?
  private let stamp: ChangeStamp?

  private init(
    _ path: FilePath, _ image: FileImage, fileSize: Int, handle: FileHandle?, stamp: ChangeStamp?
  ) throws(EngineError) {
    self.path = path
    self.image = image
    self.fileSize = fileSize
    self.handle = handle
    self.stamp = stamp
    try image.requireKey()
    lostPages = try image.lostPages()
    let head = try? image.bytes(0, min(image.size, FileSignature.size))
    header = head.flatMap { FileHeader($0) }
  }

  /// Opens a file, or bytes that came as a stream. Throws `.keyWrong` where an encrypted file has another key.
  /// `acceptingUnverified`: also takes encrypted pages that fail their checks.
  package static func open(
    _ path: FilePath, content: MemoryImage?, key: EncryptionKey?, acceptingUnverified: Bool = false
  ) throws(EngineError) -> SalvageFile {
    if let content { return try open(path, inMemory: content, key, acceptingUnverified) }
    let handle = try FileHandle.openRealm(path)
    guard try handle.status().isRegular else {
      return try open(
        path, inMemory: try handle.readStream(mustBeRealm: false), key, acceptingUnverified)
    }
    let stamp = try ChangeStamp(handle)
    try RealmFile.refuseEmpty(stamp.size, path, nothing)
    var image: FileImage
    if let key {
      try handle.head(FileHeader.size).withRawBytes { head throws(EngineError) in
        try RealmFile.refuseUnencrypted(head, hint: withoutKey)
      }
      image = try FileImage(encrypted: EncryptedContent(handle, size: stamp.size), key: key).decrypted(
        acceptingUnverified: acceptingUnverified)
    } else {
      guard let content = MemoryImage.changeable(descriptor: handle.descriptor, size: stamp.size) else {
        throw FileHandle.failure("cannot map", path)
      }
      image = FileImage(plain: content)
    }
    return try SalvageFile(path, image, fileSize: stamp.size, handle: handle, stamp: stamp)
  }

  private static func open(
    _ path: FilePath, inMemory content: MemoryImage, _ key: EncryptionKey?, _ acceptingUnverified: Bool
  ) throws(EngineError) -> SalvageFile {
    try RealmFile.refuseEmpty(content.size, path, nothing)
    guard let key else {
      return try SalvageFile(
        path, FileImage(plain: content), fileSize: content.size, handle: nil, stamp: nil)
    }
    let head = content.bytes.slice(0, min(content.size, FileHeader.size))
    try RealmFile.refuseUnencrypted(head, hint: withoutKey)
    let image = try FileImage(encrypted: EncryptedContent(content), key: key).decrypted(
      acceptingUnverified: acceptingUnverified)
    return try SalvageFile(path, image, fileSize: content.size, handle: nil, stamp: nil)
  }

  private static let nothing = "there is nothing to recover"
  private static let withoutKey = "recover it without the key"

  /// Whether the file ends before the data does that its header and top array speak of.
  package var isCutOff: Bool {
    guard let header else { return false }
    switch header.form {
    case .empty: return false
    case .streaming: return ((try? image.footerRef) ?? nil) == nil
    case .slots:
      let ref = header.topRef(slot: header.selectedSlot)
      guard ref % 8 == 0, let top = Ref(Int64(clamping: ref)) else { return false }
      guard ref <= UInt64(max(0, image.size - NodeHeader.size)) else { return true }
      let snapshot = Snapshot(image: image, fileLimit: image.size, format: FileFormat.newest)
      let stated = (try? snapshot.refsNode(top)).flatMap { try? $0.tagged(GroupSlot.logicalSize) }
      return stated.map { $0 > Int64(image.size) } ?? false
    }
  }

  /// Why a file in which nothing was found may be none.
  package func strangerError() -> EngineError {
    guard header == nil, !image.isEncrypted,
      let head = try? image.bytes(0, min(image.size, FileSignature.size))
    else {
      return EngineError(
        .damaged, "nothing that can be read is left of \(path.displayName)", naming: path.displayName)
    }
    let signature = FileSignature(head)
    return EngineError(
      signature.looksEncrypted(image) ? .keyMissing : .notARealm, of: path, signature.explanation(image))
  }

  /// Throws where somebody wrote to the file while it was read.
  package func checkUnchanged() throws(EngineError) {
    guard let handle, let stamp, try ChangeStamp(handle) != stamp else { return }
    throw EngineError(
      .changedWhileRead, of: path, "changed while it was read",
      hint: "close the app that uses it, or recover a copy")
  }
}

extension EngineError {
  /// Whether the error means that bytes cannot be had or are no realm's, rather than that the work has to end.
  var isLoss: Bool {
    switch kind {
    // `changedWhileRead` where a page of a decrypted file is absent, `upgradeNeeded` where an upgrade broke off half way.
    case .damaged, .changedWhileRead, .constraint, .formatTooNew, .upgradeNeeded: true
    default: false
    }
  }
}
