// Bytes that must not outlive their use: keys. Layer: Bytes.
// Invariants: they stand in memory that is locked where the system allows it and that no core file shows; they are
// overwritten before it is given back. While any are held the process leaves no core file.

import CPlatform

/// Owns a copy of some bytes.
@safe package final class SecretBytes: @unchecked Sendable {
  private let start: UnsafeMutableRawPointer
  private let size: Int

  /// Nil: the system has no memory left.
  package init?(copying source: borrowing [UInt8]) {
    size = source.count
    guard let start = unsafe platform_take_secret_memory(max(1, size)) else { return nil }
    unsafe self.start = start
    unsafe source.withUnsafeBytes { buffer in
      guard let first = buffer.baseAddress else { return }
      unsafe start.copyMemory(from: first, byteCount: buffer.count)
    }
  }

  deinit { unsafe platform_give_secret_memory_back(start, max(1, size)) }

  /// Valid while this owner lives.
  package var bytes: RawBytes { unsafe RawBytes(start: start, count: size) }
}

extension [UInt8] {
  /// Overwrites the bytes, which nobody needs any more, and forgets them.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { unsafe platform_wipe(start, buffer.count) }
    }
    self = []
  }
}
