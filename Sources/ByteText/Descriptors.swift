// Reading file descriptors into arrays, and writing byte buffers to them.
// Layer: ByteText. Interrupted calls are repeated, short writes continued, and a descriptor that somebody
// made non-blocking is waited for.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A failed system call.
package struct SystemCallError: Error, Sendable, Equatable {
  /// The value of `errno`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// Whether nobody reads the other end any more.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// What the system says about it.
  package var message: String {
    unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}

extension [UInt8] {
  /// Reads once and appends what came; returns the number of bytes, 0 at the end of the input.
  package mutating func append(
    readingFrom descriptor: Int32, countMax: Int
  ) throws(SystemCallError) -> Int {
    let oldCount = count
    try append(addingCapacity: countMax) { (room: inout OutputSpan<UInt8>) throws(SystemCallError) in
      try unsafe room.withUnsafeMutableBufferPointer { bytes, initializedCount throws(SystemCallError) in
        initializedCount = try repeatWhileInterrupted(descriptor, events: POLLIN) {
          unsafe read(descriptor, bytes.baseAddress, countMax)
        }
      }
    }
    return count - oldCount
  }
}

extension ByteBuffer {
  /// Writes all bytes.
  package borrowing func write(to descriptor: Int32) throws(SystemCallError) {
    try unsafe withUnsafeBytes { bytes throws(SystemCallError) in
      var offset = 0
      while offset < bytes.count {
        offset += try repeatWhileInterrupted(descriptor, events: POLLOUT) {
          unsafe systemWrite(descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
        }
      }
    }
  }
}

/// The C function, whose name the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}

/// Makes a call until it succeeds or really fails; `events` is what a non-blocking descriptor is waited for.
private func repeatWhileInterrupted(
  _ descriptor: Int32, events: some BinaryInteger, _ call: () -> Int
) throws(SystemCallError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    switch errno {
    case EINTR: continue
    case EAGAIN: _ = awaits(descriptor, events: events)
    case let code: throw SystemCallError(code: code)
    }
  }
}

/// Waits until a read does not have to. False: a signal came before, or the time is over.
package func awaitInput(_ descriptor: Int32, milliseconds: Int32 = -1) -> Bool {
  awaits(descriptor, events: POLLIN, milliseconds: milliseconds)
}

private func awaits(_ descriptor: Int32, events: some BinaryInteger, milliseconds: Int32 = -1) -> Bool {
  var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  let count = unsafe poll(&request, 1, milliseconds)
  return count > 0 || count < 0 && errno != EINTR
}
