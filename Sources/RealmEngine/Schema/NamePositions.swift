// Where a name stands among others. Layer: Schema.

import RealmValues

/// Finds names in a list, by their bytes. Few are looked through: making a dictionary of them would take longer than a small file's reading.
package struct NamePositions: Sendable {
  /// Nil where nothing is to be found.
  private let names: [String?]
  private let positions: [ByteString: Int]?

  private static let lookedThroughMax = 64

  package init(_ names: [String?]) {
    self.names = names
    guard names.count > Self.lookedThroughMax else {
      positions = nil
      return
    }
    var positions: [ByteString: Int] = [:]
    for (position, name) in names.enumerated() {
      guard let name = name.map(ByteString.init), positions[name] == nil else { continue }
      positions[name] = position
    }
    self.positions = positions
  }

  /// The position of the first one.
  package func callAsFunction(_ name: String) -> Int? {
    if let positions { return positions[ByteString(name)] }
    // Lengths are at hand, where the comparison of bytes is a loop; that of texts takes other bytes for equal.
    return names.firstIndex { other in
      other.map { $0.utf8.count == name.utf8.count && $0.utf8.elementsEqual(name.utf8) } ?? false
    }
  }
}
