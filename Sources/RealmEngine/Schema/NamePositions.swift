// Where a name stands among others. Layer: Schema.

import RealmValues

/// Finds names in a list. Few are looked through: making a dictionary of them would take longer than a small file's reading.
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
    // Lengths are at hand, where the comparison of texts is a call.
    return names.firstIndex { $0.map { $0.utf8.count == name.utf8.count && $0 == name } ?? false }
  }
}
