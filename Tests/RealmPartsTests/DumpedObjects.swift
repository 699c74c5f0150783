// Objects as a dump tells them, with a closure over links that is as simple as can be.

import Foundation
import RealmEngine
import RealmParts
import Rendering
import Testing

struct DumpedObject: Hashable, Comparable {
  let className: String
  let key: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.className, left.key) < (right.className, right.key)
  }
}

struct DumpedObjects {
  private(set) var values: [DumpedObject: [String: Any]] = [:]
  private(set) var ownClasses: [String] = []
  /// Of classes and properties.
  private(set) var names: Set<String> = []

  init(_ database: Database) throws {
    var text = Data()
    var out = OutputBuffer { text.append(contentsOf: $0.bytes) }
    try DumpWriter(database.transaction, allTables: false).write(to: &out)
    try out.flush()
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let object = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      if let name = object["object"] as? String, let key = object["key"] as? Int {
        values[DumpedObject(className: name, key: key)] = object["values"] as? [String: Any]
      } else if let name = object["class"] as? String,
        let properties = object["properties"] as? [[String: Any]]
      {
        names.formUnion(properties.compactMap { $0["name"] as? String } + [name])
        if object["kind"] as? String == "object" { ownClasses.append(name) }
      }
    }
  }

  private static func link(_ value: Any) -> DumpedObject? {
    guard let link = (value as? [String: Any])?["$link"] as? [String: Any],
      let name = link["class"] as? String,
      let key = link["key"] as? Int
    else { return nil }
    return DumpedObject(className: name, key: key)
  }

  private static func links(_ value: Any) -> [DumpedObject] {
    if let link = link(value) { return [link] }
    if let list = value as? [Any] { return list.flatMap(links) }
    return (value as? [String: Any])?.values.flatMap(links) ?? []
  }

  func links(of object: DumpedObject) -> [DumpedObject] { Self.links(values[object] ?? [:]) }

  /// Embedded objects stand inside their owners in a dump, and are no objects of their own.
  func reached(from roots: [DumpedObject], _ following: LinkFollowing) -> Set<DumpedObject> {
    var reached: Set<DumpedObject> = []
    var rest = roots
    while let next = rest.popLast() {
      guard values[next] != nil, reached.insert(next).inserted, following == .links else { continue }
      rest += links(of: next)
    }
    return reached
  }

  /// The values of an object when links to others have become null or left their lists.
  func value(of object: DumpedObject, linkingTo kept: Set<DumpedObject>) -> [String: Any] {
    func without(_ value: Any) -> Any {
      if let link = Self.link(value) { return kept.contains(link) ? value : NSNull() }
      if let list = value as? [Any] {
        return list.filter { Self.link($0).map(kept.contains) ?? true }.map(without)
      }
      return (value as? [String: Any])?.mapValues(without) ?? value
    }
    return values[object]?.mapValues(without) ?? [:]
  }

  /// Whether values are the same. File formats order the elements of sets differently.
  static func equal(_ left: [String: Any], _ right: [String: Any]) -> Bool {
    func ordered(_ value: Any) -> Any {
      if let list = value as? [Any] { return list.map(ordered) }
      guard let object = value as? [String: Any] else { return value }
      return (object["$set"] as? [Any]).map { ["$set": $0.map(text).sorted()] } ?? object.mapValues(ordered)
    }
    func text(_ value: Any) -> String {
      (try? JSONSerialization.data(withJSONObject: ordered(value), options: [.sortedKeys, .fragmentsAllowed]))
        .map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
    return text(left) == text(right)
  }

  /// All texts that stand in values.
  var texts: Set<String> {
    func texts(_ value: Any) -> [String] {
      if Self.link(value) != nil { return [] }
      if let text = value as? String { return [text] }
      if let list = value as? [Any] { return list.flatMap(texts) }
      return (value as? [String: Any])?.flatMap { key, value in
        (key.hasPrefix("$") ? [] : [key]) + texts(value)
      } ?? []
    }
    return Set(values.values.flatMap { $0.values.flatMap(texts) })
  }
}
