// Texts, data and mixed values of formats 2–9 (L12 to L15). Layer: RealmInspection.
// Texts mark what is not null there, data what is; null marks may be missing, and then nothing is null.

import RealmFiles

extension SnapshotInspection {
  /// A leaf of texts of any encoding.
  enum OldTexts {
    case short(RawNode)
    case blobs(OldBlobs)

    var count: Int {
      switch self {
      case .short(let node): node.count
      case .blobs(let blobs): blobs.count
      }
    }
  }

  enum OldBlobs {
    case joined(ends: RawNode, blob: RawNode)
    case apart(RawNode)

    var count: Int {
      switch self {
      case .joined(let ends, _): ends.count
      case .apart(let refs): refs.count
      }
    }
  }

  func oldText(_ texts: OldTexts, _ index: Int) -> String {
    guard case .short(let node) = texts, index < node.count else { return "" }
    return text(.short(node, isNullable: false), index)
  }

  func openOldTexts(_ node: RawNode) -> OldTexts? {
    if node.hasRefs {
      guard let node = walk.checked(node, node.isSlots, "texts") else { return nil }
      return openOldBlobs(node).map { .blobs($0) }
    }
    return walk.checked(node, node.kind == .bytes && !node.isInner, "texts").map { .short($0) }
  }

  func openOldBlobs(_ node: RawNode) -> OldBlobs? {
    if node.hasContext { return .apart(node) }
    guard let node = walk.checked(node, (2...3).contains(node.count), "ends, a blob and perhaps null marks"),
      let ends = walk.requiredNumbers(node, 0), let blob = walk.requiredChild(node, 1),
      walk.checked(blob, blob.isPlainBytes || !blob.hasRefs && blob.count == 0, "plain bytes") != nil
    else { return nil }
    if let nulls = walk.child(node, 2) {
      guard let nulls = walk.checked(nulls, nulls.isNumbers, "null marks") else { return nil }
      if nulls.count != ends.count {
        walk.report(
          .leafCount, at: node.offset, expected: "as many null marks as the \(ends.count) ends",
          found: "\(nulls.count)")
      }
    }
    return .joined(ends: ends, blob: blob)
  }

  func validateOldTexts(_ texts: OldTexts) {
    switch texts {
    case .short(let node):
      walk.validateTexts(.short(node, isNullable: true), mayBeNull: true, areTexts: false, .none)
    case .blobs(let blobs): validateOldBlobs(blobs, hasTerminator: true)
    }
  }

  func validateOldBlobs(_ blobs: OldBlobs, hasTerminator: Bool) {
    switch blobs {
    case .joined(let ends, let blob):
      var start: Int64 = 0
      for index in 0..<ends.count {
        let end = ends.number(index)
        guard end >= start, end <= Int64(blob.payload.count) else {
          walk.report(
            .blobEnds, at: ends.offset, element: index,
            expected: "an end between \(start) and \(blob.payload.count)", found: "\(end)")
          return
        }
        if hasTerminator && end > start && blob.payload[Int(end) - 1] != 0 {
          walk.report(
            .blobEnds, at: blob.offset, element: index, expected: "a zero byte after the text", found: "none"
          )
        }
        start = end
      }
    case .apart(let refs):
      guard refs.width > 0 else { return }
      for index in 0..<refs.count where refs.number(index) != 0 {
        guard let blob = walk.requiredChild(refs, index) else { continue }
        inspectOldBlob(blob, hasTerminator: hasTerminator, index)
      }
    }
  }

  private func inspectOldBlob(_ blob: RawNode, hasTerminator: Bool, _ index: Int) {
    guard blob.hasRefs else {
      let isSound = blob.isPlainBytes
      if !isSound || hasTerminator && blob.count > 0 && blob.payload[blob.count - 1] != 0 {
        walk.report(
          .blob, at: blob.offset, element: index,
          expected: "plain bytes\(hasTerminator ? " with a zero byte after them" : "")", found: blob.words)
      }
      return
    }
    guard let blob = walk.checked(blob, blob.isSlots && blob.hasContext, "parts of a blob", kind: .blob)
    else {
      return
    }
    for part in 0..<blob.count {
      guard let bytes = walk.requiredChild(blob, part) else { return }
      _ = walk.checked(bytes, bytes.isPlainBytes, "plain bytes", kind: .blob)
    }
  }

  // MARK: Mixed values

  private enum OldMixedSlot {
    static let types = 0
    static let numbers = 1
    static let data = 2
    static let dates = 3
  }

  /// What a mixed value of formats 2–9 may be.
  private enum OldMixedType {
    static let numbers: Set<Int64> = [0, 1, 7, 9, 10, 11, 12]
    static let table: Int64 = 5
    static let data: Set<Int64> = [2, 4]
    static let date: Int64 = 8
  }

  /// Returns how many rows the column has.
  func inspectOldMixed(_ root: RawNode) -> Int? {
    guard let root = walk.checked(root, root.isSlots && (2...4).contains(root.count), "mixed values"),
      let typesRoot = walk.requiredChild(root, OldMixedSlot.types),
      let numbersRoot = walk.requiredChild(root, OldMixedSlot.numbers)
    else { return nil }
    let dataCount = walk.child(root, OldMixedSlot.data).map { data($0) ?? 0 } ?? 0
    let dateCount = walk.child(root, OldMixedSlot.dates).map { dates($0, mayBeNull: true) ?? 0 } ?? 0
    var types: [Int64] = []
    let typeCount = numbers(typesRoot, isNullable: false) { node in
      for index in 0..<node.count { types.append(node.number(index)) }
    }
    var row = 0
    let count = oldTree(numbersRoot) { node in
      guard let node = walk.checked(node, node.isSlots, "mixed values") else { return nil }
      for index in 0..<node.count {
        defer { row += 1 }
        guard row < types.count else { continue }
        inspectOldMixed(node, index, type: types[row], dataCount: dataCount, dateCount: dateCount)
      }
      return node.count
    }
    guard let typeCount, let count else { return nil }
    if typeCount != count {
      walk.report(.leafCount, at: root.offset, expected: "\(typeCount) mixed values", found: "\(count)")
    }
    return count
  }

  private func inspectOldMixed(_ node: RawNode, _ index: Int, type: Int64, dataCount: Int, dateCount: Int) {
    let slot = node.slot(index)
    if type == OldMixedType.table {
      if let table = walk.child(node, index) { walk.claimDescendants(of: table) }
      return
    }
    let number: Int64
    switch slot {
    case .tagged(let value): number = value
    case .empty: number = 0
    default: return walk.reportSlot(node, index, expected: "a tagged number", found: slot)
    }
    let limit: Int64
    if OldMixedType.numbers.contains(type) { return }
    if OldMixedType.data.contains(type) {
      limit = Int64(dataCount)
    } else if type == OldMixedType.date {
      limit = Int64(dateCount)
    } else {
      return walk.report(
        .mixedValue, at: node.offset, element: index, expected: "the type of a mixed value", found: "\(type)")
    }
    if number >= limit {
      walk.report(
        .mixedValue, at: node.offset, element: index, expected: "a payload below \(limit)", found: "\(number)"
      )
    }
  }
}
