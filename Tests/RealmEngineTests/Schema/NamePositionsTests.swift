import RealmEngine
import Testing

@Suite("Names among others")
struct NamePositionsTests {
  @Test("few and many names are found at the first place that has them", arguments: [1, 63, 64, 65, 300])
  func first(count: Int) {
    var names: [String?] = (0..<count).map { $0 % 5 == 3 ? nil : "n\($0)é" }
    names += names
    let lookup = NamePositions(names)
    for (position, name) in names.prefix(count).enumerated() {
      if let name { #expect(lookup(name) == position) }
    }
    #expect(lookup("n0e") == nil)
    #expect(lookup("") == nil)
    #expect(NamePositions([])("n") == nil)
  }
}
