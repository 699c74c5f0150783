// Calculations over all numbers of a block at once, made to be vectorised. Layer: Kernels.

extension NumberVector {
  /// Adds all numbers that are not null to one group.
  @unsafe func add(_ operation: GroupOperation, to group: GroupState, _ areInts: Bool) {
    switch operation {
    case .count: unsafe group.words[0] &+= UInt64(presentCount)
    case .integerSum: unsafe addIntegers(to: group)
    case .sum where !areInts && !hasNulls: unsafe addDoubles(to: group)
    case .sum: forEachNumber(areInts) { unsafe group.add($0) }
    case .squares: forEachNumber(areInts) { unsafe group.addSquare($0) }
    case .extreme(let isLeast, _):
      if areInts {
        if let extreme = integerExtreme(isLeast) {
          unsafe group.take(UInt64(bitPattern: extreme) ^ (1 << 63), isLeast: isLeast)
        }
      } else if let extreme = doubleExtreme(isLeast) {
        unsafe group.take(OrderedNumber.word(extreme), isLeast: isLeast)
      }
    case .extremeText: preconditionFailure("numbers are no texts")
    }
  }

  private var presentCount: Int { hasNulls ? count - nulls.population : count }

  @inline(__always)
  private func forEachNumber(_ areInts: Bool, _ body: (Double) -> Void) {
    for row in 0..<count where !isNull(row) { body(areInts ? Double(int(row)) : double(row)) }
  }

  private func addIntegers(to group: GroupState) {
    let rows = unsafe ints
    var low: UInt64 = 0
    var high: Int64 = 0
    if hasNulls {
      for row in 0..<count where !nulls[row] {
        unsafe low &+= UInt64(bitPattern: rows[row] & 0xFFFF_FFFF)
        unsafe high &+= rows[row] >> 32
      }
    } else {
      for row in 0..<count {
        unsafe low &+= UInt64(bitPattern: rows[row] & 0xFFFF_FFFF)
        unsafe high &+= rows[row] >> 32
      }
    }
    unsafe group.words[0] &+= UInt64(presentCount)
    unsafe group.words[1] &+= low
    unsafe group.words[2] = UInt64(bitPattern: Int64(bitPattern: group.words[2]) &+ high)
  }

  /// Eight sums side by side, each with what it has lost.
  private func addDoubles(to group: GroupState) {
    let rows = unsafe UnsafeRawPointer(doubles)
    var sums = SIMD8<Double>()
    var lost = SIMD8<Double>()
    var row = 0
    while row &+ 8 <= count {
      let numbers = unsafe rows.loadUnaligned(fromByteOffset: row &* 8, as: SIMD8<Double>.self)
      let total = sums + numbers
      let part = total - sums
      lost += (sums - (total - part)) + (numbers - part)
      sums = total
      row &+= 8
    }
    // What is no number has got into a lane, or infinities have made one of it: all are added one by one.
    if any(sums .!= sums) {
      for row in 0..<count { unsafe group.add(double(row)) }
      return
    }
    for lane in 0..<8 {
      unsafe group.add(sums[lane])
      unsafe group.words[2] = (Double(bitPattern: group.words[2]) + lost[lane]).bitPattern
    }
    while row < count {
      unsafe group.add(double(row))
      row &+= 1
    }
    // Lanes are no numbers.
    unsafe group.words[0] &+= UInt64(count & ~7) &- 8
  }

  private func integerExtreme(_ isLeast: Bool) -> Int64? {
    guard presentCount > 0 else { return nil }
    let rows = unsafe ints
    if hasNulls {
      var best = isLeast ? Int64.max : .min
      for row in 0..<count where !nulls[row] {
        best = unsafe isLeast ? min(best, rows[row]) : max(best, rows[row])
      }
      return best
    }
    var best = unsafe rows[0]
    if isLeast {
      for row in 0..<count { unsafe best = rows[row] < best ? rows[row] : best }
    } else {
      for row in 0..<count { unsafe best = rows[row] > best ? rows[row] : best }
    }
    return best
  }

  /// Nil where there is no number but what is none.
  private func doubleExtreme(_ isLeast: Bool) -> Double? {
    if !hasNulls, count >= 8 {
      // What is no number is neither less nor greater, so that lanes never hold it.
      let best = isLeast ? laneExtreme(.infinity) { $0 .< $1 } : laneExtreme(-.infinity) { $0 .> $1 }
      // Lanes began with what may have been no number of the block.
      if best.isFinite { return best }
    }
    var best: Double?
    for row in 0..<count where !isNull(row) {
      let number = double(row)
      if number.isNaN { continue }
      if let known = best, isLeast ? known <= number : known >= number { continue }
      best = number
    }
    return best
  }

  /// Of all numbers and `none` that of which `isBefore` says that it is before the others.
  @inline(__always)
  private func laneExtreme(
    _ none: Double, _ isBefore: (SIMD8<Double>, SIMD8<Double>) -> SIMDMask<SIMD8<Int64>>
  ) -> Double {
    let rows = unsafe UnsafeRawPointer(doubles)
    var best = SIMD8<Double>(repeating: none)
    var row = 0
    while row < count {
      // The last vector may overlap the one before it.
      let start = min(row, count &- 8)
      let numbers = unsafe rows.loadUnaligned(fromByteOffset: start &* 8, as: SIMD8<Double>.self)
      best.replace(with: numbers, where: isBefore(numbers, best))
      row &+= 8
    }
    var result = best[0]
    for lane in 1..<8 {
      let isLaneBefore = isBefore(SIMD8(repeating: best[lane]), SIMD8(repeating: result))[0]
      if isLaneBefore { result = best[lane] }
    }
    return result
  }
}
