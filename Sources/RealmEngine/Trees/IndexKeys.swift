// The object keys of an index that is being built, in as little memory as they allow: there may be millions. Layer: Trees.

/// Keys in the order of their items.
package struct IndexKeys {
  private var first: Int64 = 0
  /// How many keys follow the first one without a gap, itself among them, where all do.
  private var consecutiveCount = 0
  /// What each is more than the first one, where that is little.
  private var distances: [UInt32] = []
  /// All, where it is not.
  private var farKeys: [Int64] = []

  package var count: Int { consecutiveCount + distances.count + farKeys.count }

  package subscript(index: Int) -> Int64 {
    if index < consecutiveCount { return first &+ Int64(index) }
    return farKeys.isEmpty ? first &+ Int64(distances[index]) : farKeys[index]
  }

  package init() {}

  package mutating func append(_ key: Int64) {
    if count == 0 { first = key }
    if consecutiveCount == count, key == first &+ Int64(count) {
      consecutiveCount += 1
      return
    }
    if consecutiveCount > 0 { leaveConsecutive() }
    if farKeys.isEmpty, let distance = UInt32(exactly: key &- first) { return distances.append(distance) }
    if farKeys.isEmpty {
      farKeys = distances.map { first &+ Int64($0) }
      distances = []
    }
    farKeys.append(key)
  }

  private mutating func leaveConsecutive() {
    if let end = UInt32(exactly: consecutiveCount) {
      distances = Array(0..<end)
    } else {
      farKeys = (0..<consecutiveCount).map { first &+ Int64($0) }
    }
    consecutiveCount = 0
  }
}
