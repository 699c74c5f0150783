// Checks what the elements of an opened leaf say: null marks, paddings, ends, ranges, encodings (F-42 to F-56).
// Layer: RealmInspection. Cost: one step an element at most; leaves of plain numbers cost nothing.

import RealmFiles

/// Tells which object or element a position in a leaf is.
enum RowLabels {
  /// Rows of a cluster.
  case rows(RawCluster)
  /// Elements from `start` on of a collection that belongs to an object.
  case elements(start: Int, object: Int64)
  case none

  func label(_ index: Int) -> (object: Int64?, element: Int?) {
    switch self {
    case .rows(let cluster): (cluster.key(index), nil)
    case .elements(let start, let object): (object, start + index)
    case .none: (nil, nil)
    }
  }
}

extension Walk {
  func report(
    _ kind: FindingKind, at offset: Int, _ labels: RowLabels, _ index: Int,
    expected: @autoclosure () -> String, found: @autoclosure () -> String
  ) {
    let (object, element) = labels.label(index)
    report(kind, at: offset, object: object, element: element, expected: expected(), found: found())
  }

  /// Validates every element. Mixed values, links, incoming links and collections are validated where they are
  /// followed.
  func validate(_ leaf: RawLeaf, _ layout: RawLayout, _ labels: RowLabels) {
    statistics.valueCount += leaf.count
    switch leaf {
    case .integers(let node, let hasNulls): if hasNulls { validateSentinel(node, labels) }
    case .bools(let node): validateBooleans(node, layout, labels)
    case .texts(let texts): validateTexts(texts, mayBeNull: layout.isNullable, labels)
    case .data(let blobs):
      validateBlobs(blobs, hasTerminator: false, labels)
      if !layout.isNullable { validateNotNull(leaf, labels) }
    case .dates(let seconds, let nanoseconds): validateDates(seconds, nanoseconds, layout, labels)
    case .decimals(let node): if !layout.isNullable { validateNotNull(.decimals(node), labels) }
    case .identifiers: if !layout.isNullable { validateNotNull(leaf, labels) }
    case .floats, .doubles, .mixed, .links, .typedLinks, .backlinks, .collections: break
    }
  }

  private func validateSentinel(_ node: RawNode, _ labels: RowLabels) {
    guard node.width < 64, node.number(0) != node.upperBound else { return }
    report(
      .nullSentinel, at: node.offset, labels, 0,
      expected: "\(node.upperBound) before the numbers, which means null", found: "\(node.number(0))")
  }

  private func validateBooleans(_ node: RawNode, _ layout: RawLayout, _ labels: RowLabels) {
    guard node.width > 1 else { return }
    for index in 0..<node.count {
      let value = node.number(index)
      if value == RawLeaf.boolNull {
        if !layout.isNullable { reportNull(node.offset, labels, index) }
      } else if value != 0 && value != 1 {
        report(.boolean, at: node.offset, labels, index, expected: "0, 1 or 3 for null", found: "\(value)")
      }
    }
  }

  private func reportNull(_ offset: Int, _ labels: RowLabels, _ index: Int) {
    report(
      .requiredNull, at: offset, labels, index, expected: "a value, because it is not optional", found: "null"
    )
  }

  private func validateNotNull(_ leaf: RawLeaf, _ labels: RowLabels) {
    for index in 0..<leaf.count {
      if case .null? = leaf.value(index, self) { reportNull(leaf.offset, labels, index) }
    }
  }

  private func validateDates(
    _ seconds: RawNode, _ nanoseconds: RawNode, _ layout: RawLayout, _ labels: RowLabels
  ) {
    validateSentinel(seconds, labels)
    let null = seconds.number(0)
    for index in 0..<nanoseconds.count {
      let value = seconds.number(index + 1)
      let fraction = nanoseconds.number(index)
      if value == null {
        if !layout.isNullable { reportNull(seconds.offset, labels, index) }
      } else if !Self.isDate(seconds: value, nanoseconds: fraction) {
        reportDate(value, fraction, seconds.offset, labels, index)
      }
    }
  }

  func reportDate(_ seconds: Int64, _ nanoseconds: Int64, _ offset: Int, _ labels: RowLabels, _ index: Int) {
    report(
      .date, at: offset, labels, index,
      expected: "less than 10^9 nanoseconds of the same sign as the seconds",
      found: "\(seconds) and \(nanoseconds)")
  }

  static func isDate(seconds: Int64, nanoseconds: Int64) -> Bool {
    nanoseconds > -1_000_000_000 && nanoseconds < 1_000_000_000
      && (seconds == 0 || nanoseconds == 0 || (seconds < 0) == (nanoseconds < 0))
  }
}

extension RawLeaf {
  /// Where the leaf's numbers or bytes stand, for findings.
  var offset: Int {
    switch self {
    case .integers(let node, _), .bools(let node), .floats(let node), .doubles(let node), .decimals(let node),
      .identifiers(let node, _), .links(let node, _), .typedLinks(let node), .backlinks(let node),
      .collections(let node):
      node.offset
    case .texts(let texts): texts.offset
    case .data(let blobs): blobs.offset
    case .dates(let seconds, _): seconds.offset
    case .mixed(let mixed): mixed.offset
    }
  }
}

extension RawTexts {
  var offset: Int {
    switch self {
    case .short(let node, _), .enumerated(let node, _): node.offset
    case .medium(let blobs), .big(let blobs): blobs.offset
    }
  }
}

extension RawBlobs {
  var offset: Int {
    switch self {
    case .small(let ends, _, _): ends.offset
    case .big(let refs): refs.offset
    }
  }
}
