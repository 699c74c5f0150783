// As much of JSON Schema as the program's own schemas use.

import Foundation

enum JSONSchema {
  /// What of `value` the schema does not allow; nil: nothing.
  static func flaw(of value: Any, _ schema: Any, at place: String = "$") -> String? {
    guard let schema = schema as? [String: Any] else { return "\(place): no schema" }
    if let options = schema["anyOf"] as? [Any] {
      let flaws = options.map { flaw(of: value, $0, at: place) }
      return flaws.contains { $0 == nil } ? nil : flaws.compactMap { $0 }.joined(separator: " | ")
    }
    if let words = schema["enum"] as? [String] {
      return words.contains { $0 == value as? String } ? nil : "\(place): \(value) is none of \(words)"
    }
    switch schema["type"] as? String {
    case nil: return nil
    case "null": return value is NSNull ? nil : "\(place): not null"
    case "string": return value is String ? nil : "\(place): not a string"
    case "integer": return isInteger(value) ? nil : "\(place): not an integer"
    case "boolean": return isBoolean(value) ? nil : "\(place): not a boolean"
    case "array":
      guard let list = value as? [Any] else { return "\(place): not an array" }
      return list.enumerated().lazy.compactMap { index, element in
        flaw(of: element, schema["items"] ?? [:], at: "\(place)[\(index)]")
      }.first
    case "object": return flaw(ofObject: value, schema, at: place)
    case let type?: return "\(place): unknown type \(type)"
    }
  }

  private static func flaw(ofObject value: Any, _ schema: [String: Any], at place: String) -> String? {
    guard let object = value as? [String: Any] else { return "\(place): not an object" }
    let properties = schema["properties"] as? [String: Any] ?? [:]
    for name in schema["required"] as? [String] ?? [] where object[name] == nil {
      return "\(place): \(name) is missing"
    }
    for (name, element) in object {
      guard let property = properties[name] else {
        if schema["additionalProperties"] as? Bool ?? true { continue }
        return "\(place): \(name) is not allowed"
      }
      if let flaw = flaw(of: element, property, at: "\(place).\(name)") { return flaw }
    }
    return nil
  }

  /// Whether the document is an array, or may be one.
  static func takesArray(_ schema: Any) -> Bool {
    guard let schema = schema as? [String: Any] else { return false }
    return schema["type"] as? String == "array"
      || (schema["anyOf"] as? [Any] ?? []).contains(where: takesArray)
  }

  private static func isBoolean(_ value: Any) -> Bool {
    (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false
  }

  private static func isInteger(_ value: Any) -> Bool {
    guard let number = value as? NSNumber, !isBoolean(value) else { return false }
    return number.doubleValue == number.doubleValue.rounded()
  }
}
