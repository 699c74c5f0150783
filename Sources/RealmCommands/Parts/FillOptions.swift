// The option that fills a new realm with sample objects. Layer: RealmCommands, Parts.

import Arguments
import RealmEngine
import RealmParts

extension Option {
  static let fill = Option(
    "fill", takes: .list, "COUNTS", "create sample objects: 1000 of each class, or Person=100,Dog=3000")
}

extension Invocation {
  /// Fills the classes of a realm as --fill asks, if it does.
  func fill(_ transaction: WriteTransaction) throws {
    guard let text = arguments.text(.fill) else { return }
    try SampleObjects.fill(
      transaction, sampleCounts(text),
      seed: arguments.integer(.sampleSeed).map { UInt64(bitPattern: $0) } ?? 0)
  }

  private func sampleCounts(_ text: String) throws(Diagnostic) -> SampleCounts {
    if let count = Int(text), count >= 0 { return .each(count) }
    var named: [(className: String, count: Int)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, let count = Int(words[1]), count >= 0 else {
        throw Diagnostic.usage(
          "'\(part)' is not a number of objects", hint: "write --fill 1000 or --fill Person=100,Dog=3000")
      }
      let name = words[0].split(separator: " ").joined()
      guard !named.contains(where: { $0.className == name }) else {
        throw Diagnostic.usage("--fill names '\(name)' twice")
      }
      named.append((name, count))
    }
    return .named(named)
  }
}
