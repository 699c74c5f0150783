import ByteText
import Foundation
import Testing

@Test("what goes into a pipe in short writes comes out whole")
func pipeRoundTrip() throws {
  let pipe = Pipe()
  // Larger than a pipe holds, so that writes are short.
  let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  let writer = pipe.fileHandleForWriting.fileDescriptor
  // Non-blocking on purpose: the writer then has to wait for the reader.
  #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
  let thread = Thread {
    var buffer = ByteBuffer()
    buffer.append(bytes)
    do throws(SystemCallError) { try buffer.write(to: writer) } catch { Issue.record("\(error.message)") }
    close(writer)
  }
  thread.start()
  var received: [UInt8] = []
  while try received.append(readingFrom: pipe.fileHandleForReading.fileDescriptor, countMax: 10_000) > 0 {}
  #expect(received == bytes)
}

@Test("a failing call says why and leaves the buffer as it was")
func failingCalls() {
  var kept: [UInt8] = [1, 2]
  let code: Int32?
  do throws(SystemCallError) {
    _ = try kept.append(readingFrom: -1, countMax: 10)
    code = nil
  } catch { code = error.code }
  #expect(code == EBADF)
  #expect(kept == [1, 2])
  #expect(SystemCallError(code: EPIPE).isBrokenPipe)
  #expect(SystemCallError(code: ENOENT).message == "No such file or directory")
}

@Test("a pipe that nobody reads is reported as broken")
func brokenPipe() throws {
  let pipe = Pipe()
  try pipe.fileHandleForReading.close()
  signal(SIGPIPE, SIG_IGN)
  var buffer = ByteBuffer()
  buffer.append(text: "x")
  var isBroken = false
  do throws(SystemCallError) {
    try buffer.write(to: pipe.fileHandleForWriting.fileDescriptor)
  } catch { isBroken = error.isBrokenPipe }
  #expect(isBroken)
}
