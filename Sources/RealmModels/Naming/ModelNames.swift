// Names that code gives to classes, or to the members of one class, and files to what they hold. Layer: RealmModels, Naming.
// SDKs refuse a name that another member is stored by, so names that need no change come first, and no other name becomes
// one that is stored.

package struct ModelNames: Sendable {
  /// Names that go with one, and are taken with it.
  private let companions: @Sendable (String) -> [String]
  /// Whether names that differ only in case are two.
  private let tellsCases: Bool
  private var stored: Set<String> = []
  private var taken: Set<String> = []
  /// The number that the next name with this beginning gets.
  private var nextNumbers: [String: Int] = [:]

  package init(
    tellingCases tellsCases: Bool, with companions: @escaping @Sendable (String) -> [String] = { _ in [] }
  ) {
    self.tellsCases = tellsCases
    self.companions = companions
  }

  /// A name for each of those that are stored; `legal` is what the language makes of one.
  package mutating func take(all stored: [String], _ legal: (String) -> String) -> [String] {
    self.stored.formUnion(stored)
    let wanted = stored.map(legal)
    let kept = zip(stored, wanted).map { $0 == $1 && insert($0) }
    return wanted.indices.map { kept[$0] ? wanted[$0] : take(wanted[$0]) }
  }

  /// `name`, or where that is taken `name_2`, `name_3` and so on.
  mutating func take(_ name: String) -> String {
    func isNew(_ name: String) -> Bool { !stored.contains(name) && insert(name) }
    if isNew(name) { return name }
    var number = nextNumbers[folded(name)] ?? 2
    while !isNew("\(name)_\(number)") { number += 1 }
    nextNumbers[folded(name)] = number + 1
    return "\(name)_\(number)"
  }

  private mutating func insert(_ name: String) -> Bool {
    let names = Set(([name] + companions(name)).map(folded))
    guard taken.isDisjoint(with: names) else { return false }
    taken.formUnion(names)
    return true
  }

  private func folded(_ name: String) -> String { tellsCases ? name : name.lowercased() }
}
