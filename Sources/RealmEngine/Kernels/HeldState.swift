// State of a class behind a constant pointer. Layer: Kernels.
// The run-time checks of exclusive access to a class's variables cost more than the kernels that read them, so classes which are
// asked for every row keep theirs in raw memory. Invariant of each: one thread at a time uses an instance, and no method hands
// out a reference into its state.

extension UnsafeMutablePointer {
  /// Memory of its own that holds `state`, until it is released.
  @inline(__always)
  static func holding(_ state: consuming Pointee) -> Self {
    let pointer = Self.allocate(capacity: 1)
    unsafe pointer.initialize(to: state)
    return unsafe pointer
  }

  @inline(__always)
  func release() {
    unsafe deinitialize(count: 1)
    unsafe deallocate()
  }
}
