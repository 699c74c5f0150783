// What the tests of this target share.
import ByteText
import Foundation
import TextFormats

/// A place and a message, as a test compares them.
struct Complaint: Error, Equatable, CustomStringConvertible {
  let line: Int
  let column: Int
  let offset: Int
  let message: String

  init(_ error: TextFormatError) {
    line = error.location.line
    column = error.location.column
    offset = error.location.offset
    message = error.message
  }

  var description: String { "\(line):\(column) (\(offset)) \(message)" }
}

/// Runs `body` with a descriptor from which `bytes` arrive in pieces of `pieceSize`.
func withPipe<Result>(
  _ bytes: [UInt8], pieceSize: Int, _ body: (Int32) throws -> Result
) throws -> Result {
  let pipe = Pipe()
  let writer = pipe.fileHandleForWriting
  // A reader may give up in the middle.
  signal(SIGPIPE, SIG_IGN)
  let thread = Thread {
    for start in stride(from: 0, to: bytes.count, by: pieceSize) {
      let piece = bytes[start..<min(bytes.count, start + pieceSize)]
      guard (try? writer.write(contentsOf: Data(piece))) != nil else { break }
    }
    try? writer.close()
  }
  thread.start()
  defer { try? pipe.fileHandleForReading.close() }
  return try body(pipe.fileHandleForReading.fileDescriptor)
}

/// The text that `write` appends.
func written(_ write: (inout ByteBuffer) -> Void) -> String {
  var buffer = ByteBuffer()
  write(&buffer)
  return buffer.text
}
