// Checks the elements of leaves of texts and of data (F-45 to F-47, F-54 to F-56). Layer: RealmInspection.

import RealmFiles

extension Walk {
  /// Validates every text of a leaf. Texts that are not UTF-8 are only noted: no engine refuses them.
  func validateTexts(_ texts: RawTexts, mayBeNull: Bool, areTexts: Bool = true, _ labels: RowLabels) {
    switch texts {
    case .short(let node, let isNullable):
      validatePaddings(node, labels)
      if areTexts && !node.payload.isASCII { validateEncoding(texts, labels) }
      if !mayBeNull && isNullable { validateNotNull(texts, labels) }
    case .medium(let blobs), .big(let blobs):
      validateBlobs(blobs, hasTerminator: true, labels)
      if areTexts && !blobs.isASCII { validateEncoding(texts, labels) }
      if !mayBeNull { validateNotNull(texts, labels) }
    case .enumerated(let numbers, let distinct): validateNumbers(numbers, distinct, labels)
    }
  }

  private func validatePaddings(_ node: RawNode, _ labels: RowLabels) {
    guard node.width > 0 else { return }
    for index in 0..<node.count {
      let end = (index + 1) * node.width - 1
      let padding = Int(node.payload[end])
      if padding > 0, padding < node.width, node.payload[end - padding] != 0 {
        report(
          .shortText, at: node.offset, labels, index, expected: "a zero byte after the text",
          found: "another")
      } else if padding > node.width {
        report(
          .shortText, at: node.offset, labels, index, expected: "at most \(node.width) bytes of padding",
          found: "\(padding)")
      }
    }
  }

  private func validateEncoding(_ texts: RawTexts, _ labels: RowLabels) {
    for index in 0..<texts.count {
      guard case .bytes(let bytes) = texts.element(index, self), !bytes.isUTF8 else { continue }
      report(.text, at: texts.offset, labels, index, expected: "text in UTF-8", found: "other bytes")
    }
  }

  private func validateNotNull(_ texts: RawTexts, _ labels: RowLabels) {
    for index in 0..<texts.count {
      guard case .null = texts.element(index, self) else { continue }
      report(
        .requiredNull, at: texts.offset, labels, index, expected: "a value, because it is not optional",
        found: "null")
    }
  }

  private func validateNumbers(_ numbers: RawNode, _ distinct: RawTexts, _ labels: RowLabels) {
    for index in 0..<numbers.count {
      let number = numbers.number(index)
      guard number < 0 || number >= Int64(distinct.count) else { continue }
      report(
        .enumeratedNumber, at: numbers.offset, labels, index,
        expected: "a number below the \(distinct.count) distinct texts", found: "\(number)")
    }
  }

  /// Validates ends and terminators, and claims blobs that are nodes of their own.
  func validateBlobs(_ blobs: RawBlobs, hasTerminator: Bool, _ labels: RowLabels) {
    switch blobs {
    case .small(let ends, let blob, let nulls):
      validateEnds(ends, blob, nulls, hasTerminator: hasTerminator, labels)
    case .big(let refs):
      for index in 0..<refs.count { claimBlob(refs, index, hasTerminator: hasTerminator, labels) }
    }
  }

  private func validateEnds(
    _ ends: RawNode, _ blob: RawNode, _ nulls: RawNode, hasTerminator: Bool, _ labels: RowLabels
  ) {
    let size = Int64(blob.payload.count)
    var start: Int64 = 0
    for index in 0..<ends.count {
      let end = ends.number(index)
      let null = nulls.number(index)
      guard end >= start, end <= size else {
        report(
          .blobEnds, at: ends.offset, labels, index, expected: "an end between \(start) and \(size)",
          found: "\(end)")
        return
      }
      if null != 0 && null != 1 {
        report(.blobEnds, at: nulls.offset, labels, index, expected: "0, or 1 for null", found: "\(null)")
      }
      if hasTerminator && (end == start || blob.payload[Int(end) - 1] != 0) {
        report(
          .blobEnds, at: blob.offset, labels, index, expected: "a zero byte after the text", found: "none")
      } else if !hasTerminator && null == 1 && end > start {
        report(
          .blobEnds, at: ends.offset, labels, index, expected: "no bytes for null", found: "\(end - start)")
      }
      start = end
    }
    if start != size {
      report(
        .blobEnds, at: blob.offset, labels, max(0, ends.count - 1), expected: "\(start) bytes in the blob",
        found: "\(size)")
    }
  }

  private func claimBlob(_ refs: RawNode, _ index: Int, hasTerminator: Bool, _ labels: RowLabels) {
    guard refs.number(index) != 0 else { return }
    let object = labels.label(index).object
    guard let blob = requiredChild(refs, index, object: object) else { return }
    if blob.isPlainBytes {
      if hasTerminator && (blob.payload.count == 0 || blob.payload[blob.payload.count - 1] != 0) {
        report(.blob, at: blob.offset, labels, index, expected: "a zero byte after the text", found: "none")
      }
    } else if !hasTerminator && blob.isSlots && blob.hasContext {
      claimParts(of: blob, labels, index)
    } else {
      report(.blob, at: blob.offset, labels, index, expected: "a node of plain bytes", found: blob.words)
    }
  }

  private func claimParts(of blob: RawNode, _ labels: RowLabels, _ index: Int) {
    for part in 0..<blob.count {
      guard let bytes = requiredChild(blob, part, object: labels.label(index).object) else { return }
      if !bytes.isPlainBytes {
        report(.blob, at: bytes.offset, labels, index, expected: "a part of plain bytes", found: bytes.words)
      }
    }
  }
}

extension RawBlobs {
  /// Whether it is known without looking at each element that all are ASCII.
  fileprivate var isASCII: Bool {
    if case .small(_, let blob, _) = self { blob.payload.isASCII } else { false }
  }
}
