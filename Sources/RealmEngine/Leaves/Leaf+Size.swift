// How many bytes stand behind a leaf, so that a walk can be charged for them. Layer: Leaves.
// Blobs that have a node of their own are not in it: they are charged when they are read.

extension Leaf {
  /// Bytes of the nodes below the leaf's own that opening it has opened.
  package var innerByteSize: Int {
    switch self {
    case .strings(let leaf): leaf.innerByteSize
    case .data(.small(let leaf)): leaf.innerByteSize
    case .dates(let leaf): leaf.seconds.values.payload.count + leaf.nanoseconds.payload.count
    case .mixed(let leaf): leaf.innerByteSize
    default: 0
    }
  }
}

extension StringLeaf {
  /// A table of distinct texts is shared by all leaves of a column and counts nowhere.
  fileprivate var innerByteSize: Int {
    if case .medium(let leaf) = self { return leaf.innerByteSize }
    return 0
  }

  /// Includes the leaf's own node.
  fileprivate var byteSize: Int {
    switch self {
    case .short(let leaf): leaf.payload.count
    case .medium(let leaf): leaf.innerByteSize
    case .big(let leaf): leaf.refs.payload.count
    case .enumerated(let numbers, _): numbers.payload.count
    }
  }
}

extension SmallBlobLeaf {
  fileprivate var innerByteSize: Int { ends.payload.count + blob.count + (nulls?.payload.count ?? 0) }
}

extension MixedLeaf {
  fileprivate var innerByteSize: Int {
    composites.payload.count + (integers?.payload.count ?? 0) + (pairs?.payload.count ?? 0)
      + (strings?.byteSize ?? 0) + (collections?.payload.count ?? 0)
  }
}
