// Conditions on dictionaries, a block at a time: what the column of refs leads to is read where it stands, and of an
// entry that is asked for by its key only what its value needs. Layer: Query, Run, Scanning.

/// Marks the rows of blocks by what their dictionaries hold.
final class DictionaryFilter {
  private let snapshot: Snapshot

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  func mark(_ condition: DictionaryCondition, _ block: RowBlock, into mask: SelectionMask) throws(EngineError)
  {
    let property = condition.property
    guard case .collections(let roots) = try block.leaf(property) else { throw property.mismatch }
    roots.prefetch(in: snapshot)
    mask.resize(block.count)
    switch condition.part {
    case .value(let key, let test):
      for row in 0..<block.count {
        mask[row] = try holds(test, key, of: property, at: try roots.root(row)) != condition.isNegated
      }
    case .anyValue(let test):
      for row in 0..<block.count {
        guard let root = try roots.root(row) else {
          mask[row] = false
          continue
        }
        mask[row] = try hasAny(test, of: property, at: root, isNegated: condition.isNegated)
      }
    case .anyKey(let test):
      for row in 0..<block.count {
        var isMet = false
        if let root = try roots.root(row) {
          try snapshot.forEachKey(of: property, at: root) { key in
            isMet = test.holds(key) != condition.isNegated
            return !isMet
          }
        }
        mask[row] = isMet
      }
    }
  }

  @inline(__always)
  private func holds(
    _ test: MixedTest, _ key: ByteString, of property: Property, at root: Ref?
  ) throws(EngineError) -> Bool {
    guard let root, let element = try snapshot.find(key, of: property, at: root) else {
      return test.acceptsNull
    }
    if let answer = test.answer(forKind: element.kindNumber) { return answer }
    return test.accepts(try element.value(in: snapshot, untypedTarget: property.target))
  }

  @inline(__always)
  private func hasAny(
    _ test: MixedTest, of property: Property, at root: Ref, isNegated: Bool
  ) throws(EngineError) -> Bool {
    var isMet = false
    try snapshot.forEachValueLeaf(of: property, at: root) { leaf throws(EngineError) in
      for index in 0..<leaf.count {
        if try test.accepts(leaf, index, in: snapshot, target: property.target) != isNegated {
          isMet = true
          return false
        }
      }
      return true
    }
    return isMet
  }
}
