// What tables of groups hand on: records one behind the other, and the texts that they lead to. Layer: Kernels.
// Safe: words are counted before they are read or written.

/// Records one behind the other.
@safe package final class RecordBuffer: @unchecked Sendable {
  @unsafe private struct State {
    var words: UnsafeMutablePointer<UInt64>
    var capacity: Int
    var count: Int
  }

  private let state: UnsafeMutablePointer<State>

  package init() {
    unsafe state = .holding(State(words: .allocate(capacity: 0), capacity: 0, count: 0))
  }

  deinit {
    unsafe state.pointee.words.deallocate()
    unsafe state.release()
  }

  /// Words that are there.
  package var count: Int { unsafe state.pointee.count }

  @inline(__always)
  func append(_ words: UnsafePointer<UInt64>, count: Int) {
    let before = unsafe state.pointee.count
    if unsafe before + count > state.pointee.capacity { grow(before + count) }
    unsafe (state.pointee.words + before).update(from: words, count: count)
    unsafe state.pointee.count = before + count
  }

  /// Makes room for exactly so many words, if there are none yet.
  package func reserve(_ wanted: Int) { if count == 0, wanted > 0 { resize(wanted) } }

  private func grow(_ wanted: Int) { unsafe resize(max(wanted, 2 * state.pointee.capacity, 64)) }

  /// Hands records of `width` words out: each to the run whose number is `number` of its first word.
  @unsafe static func deal(
    _ records: UnsafePointer<UInt64>, count: Int, width: Int, to runs: [RecordBuffer],
    by number: (UInt64) -> Int
  ) {
    // A reference to a run would be counted for each record.
    let states = unsafe runs.map { unsafe $0.state }
    unsafe states.withUnsafeBufferPointer { states in
      for index in 0..<count {
        let record = unsafe records + index &* width
        let run = unsafe number(record[0])
        precondition(run >= 0 && run < states.count)
        let state = unsafe states[run]
        let before = unsafe state.pointee.count
        if unsafe before &+ width > state.pointee.capacity { runs[run].grow(before + width) }
        let target = unsafe state.pointee.words + before
        for place in 0..<width { unsafe target[place] = record[place] }
        unsafe state.pointee.count = before &+ width
      }
    }
    withExtendedLifetime(runs) {}
  }

  private func resize(_ capacity: Int) {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
    unsafe words.update(from: state.pointee.words, count: count)
    unsafe state.pointee.words.deallocate()
    unsafe state.pointee.words = words
    unsafe state.pointee.capacity = capacity
  }

  func withWords(_ body: (UnsafePointer<UInt64>) -> Void) { unsafe body(UnsafePointer(state.pointee.words)) }

  package func word(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index < count)
    return unsafe state.pointee.words[index]
  }

  /// The words as bytes, until the next change.
  package var bytes: RawBytes { unsafe RawBytes(start: state.pointee.words, count: 8 * count) }

  /// Adds so many words to be filled at once.
  package func extend(by added: Int) -> MutableRawBytes {
    let before = count
    if unsafe before + added > state.pointee.capacity { grow(before + added) }
    unsafe (state.pointee.words + before).initialize(repeating: 0, count: added)
    unsafe state.pointee.count = before + added
    return unsafe MutableRawBytes(
      start: UnsafeMutableRawPointer(state.pointee.words + before), count: 8 * added)
  }

  /// Forgets all words and gives their memory back.
  package func clear() {
    unsafe state.pointee.words.deallocate()
    unsafe state.pointee = State(words: .allocate(capacity: 0), capacity: 0, count: 0)
  }
}

/// Copies of texts that live until all of them are given up. Belongs to one thread.
@safe package final class KeptTexts: @unchecked Sendable {
  private let run: UnsafeMutablePointer<(chunks: [UnsafeMutableRawPointer], used: Int, size: Int)>

  private static let chunkSize = 1 << 16

  package init() {
    unsafe run = .holding(([], 0, 0))
  }

  deinit {
    while let chunk = unsafe run.pointee.chunks.popLast() { unsafe chunk.deallocate() }
    unsafe run.release()
  }

  /// Where the copy stands.
  func keep(_ text: RawBytes) -> UInt64 {
    if unsafe run.pointee.used + text.count > run.pointee.size {
      let size = max(Self.chunkSize, text.count)
      unsafe run.pointee.chunks.append(.allocate(byteCount: size, alignment: 8))
      unsafe (run.pointee.used, run.pointee.size) = (0, size)
    }
    let count = unsafe run.pointee.chunks.count
    let target = unsafe run.pointee.chunks[count - 1] + run.pointee.used
    unsafe target.copyMemory(from: text.start, byteCount: text.count)
    unsafe run.pointee.used += text.count
    return UInt64(UInt(bitPattern: target))
  }
}
