// Text and binary values as they stand in the file: bytes, compared as bytes, without a copy.
// Layer: Bytes. A value read from a file borrows the snapshot's memory; a value made elsewhere brings its owner.

/// Bytes that a value is made of: borrowed from a snapshot, or owned.
package struct ByteString: Sendable {
  package let bytes: RawBytes
  /// Keeps the bytes alive when they are not a snapshot's.
  private let owner: OwnedBytes?

  /// Borrows: valid while the owner of `bytes` lives.
  package init(borrowing bytes: RawBytes) {
    self.bytes = bytes
    owner = nil
  }

  /// Owns a copy.
  package init(copying source: some Collection<UInt8>) {
    let owner = OwnedBytes(source)
    bytes = owner.bytes
    self.owner = owner
  }

  /// Owns a copy.
  package init(copying source: Span<UInt8>) {
    self.init(copying: unsafe source.withUnsafeBufferPointer { unsafe Array($0) })
  }

  package init(_ text: String) { self.init(copying: text.utf8) }

  /// Owns `count` bytes, all of which `fill` writes.
  package init(count: Int, filledBy fill: (MutableRawBytes) -> Void) {
    let owner = OwnedBytes(count: count, filledBy: fill)
    bytes = owner.bytes
    self.owner = owner
  }

  package var count: Int { bytes.count }

  /// Whether the bytes live as long as the snapshot does.
  package var isBorrowed: Bool { owner == nil }

  /// The text, with U+FFFD where the bytes are not UTF-8.
  package var text: String { unsafe bytes.withBuffer { unsafe String(decoding: $0, as: UTF8.self) } }

  /// The same bytes without the last `length`, which must be there.
  package func dropLast(_ length: Int) -> ByteString {
    ByteString(bytes: bytes.slice(0, bytes.count - length), owner: owner)
  }

  /// A part of the same bytes, which must be inside.
  package func slice(_ offset: Int, _ length: Int) -> ByteString {
    ByteString(bytes: bytes.slice(offset, length), owner: owner)
  }

  private init(bytes: RawBytes, owner: OwnedBytes?) {
    self.bytes = bytes
    self.owner = owner
  }

  /// A copy that outlives the snapshot.
  package func owned() -> ByteString {
    owner == nil ? ByteString(count: count) { $0.copy(bytes, at: 0) } : self
  }
}

extension ByteString: Hashable, Comparable {
  package static func == (left: ByteString, right: ByteString) -> Bool { left.bytes.equals(right.bytes) }
  package static func < (left: ByteString, right: ByteString) -> Bool {
    left.bytes.compare(right.bytes) < 0
  }
  package func hash(into hasher: inout Hasher) {
    unsafe bytes.withBuffer { unsafe hasher.combine(bytes: $0) }
  }
}

/// Heap memory for bytes that come from no file.
@safe package final class OwnedBytes: @unchecked Sendable {
  private let memory: UnsafeMutableRawPointer
  private let count: Int

  package init(_ source: some Collection<UInt8>) {
    count = source.count
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, source.count), alignment: 16)
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: source.count)
    unsafe buffer.copyBytes(from: source)
  }

  init(count: Int, filledBy fill: (MutableRawBytes) -> Void) {
    self.count = count
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, count), alignment: 16)
    unsafe fill(MutableRawBytes(start: memory, count: count))
  }

  deinit { unsafe memory.deallocate() }

  /// Valid while this owner lives: keep it, or use `withRawBytes` of the source instead.
  package var bytes: RawBytes { unsafe RawBytes(start: memory, count: count) }
}

extension Collection<UInt8> {
  /// Lends the bytes, copied to a place of their own, for the time of a call.
  package func withRawBytes<R, E: Error>(_ body: (RawBytes) throws(E) -> R) throws(E) -> R {
    let owner = OwnedBytes(self)
    defer { withExtendedLifetime(owner) {} }
    return try body(owner.bytes)
  }
}
