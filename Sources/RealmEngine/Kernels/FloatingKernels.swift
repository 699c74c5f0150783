// Tests of packed IEEE numbers, sixteen at a time: one loop a test, without a branch in it. Layer: Kernels.
// Null is stored as a NaN, so every test but "not equal" is false for it, as it is for any NaN.

/// What floating-point numbers are tested for.
package enum FloatingTest<Number: BinaryFloatingPoint & Sendable>: Sendable {
  case compare(ComparisonOperator, Number)
  /// Both ends inclusive.
  case range(low: Number, high: Number)
  case isOne([Number])
}

extension FloatingTest {
  /// The same test with memory of its own, for one of several threads.
  package func forOneThread() -> FloatingTest {
    if case .isOne(let members) = self { .isOne(members.map(\.self)) } else { self }
  }
}

/// Marks rows by their numbers.
enum FloatingKernels {
  static func mark<T: BinaryFloatingPoint & VectorFraction>(
    _ payload: RawBytes, start: Int, count: Int, _ test: FloatingTest<T>, into mask: SelectionMask
  ) {
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    switch test {
    case .compare(let comparison, let constant):
      let constant = SIMD16(repeating: constant)
      switch comparison {
      case .equal:
        @inline(__always) func isEqual(_ numbers: SIMD16<T>) -> SixteenAnswers {
          T.areEqual(numbers, constant)
        }
        mask.mark(elements, isEqual)
      case .notEqual:
        @inline(__always) func isOther(_ numbers: SIMD16<T>) -> SixteenAnswers {
          T.areEqual(numbers, constant).negated
        }
        mask.mark(elements, isOther)
      case .less:
        @inline(__always) func isLess(_ numbers: SIMD16<T>) -> SixteenAnswers {
          T.areLess(numbers, constant)
        }
        mask.mark(elements, isLess)
      case .lessOrEqual:
        @inline(__always) func isAtMost(_ numbers: SIMD16<T>) -> SixteenAnswers {
          T.areAtMost(numbers, constant)
        }
        mask.mark(elements, isAtMost)
      case .greater:
        @inline(__always) func isGreater(_ numbers: SIMD16<T>) -> SixteenAnswers {
          T.areLess(constant, numbers)
        }
        mask.mark(elements, isGreater)
      case .greaterOrEqual:
        @inline(__always) func isAtLeast(_ numbers: SIMD16<T>) -> SixteenAnswers {
          T.areAtMost(constant, numbers)
        }
        mask.mark(elements, isAtLeast)
      }
    case .range(let low, let high):
      let (low, high) = (SIMD16(repeating: low), SIMD16(repeating: high))
      @inline(__always) func isWithin(_ numbers: SIMD16<T>) -> SixteenAnswers {
        T.areAtMost(low, numbers) & T.areAtMost(numbers, high)
      }
      mask.mark(elements, isWithin)
    case .isOne(let members):
      mask.mark(elements, anyOf: members)
    }
  }

  /// Marks rows whose bits are exactly `pattern`: how null is stored.
  static func mark<T: VectorNumber>(
    _ payload: RawBytes, start: Int, count: Int, bitPattern pattern: T, into mask: SelectionMask
  ) {
    let elements = payload.slice(start * MemoryLayout<T>.size, count * MemoryLayout<T>.size)
    let pattern = SIMD16(repeating: pattern)
    @inline(__always) func isNull(_ bits: SIMD16<T>) -> SixteenAnswers { T.areEqual(bits, pattern) }
    mask.mark(elements, isNull)
  }
}
