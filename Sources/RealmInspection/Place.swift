// Where in the realm the walk is, as cheap numbers that become words only for a finding. Layer: RealmInspection.

import ByteText
import RealmFiles

/// A part of the realm beside the values of properties.
enum RealmPart: String {
  case header = "the file header"
  case top = "the top array"
  case freeList = "the free list"
  case history = "the history"
  case tables = "the list of tables"
  case structure = "the table's structure"
  case rows = "the tree of objects"
  case tombstones = "the tree of unresolved objects"
  case index = "the search index"
  case enumeratedTexts = "the distinct texts"
  case collisionMap = "the collision map"
  case incoming = "the incoming links"
  case evacuation = "the evacuation info"
  case old = "the old storage"
}

/// The walk's position.
struct Place {
  var part: RealmPart?
  /// Slot of the table, below 0 for none.
  var table = -1
  /// Position in the table's columns, below 0 for none.
  var column = -1
  var object: Int64?
  /// Position in a list, set or dictionary.
  var element: Int?

  init(_ part: RealmPart? = nil, table: Int = -1, column: Int = -1, object: Int64? = nil) {
    self.part = part
    self.table = table
    self.column = column
    self.object = object
  }
}

/// What is known of the names of tables and columns.
final class PlaceNames {
  var tables: [Int: String] = [:]
  var columns: [Int: [String]] = [:]

  func describe(_ place: Place) -> String {
    var words: [String] = []
    if place.table >= 0 { words.append(tableWords(place.table)) }
    if place.column >= 0 { words.append(columnWords(place.table, place.column)) }
    if let object = place.object { words.append("object \(object)") }
    if let element = place.element { words.append("element \(element)") }
    if let part = place.part { words.append(part.rawValue) }
    return words.joined(separator: ", ")
  }

  private func tableWords(_ slot: Int) -> String {
    guard let name = tables[slot] else { return "table \(slot)" }
    return name.behind("class_").map { "class \($0)" } ?? "table \(name)"
  }

  private func columnWords(_ table: Int, _ column: Int) -> String {
    guard let names = columns[table], column < names.count else { return "column \(column)" }
    return names[column].isEmpty ? "incoming links \(column)" : "property \(names[column])"
  }
}
