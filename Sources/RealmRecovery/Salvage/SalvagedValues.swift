// Single values of leaves of a damaged file. Layer: RealmRecovery, Salvage.
// Invariant: what comes out stands in the file. Readers of sound files bring some numbers into range, and take the bytes
// between two ends for a text without looking around them; from a damaged file such a value is lost.

import RealmEngine

extension Leaf {
  /// The value at `index`, as `value` has it; throws where that is not what was written.
  func salvagedValue(
    _ index: Int, in snapshot: Snapshot, target: TableKey? = nil
  ) throws(EngineError) -> Value {
    let wound: ValueDamage? =
      switch self {
      case .integers(let leaf): leaf.wound(index)
      case .bools(let leaf): leaf.wound(index)
      case .dates(let leaf): leaf.wound(index)
      case .strings(let leaf): try leaf.wound(index, in: snapshot)
      case .data(.small(let leaf)): leaf.wound(index)
      case .data(.big(let leaf)): try leaf.wound(index, in: snapshot)
      case .mixed(let leaf): try leaf.wound(index, in: snapshot)
      default: nil
      }
    if let wound { throw EngineError(.damaged, "expected \(wound.expected), found \(wound.found)") }
    return try value(index, in: snapshot, target: target)
  }
}

/// Why a stored value cannot be the one that was written.
private struct ValueDamage {
  let expected: String
  let found: String

  static func date(_ seconds: Int64, _ nanoseconds: Int64) -> ValueDamage? {
    guard nanoseconds <= -1_000_000_000 || nanoseconds >= 1_000_000_000 else { return nil }
    return ValueDamage(expected: "less than 10^9 nanoseconds", found: "\(seconds) seconds and \(nanoseconds)")
  }

  static func bool(_ number: Int64) -> ValueDamage? {
    number == 0 || number == 1 ? nil : ValueDamage(expected: "0 or 1 for a bool", found: "\(number)")
  }

  static let unendedText = ValueDamage(expected: "a zero byte after each text", found: "another")
}

extension IntegerLeaf {
  /// Below 64 bits the largest number means null: where another one says that it does, nobody knows what is null.
  fileprivate func wound(_ index: Int) -> ValueDamage? {
    guard let nullSentinel, values.width < 64 else { return nil }
    let largest = PackedIntegers.upperBound(width: values.width)
    guard nullSentinel != largest, values[index] == largest || values[index] == nullSentinel else {
      return nil
    }
    return ValueDamage(expected: "\(largest) as the number that means null", found: "\(nullSentinel)")
  }
}

extension BoolLeaf {
  fileprivate func wound(_ index: Int) -> ValueDamage? {
    values[index] == nullSentinel ? nil : ValueDamage.bool(values[index])
  }
}

extension TimestampLeaf {
  fileprivate func wound(_ index: Int) -> ValueDamage? {
    if let wound = seconds.wound(index) { return wound }
    return seconds[index].flatMap { ValueDamage.date($0, nanoseconds[index]) }
  }
}

extension StringLeaf {
  fileprivate func wound(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> ValueDamage? {
    switch self {
    case .short(let leaf): return leaf.wound(index)
    case .enumerated: return nil
    case .medium(let leaf): return leaf.wound(index)
    case .big(let leaf): return try leaf.wound(index, in: snapshot)
    }
  }
}

extension ShortStringLeaf {
  /// A text that goes on behind its end was cut by a wrong length.
  fileprivate func wound(_ index: Int) -> ValueDamage? {
    guard width > 0 else { return nil }
    let end = (start + index + 1) * width - 1
    let padding = Int(payload[end])
    return padding > 0 && padding < width && payload[end - padding] != 0 ? .unendedText : nil
  }
}

extension SmallBlobLeaf {
  fileprivate func wound(_ index: Int) -> ValueDamage? {
    let begin = self.begin(index)
    let end = ends[index]
    if isNull(index) { return nil }
    // Of two ends that do not rise either may be wrong, and with it the values on both sides.
    let rise = [index > 1 ? ends[index - 2] : 0, begin, end, index + 1 < ends.count ? ends[index + 1] : end]
    guard begin >= 0, end <= Int64(blob.count), zip(rise, rise.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      return ValueDamage(expected: "ends that rise to \(blob.count)", found: "\(begin) and \(end)")
    }
    // Read with a width that is not theirs, ends may rise all the same. Texts say themselves where they end.
    if terminatorSize == 0, nullMark == 1, ends[ends.count - 1] != Int64(blob.count) {
      return ValueDamage(expected: "a last end at \(blob.count)", found: "\(ends[ends.count - 1])")
    }
    if begin == end { return nil }
    if let mark = nulls?[index], mark != 0, mark != 1 {
      return ValueDamage(expected: "0, or 1 for null", found: "\(mark)")
    }
    guard terminatorSize == 1 else { return nil }
    let isWhole = blob[Int(end) - 1] == 0 && (begin == 0 || blob[Int(begin) - 1] == 0)
    return isWhole ? nil : ValueDamage.unendedText
  }
}

extension BigBlobLeaf {
  /// Only data of more than a node's bytes stands in parts, and all but the last are full.
  private static let partSizeMin = 1 << 20

  fileprivate func wound(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> ValueDamage? {
    guard let ref = Ref(refs[index]) else { return nil }
    let node = try snapshot.node(ref)
    guard node.hasRefs else {
      let bytes = node.payload
      return terminatorSize == 0 || bytes.count == 0 || bytes[bytes.count - 1] == 0
        ? nil : ValueDamage.unendedText
    }
    if terminatorSize == 1 { return ValueDamage(expected: "a text in one node", found: node.description) }
    for part in 0..<max(0, node.count - 1) {
      let size = try snapshot.node(try node.requiredRef(part)).count
      if size < Self.partSizeMin {
        return ValueDamage(expected: "full parts of data", found: "one of \(size) bytes")
      }
    }
    return nil
  }
}

extension MixedLeaf {
  fileprivate func wound(_ index: Int, in snapshot: Snapshot) throws(EngineError) -> ValueDamage? {
    let composite = composites[index]
    guard values == nil, composite != 0 else { return nil }
    let payload = composite >> 8
    let kind = Self.kindNumber(ofComposite: composite)
    switch MixedLeaf.Place(composite: composite) {
    case _ where kind == Kind.null.number:
      return ValueDamage(expected: "a mixed value", found: "the composite 0x\(String(composite, radix: 16))")
    case .inline: return kind == Kind.value(.bool).number ? ValueDamage.bool(payload) : nil
    case .strings:
      guard let strings, payload >= 0, payload < Int64(strings.count) else { return nil }
      return try strings.wound(Int(payload), in: snapshot)
    case .pairs:
      guard kind == Kind.value(.date).number, let pairs, payload >= 0, payload < Int64(pairs.count / 2) else {
        return nil
      }
      return ValueDamage.date(pairs[2 * Int(payload)], pairs[2 * Int(payload) + 1])
    default: return nil
    }
  }
}
