// Which of some rows of words have come before, through a hash table. Layer: Kernels.
// Safe: rows are looked up in arrays that are as long as there are rows.

/// The rows whose words no row before them has.
enum RepeatedKeys {
  /// `0 ..< count` but for rows that repeat one before them in all of `columns`, each of which has a word a row. Where the
  /// user wants it to end, not all of them.
  static func firsts(_ count: Int, of columns: [[UInt64]]) -> [Int32] {
    precondition(count <= Int(Int32.max) && columns.allSatisfy { $0.count == count })
    var slotCount = 1024
    // The number of a row and one; 0 for none. Grows with what is found, which is mostly little.
    var slots = [Int32](repeating: 0, count: slotCount)
    let hashes = hashes(count, of: columns)
    var firsts: [Int32] = []
    for row in 0..<count {
      if row & 0xFFFF == 0, Interruption.isPending { break }
      var slot = Int(truncatingIfNeeded: hashes[row]) & (slotCount - 1)
      while slots[slot] != 0 {
        let other = Int(slots[slot]) - 1
        if hashes[other] == hashes[row], columns.allSatisfy({ $0[other] == $0[row] }) { break }
        slot = (slot + 1) & (slotCount - 1)
      }
      guard slots[slot] == 0 else { continue }
      slots[slot] = Int32(row + 1)
      firsts.append(Int32(row))
      if 2 * firsts.count >= slotCount {
        slotCount *= 4
        slots = [Int32](repeating: 0, count: slotCount)
        for first in firsts {
          var slot = Int(truncatingIfNeeded: hashes[Int(first)]) & (slotCount - 1)
          while slots[slot] != 0 { slot = (slot + 1) & (slotCount - 1) }
          slots[slot] = first + 1
        }
      }
    }
    return firsts
  }

  private static func hashes(_ count: Int, of columns: [[UInt64]]) -> [UInt64] {
    let hash = SeededHash()
    var hashes = [UInt64](repeating: hash.start, count: count)
    for column in columns {
      for row in 0..<count { hashes[row] = hash.mix(hashes[row], column[row]) }
    }
    return hashes
  }
}
