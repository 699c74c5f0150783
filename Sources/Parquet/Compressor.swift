// The bridge to libzstd. Layer: Parquet. Invariant: nothing unsafe leaves this file.

import ByteText
import CLibZstd
import Synchronization

/// How pages are stored; the raw value is the number in the file.
package enum ParquetCompression: Int, Sendable {
  case none = 0
  case zstd = 6
}

/// What compresses pages, for one thread at a time.
@safe final class Compressor: @unchecked Sendable {
  private let context: OpaquePointer

  /// Those that no thread has at the moment: each takes about a megabyte.
  private static let idle = Mutex<[Compressor]>([])

  /// 1 takes half as much again for columns of doubles, and 3 twice the time for a few percent.
  private static let level: Int32 = 2

  private init() {
    guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure("no memory to compress with") }
    unsafe self.context = context
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// Appends what becomes of `bytes`.
  static func compress(_ bytes: borrowing ByteBuffer, to target: inout ByteBuffer) {
    let compressor = idle.withLock { $0.popLast() } ?? Compressor()
    compressor.compress(bytes, to: &target)
    idle.withLock { $0.append(compressor) }
  }

  private func compress(_ bytes: borrowing ByteBuffer, to target: inout ByteBuffer) {
    let start = target.count
    var size = 0
    var room = target.extend(by: ZSTD_compressBound(bytes.count))
    unsafe room.withUnsafeMutableBytes { room in
      size = unsafe bytes.withUnsafeBytes { source in
        unsafe ZSTD_compressCCtx(
          context, room.baseAddress, room.count, source.baseAddress, source.count, Self.level)
      }
    }
    // With room for the worst case it does not fail.
    precondition(ZSTD_isError(size) == 0, "libzstd cannot compress a page")
    target.truncate(to: start + size)
  }
}
