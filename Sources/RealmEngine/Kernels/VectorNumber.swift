// Comparing sixteen numbers at once. Layer: Kernels.
// Sixteen, because as many answers fill a register as bytes: a compiler that picks the step by the width of the
// numbers packs the answers of two or four at a time, which takes longer than to compare them.

/// Sixteen answers, each a byte of 1 or 0.
package typealias SixteenAnswers = SIMD16<UInt8>

/// A number as leaves hold it, of which sixteen are compared at once. Written out for each type: only where the type
/// is known does an operator of the standard library become vector code.
package protocol VectorNumber: BitwiseCopyable, SIMDScalar, Hashable, Codable, Sendable {
  static func areEqual(_ left: SIMD16<Self>, _ right: SIMD16<Self>) -> SixteenAnswers
  static func areAtMost(_ left: SIMD16<Self>, _ right: SIMD16<Self>) -> SixteenAnswers
  /// Whether each equals one of `members`. Answers are packed once, which takes longer than several comparisons.
  static func areIn(_ members: [Self], _ numbers: SIMD16<Self>) -> SixteenAnswers
}

/// One whose order is not total.
package protocol VectorFraction: VectorNumber {
  static func areLess(_ left: SIMD16<Self>, _ right: SIMD16<Self>) -> SixteenAnswers
}

extension SixteenAnswers {
  @inline(__always)
  init(_ answers: SIMDMask<SIMD16<Int64>>) {
    self.init(lowBytes: SIMD16<Int64>(repeating: 0).replacing(with: .init(repeating: 1), where: answers))
  }

  @inline(__always)
  init(_ answers: SIMDMask<SIMD16<Int32>>) {
    self.init(lowBytes: SIMD16<Int32>(repeating: 0).replacing(with: .init(repeating: 1), where: answers))
  }

  @inline(__always)
  init(_ answers: SIMDMask<SIMD16<Int16>>) {
    self.init(lowBytes: SIMD16<Int16>(repeating: 0).replacing(with: .init(repeating: 1), where: answers))
  }

  @inline(__always)
  init(_ answers: SIMDMask<SIMD16<Int8>>) {
    self = SIMD16<UInt8>(repeating: 0).replacing(with: .init(repeating: 1), where: answers)
  }

  /// Lane by lane, which compilers see through; the conversion of the standard library can become a call.
  @inline(__always)
  private init<Lane: FixedWidthInteger>(lowBytes lanes: SIMD16<Lane>) {
    self.init(
      UInt8(truncatingIfNeeded: lanes[0]), UInt8(truncatingIfNeeded: lanes[1]),
      UInt8(truncatingIfNeeded: lanes[2]), UInt8(truncatingIfNeeded: lanes[3]),
      UInt8(truncatingIfNeeded: lanes[4]), UInt8(truncatingIfNeeded: lanes[5]),
      UInt8(truncatingIfNeeded: lanes[6]), UInt8(truncatingIfNeeded: lanes[7]),
      UInt8(truncatingIfNeeded: lanes[8]), UInt8(truncatingIfNeeded: lanes[9]),
      UInt8(truncatingIfNeeded: lanes[10]), UInt8(truncatingIfNeeded: lanes[11]),
      UInt8(truncatingIfNeeded: lanes[12]), UInt8(truncatingIfNeeded: lanes[13]),
      UInt8(truncatingIfNeeded: lanes[14]), UInt8(truncatingIfNeeded: lanes[15]))
  }

  @inline(__always)
  var negated: SixteenAnswers { self ^ SixteenAnswers(repeating: 1) }

  /// The sum of sixteen bytes, which may be any.
  @inline(__always)
  var sum: Int {
    let halves = unsafe unsafeBitCast(self, to: SIMD2<UInt64>.self)
    let evenBytes: UInt64 = 0x00FF_00FF_00FF_00FF
    let pairs =
      ((halves[0] & evenBytes) &+ (halves[0] >> 8 & evenBytes))
      &+ ((halves[1] & evenBytes) &+ (halves[1] >> 8 & evenBytes))
    // The highest of four sums of 16 bits is that of all.
    return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
  }
}

extension Double: VectorFraction {
  @inline(__always)
  package static func areEqual(_ left: SIMD16<Double>, _ right: SIMD16<Double>) -> SixteenAnswers {
    SixteenAnswers(left .== right)
  }

  @inline(__always)
  package static func areLess(_ left: SIMD16<Double>, _ right: SIMD16<Double>) -> SixteenAnswers {
    SixteenAnswers(left .< right)
  }

  @inline(__always)
  package static func areAtMost(_ left: SIMD16<Double>, _ right: SIMD16<Double>) -> SixteenAnswers {
    SixteenAnswers(left .<= right)
  }

  @inline(__always)
  package static func areIn(_ members: [Double], _ numbers: SIMD16<Double>) -> SixteenAnswers {
    // Without the sign, so that both zeros are one.
    let halves = NumberHalves(upperHalvesOf: numbers)
    guard halves.haveOne(of: members, { UInt32(truncatingIfNeeded: $0.bitPattern >> 32) &<< 1 }) else {
      return SixteenAnswers(repeating: 0)
    }
    var answers = SIMDMask<SIMD16<Int64>>(repeating: false)
    for member in members { answers .|= numbers .== SIMD16(repeating: member) }
    return SixteenAnswers(answers)
  }
}

extension Float: VectorFraction {
  @inline(__always)
  package static func areEqual(_ left: SIMD16<Float>, _ right: SIMD16<Float>) -> SixteenAnswers {
    SixteenAnswers(left .== right)
  }

  @inline(__always)
  package static func areLess(_ left: SIMD16<Float>, _ right: SIMD16<Float>) -> SixteenAnswers {
    SixteenAnswers(left .< right)
  }

  @inline(__always)
  package static func areAtMost(_ left: SIMD16<Float>, _ right: SIMD16<Float>) -> SixteenAnswers {
    SixteenAnswers(left .<= right)
  }

  @inline(__always)
  package static func areIn(_ members: [Float], _ numbers: SIMD16<Float>) -> SixteenAnswers {
    var answers = SIMDMask<SIMD16<Int32>>(repeating: false)
    for member in members { answers .|= numbers .== SIMD16(repeating: member) }
    return SixteenAnswers(answers)
  }
}

extension UInt8: VectorNumber {
  @inline(__always)
  package static func areEqual(_ left: SIMD16<UInt8>, _ right: SIMD16<UInt8>) -> SixteenAnswers {
    SixteenAnswers(left .== right)
  }

  @inline(__always)
  package static func areAtMost(_ left: SIMD16<UInt8>, _ right: SIMD16<UInt8>) -> SixteenAnswers {
    SixteenAnswers(left .<= right)
  }

  @inline(__always)
  package static func areIn(_ members: [UInt8], _ numbers: SIMD16<UInt8>) -> SixteenAnswers {
    var answers = SIMDMask<SIMD16<Int8>>(repeating: false)
    for member in members { answers .|= numbers .== SIMD16(repeating: member) }
    return SixteenAnswers(answers)
  }
}

extension UInt16: VectorNumber {
  @inline(__always)
  package static func areEqual(_ left: SIMD16<UInt16>, _ right: SIMD16<UInt16>) -> SixteenAnswers {
    SixteenAnswers(left .== right)
  }

  @inline(__always)
  package static func areAtMost(_ left: SIMD16<UInt16>, _ right: SIMD16<UInt16>) -> SixteenAnswers {
    SixteenAnswers(left .<= right)
  }

  @inline(__always)
  package static func areIn(_ members: [UInt16], _ numbers: SIMD16<UInt16>) -> SixteenAnswers {
    var answers = SIMDMask<SIMD16<Int16>>(repeating: false)
    for member in members { answers .|= numbers .== SIMD16(repeating: member) }
    return SixteenAnswers(answers)
  }
}

extension UInt32: VectorNumber {
  @inline(__always)
  package static func areEqual(_ left: SIMD16<UInt32>, _ right: SIMD16<UInt32>) -> SixteenAnswers {
    SixteenAnswers(left .== right)
  }

  @inline(__always)
  package static func areAtMost(_ left: SIMD16<UInt32>, _ right: SIMD16<UInt32>) -> SixteenAnswers {
    SixteenAnswers(left .<= right)
  }

  @inline(__always)
  package static func areIn(_ members: [UInt32], _ numbers: SIMD16<UInt32>) -> SixteenAnswers {
    var answers = SIMDMask<SIMD16<Int32>>(repeating: false)
    for member in members { answers .|= numbers .== SIMD16(repeating: member) }
    return SixteenAnswers(answers)
  }
}

extension UInt64: VectorNumber {
  @inline(__always)
  package static func areEqual(_ left: SIMD16<UInt64>, _ right: SIMD16<UInt64>) -> SixteenAnswers {
    SixteenAnswers(left .== right)
  }

  @inline(__always)
  package static func areAtMost(_ left: SIMD16<UInt64>, _ right: SIMD16<UInt64>) -> SixteenAnswers {
    SixteenAnswers(left .<= right)
  }

  @inline(__always)
  package static func areIn(_ members: [UInt64], _ numbers: SIMD16<UInt64>) -> SixteenAnswers {
    let halves = NumberHalves(lowerHalvesOf: numbers)
    guard halves.haveOne(of: members, { UInt32(truncatingIfNeeded: $0) }) else {
      return SixteenAnswers(repeating: 0)
    }
    var answers = SIMDMask<SIMD16<Int64>>(repeating: false)
    for member in members { answers .|= numbers .== SIMD16(repeating: member) }
    return SixteenAnswers(answers)
  }
}

/// Halves of sixteen numbers of 64 bits, which tell most numbers apart: twice as many are compared at once, and their
/// answers need not be packed.
private struct NumberHalves {
  private let first: SIMD8<UInt32>
  private let second: SIMD8<UInt32>

  @inline(__always)
  init(lowerHalvesOf numbers: SIMD16<UInt64>) {
    first = unsafe unsafeBitCast(numbers.lowHalf, to: SIMD16<UInt32>.self).evenHalf
    second = unsafe unsafeBitCast(numbers.highHalf, to: SIMD16<UInt32>.self).evenHalf
  }

  /// All but their signs.
  @inline(__always)
  init(upperHalvesOf numbers: SIMD16<Double>) {
    first = unsafe unsafeBitCast(numbers.lowHalf, to: SIMD16<UInt32>.self).oddHalf &<< 1
    second = unsafe unsafeBitCast(numbers.highHalf, to: SIMD16<UInt32>.self).oddHalf &<< 1
  }

  /// Whether one of them is the half of one of `members`.
  @inline(__always)
  func haveOne<Member>(of members: [Member], _ half: (Member) -> UInt32) -> Bool {
    var found = SIMD8<UInt32>()
    for member in members {
      let wanted = SIMD8(repeating: half(member))
      found |= SIMD8().replacing(with: SIMD8(repeating: 1), where: (first .== wanted) .| (second .== wanted))
    }
    let quarters = unsafe unsafeBitCast(found, to: SIMD4<UInt64>.self)
    let pair = quarters.lowHalf | quarters.highHalf
    return pair[0] | pair[1] != 0
  }
}

extension SelectionMask {
  /// Marks each of `elements` for which `test` says so. It is asked sixteen at a time and must answer each by itself;
  /// some are asked about twice. It should be a local function that is always inlined: a closure can stay a call.
  @inline(__always)
  func mark<T: VectorNumber>(_ elements: RawBytes, _ test: (SIMD16<T>) -> SixteenAnswers) {
    let size = MemoryLayout<T>.size
    let count = elements.count / size
    resize(count)
    let target = unsafe UnsafeMutableRawPointer(rows)
    var few = SIMD16<T>()
    unsafe withUnsafeMutableBytes(of: &few) { few in
      var source = unsafe elements.start
      if count < 16, let start = few.baseAddress {
        // Too few to fill a vector from where they stand; there is room for as many answers.
        unsafe start.copyMemory(from: source, byteCount: count &* size)
        unsafe source = UnsafeRawPointer(start)
      }
      // The last sixteen may begin among those before.
      let last = max(0, count &- 16)
      var lanes = SixteenAnswers()
      var row = 0
      while row < count {
        let start = min(row, last)
        let numbers = unsafe source.loadUnaligned(fromByteOffset: start &* size, as: SIMD16<T>.self)
        let answers = test(numbers)
        unsafe target.storeBytes(of: answers, toByteOffset: start, as: SixteenAnswers.self)
        lanes &+= answers
        row &+= 16
      }
      setPopulation(sumOf: lanes)
    }
  }

  /// Marks those of `elements` that equal one of a few `members`.
  @inline(__always)
  func mark<T: VectorNumber>(_ elements: RawBytes, anyOf members: [T]) {
    @inline(__always) func isOne(_ numbers: SIMD16<T>) -> SixteenAnswers { T.areIn(members, numbers) }
    mark(elements, isOne)
  }
}
