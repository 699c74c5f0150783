// Opens leaves: claims the nodes they are made of and checks kinds, widths and counts (F-40, F-41).
// Layer: RealmInspection. What the elements say is validated apart, where that is wanted.

import RealmFiles

extension Walk {
  /// Opens the leaf that `node` begins. `count` nil takes whatever count it has. Nil: damaged, and reported.
  func openLeaf(_ node: RawNode, _ layout: RawLayout, count: Int?, object: Int64? = nil) -> RawLeaf? {
    guard let leaf = openLeaf(node, layout, object) else { return nil }
    if let count, leaf.count != count {
      report(
        .leafCount, at: node.offset, object: object, expected: "\(count) elements", found: "\(leaf.count)")
      return nil
    }
    return leaf
  }

  private func openLeaf(_ node: RawNode, _ layout: RawLayout, _ object: Int64?) -> RawLeaf? {
    if layout.isCollectionColumn {
      return checked(node, node.isSlots, "collections", object: object).map { .collections($0) }
    }
    switch layout.type {
    case .int:
      let isSound = node.isNumbers && (!layout.isNullable || node.count > 0)
      return checked(node, isSound, "integers", object: object).map {
        .integers($0, hasNulls: layout.isNullable)
      }
    case .bool: return checked(node, node.isNumbers, "booleans", object: object).map { .bools($0) }
    case .float: return fixedWidth(node, 4, "floats", object).map { .floats($0) }
    case .double: return fixedWidth(node, 8, "doubles", object).map { .doubles($0) }
    case .string: return openTexts(node, distinct: layout.distinctTexts, object: object).map { .texts($0) }
    case .data:
      guard let node = checked(node, node.isSlots, "data", object: object) else { return nil }
      return openBlobs(node, object).map { .data($0) }
    case .date: return openDates(node, object)
    case .decimal128: return openDecimals(node, object)
    case .objectID: return openIdentifiers(node, ObjectID.byteCount, object)
    case .uuid: return openIdentifiers(node, UUIDValue.byteCount, object)
    case .mixed: return openMixed(node, object).map { .mixed($0) }
    case .object:
      return checked(node, node.isNumbers, "links", object: object).map {
        .links($0, bias: layout.isInCollection ? 0 : 1)
      }
    case .typedLink:
      return checked(node, node.isNumbers && node.count % 2 == 0, "pairs of numbers", object: object).map {
        .typedLinks($0)
      }
    case .backlink:
      return checked(node, node.isSlots, "incoming links", kind: .incomingLinks, object: object).map {
        .backlinks($0)
      }
    }
  }

  private func fixedWidth(_ node: RawNode, _ width: Int, _ what: String, _ object: Int64?) -> RawNode? {
    let isSound =
      node.kind == .bytes && !node.hasRefs && !node.isInner && (node.width == width || node.count == 0)
    return checked(node, isSound, what, object: object)
  }

  private func openDecimals(_ node: RawNode, _ object: Int64?) -> RawLeaf? {
    // The shorter encodings came with format 24.
    let widths = format >= 24 ? [0, 4, 8, 16] : [0, 16]
    let isSound = node.kind == .bytes && !node.hasRefs && !node.isInner && widths.contains(node.width)
    return checked(node, isSound, "decimals", kind: .decimal, object: object).map { .decimals($0) }
  }

  private func openIdentifiers(_ node: RawNode, _ size: Int, _ object: Int64?) -> RawLeaf? {
    guard let node = fixedWidth(node, 1, "identifiers", object) else { return nil }
    let count = RawLeaf.identifierCount(node.count, size: size)
    guard RawLeaf.identifierBytes(count, size: size) == node.count else {
      report(
        .identifier, at: node.offset, object: object, expected: "whole identifiers of \(size) bytes",
        found: "\(node.count) bytes")
      return nil
    }
    return .identifiers(node, size: size)
  }

  private func openDates(_ node: RawNode, _ object: Int64?) -> RawLeaf? {
    guard let node = checked(node, node.isSlots && node.count == 2, "dates", object: object),
      let seconds = requiredNumbers(node, 0, object: object),
      let nanoseconds = requiredNumbers(node, 1, object: object)
    else { return nil }
    guard seconds.count == nanoseconds.count + 1 else {
      report(
        .leafCount, at: node.offset, object: object,
        expected: "one more number of seconds than the \(nanoseconds.count) of nanoseconds",
        found: "\(seconds.count)")
      return nil
    }
    return .dates(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// Opens a leaf of texts; short ones read as nullable, as those of properties and collections do.
  func openTexts(_ node: RawNode, distinct: RawTexts? = nil, object: Int64? = nil) -> RawTexts? {
    if node.hasRefs {
      guard let node = checked(node, node.isSlots, "texts", object: object),
        let blobs = openBlobs(node, object)
      else { return nil }
      return node.hasContext ? .big(blobs) : .medium(blobs)
    }
    if let distinct, node.isNumbers { return .enumerated(node, distinct) }
    return checked(node, node.kind == .bytes && !node.isInner, "texts", object: object).map {
      .short($0, isNullable: true)
    }
  }

  private func openBlobs(_ node: RawNode, _ object: Int64?) -> RawBlobs? {
    if node.hasContext { return .big(node) }
    guard let node = checked(node, node.count == 3, "three parts: ends, blob and nulls", object: object),
      let ends = requiredNumbers(node, 0, object: object),
      let blob = requiredChild(node, 1, object: object), let nulls = requiredNumbers(node, 2, object: object)
    else { return nil }
    guard checked(blob, blob.isPlainBytes, "plain bytes", object: object) != nil else {
      return nil
    }
    guard ends.count == nulls.count else {
      report(
        .leafCount, at: node.offset, object: object, expected: "as many nulls as the \(ends.count) ends",
        found: "\(nulls.count)")
      return nil
    }
    return .small(ends: ends, blob: blob, nulls: nulls)
  }

  private func openMixed(_ node: RawNode, _ object: Int64?) -> RawMixed? {
    guard
      let node = checked(node, node.isSlots && (4...6).contains(node.count), "mixed values", object: object),
      let composites = requiredNumbers(node, 0, object: object)
    else { return nil }
    let mixed = RawMixed(offset: node.offset, composites: composites)
    // A part that is damaged makes its values damaged; the others can still be checked.
    mixed.integers = part(node, 1, object)
    mixed.pairs = part(node, 2, object)
    if let texts = child(node, 3, object: object) { mixed.texts = openTexts(texts, object: object) }
    if let roots = child(node, 4, object: object) {
      mixed.collections = checked(roots, roots.isSlots, "collections", object: object)
    }
    mixed.keys = part(node, 5, object)
    mixed.hasKeySlot = node.count == 6
    return mixed
  }

  private func part(_ node: RawNode, _ index: Int, _ object: Int64?) -> RawNode? {
    guard let part = child(node, index, object: object) else { return nil }
    return checked(part, part.isNumbers, "plain numbers", object: object)
  }
}
