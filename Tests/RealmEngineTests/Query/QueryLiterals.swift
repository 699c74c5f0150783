// Stored values as literals of the query language.

import ByteText
import Foundation
import RealmEngine

extension Value {
  /// The literal that reads as this value; nil for what has none.
  var literal: String? {
    switch self {
    case .null: return "NULL"
    case .int(let number): return "\(number)"
    case .bool(let flag): return "\(flag)"
    case .float(let number): return number.isFinite ? "\(number)f" : word(Double(number))
    case .double(let number): return number.isFinite ? "\(number)" : word(number)
    case .decimal(let number):
      if number.isNaN { return "nan" }
      if number.isInfinite { return number.isNegative ? "-inf" : "inf" }
      var text = ByteBuffer()
      number.write(to: &text)
      return text.text.contains { ".eE".contains($0) } ? text.text : text.text + "."
    case .string(let text): return "B64\"\(base64(text))\""
    case .data(let data): return "binary(B64\"\(base64(data))\")"
    case .date(let date): return "T\(date.seconds):\(date.nanoseconds)"
    case .objectID(let id):
      var text = ByteBuffer()
      id.write(to: &text)
      return "oid(\(text.text))"
    case .uuid(let id):
      var text = ByteBuffer()
      id.write(to: &text)
      return "uuid(\(text.text))"
    case .link, .list, .dictionary: return nil
    }
  }

  private func word(_ number: Double) -> String { number.isNaN ? "nan" : number < 0 ? "-inf" : "inf" }

  private func base64(_ bytes: ByteString) -> String { Data(bytes.bytes.array()).base64EncodedString() }
}
