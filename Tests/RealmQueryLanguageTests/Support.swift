// Helpers of these tests: complaints as one readable value, and syntax trees without their ranges.

import RealmQueryLanguage
import Testing

/// The code, the marked text and the message of what is wrong with a text.
struct Complaint: Equatable, CustomStringConvertible {
  let code: String
  /// The bytes under the caret.
  let marked: String
  let sentence: String

  var description: String { "\(code) at «\(marked)»: \(sentence)" }
}

/// What `parse` complains about in `text`; nil when it does not.
func complaint<Result>(
  about text: String, _ parse: ([UInt8]) throws(QueryError) -> Result
) -> Complaint? {
  let source = Array(text.utf8)
  do throws(QueryError) {
    _ = try parse(source)
    return nil
  } catch {
    let end = min(error.range.end, source.count)
    let marked = String(decoding: source[min(error.range.offset, end)..<end], as: UTF8.self)
    return Complaint(code: error.code.rawValue, marked: marked, sentence: error.sentence)
  }
}

func predicateComplaint(_ text: String) -> Complaint? {
  complaint(about: text) { source throws(QueryError) in try Predicate(parsing: source) }
}

func parsed(_ text: String) throws -> Predicate { try Predicate(parsing: Array(text.utf8)) }

/// The canonical text of a predicate.
func canonical(_ text: String) throws -> String { try parsed(text).description }

/// A tree as nested names of its parts, without ranges; equal trees have equal outlines.
func outline(_ value: Any) -> String {
  if value is SourceRange { return "" }
  let mirror = Mirror(reflecting: value)
  let parts = mirror.children.compactMap { child -> String? in
    let inner = outline(child.value)
    return inner.isEmpty ? nil : inner
  }
  switch mirror.displayStyle {
  case .optional: return parts.first ?? "nil"
  case .enum:
    return mirror.children.isEmpty
      ? "\(value)" : "\(mirror.children.first?.label ?? "?")(\(parts.joined(separator: " ")))"
  case .collection: return "[\(parts.joined(separator: " "))]"
  case .struct, .tuple: return mirror.children.isEmpty ? "\(value)" : "(\(parts.joined(separator: " ")))"
  default: return String(reflecting: value)
  }
}
