// What a target imports is among its dependencies: else it would not be compiled again where that has changed.

import Testing

@Suite("Targets")
struct TargetTests {
  /// Package.swift adds these by itself.
  private static let handedOn: Set<Substring> = ["RealmValues", "RealmFiles", "RealmInspection"]

  /// Imports are among the first lines.
  private static let headLines = 40

  /// What stands in quotes in the declaration of each target.
  private static func declared() throws -> [Substring: Set<Substring>] {
    let text = try SourceTree.text("Package.swift")
    let starts = text.matches(of: #/(?:layer|tests|arget)\(\s*(?:name: )?"([A-Za-z-]+)"/#)
    let ends = starts.dropFirst().map(\.range.lowerBound) + [text.endIndex]
    var declared: [Substring: Set<Substring>] = [:]
    for (start, end) in zip(starts, ends) {
      let names = text[start.range.lowerBound..<end].matches(of: #/"([A-Za-z-]+)"/#).map(\.1)
      declared[start.1] = handedOn.union(names)
    }
    return declared
  }

  @Test("a target depends on what it imports")
  func imports() throws {
    let declared = try Self.declared()
    #expect(declared.count > 30)
    for file in SourceTree.sources + SourceTree.tests {
      let target = file.path.split(separator: "/")[1]
      guard let names = declared[target] else { continue }
      for line in file.code.split(separator: "\n", maxSplits: Self.headLines).prefix(Self.headLines) {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place + 1 < words.count, line.first != " " else {
          continue
        }
        let name = words[place + 1]
        #expect(declared[name] == nil || names.contains(name), "\(file.path) imports \(name)")
      }
    }
  }
}
