// Texts one after the other. Layer: ByteText, below everything.

extension Array where Element == String {
  /// The standard library's own works for all collections, and finds out at each call which it has: a tenth of a start.
  package func joined(separator: String = "") -> String {
    var text = ""
    text.reserveCapacity(reduce(0) { $0 + $1.utf8.count + separator.utf8.count })
    for (index, part) in enumerated() {
      if index > 0 { text += separator }
      text += part
    }
    return text
  }
}
