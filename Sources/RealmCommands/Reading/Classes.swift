// Finding the class that the user names. Layer: RealmCommands, Reading.

import ByteText
import RealmEngine

extension Diagnostic {
  /// There is no such class; the nearest one there is, or all of a few, as a hint.
  static func unknownClass(_ name: String, among names: [String]) -> Diagnostic {
    let nearest = EditDistance.nearest(to: name, among: names)
    let hint =
      if let nearest {
        "did you mean '\(nearest)'?"
      } else if names.isEmpty {
        "the file holds no classes"
      } else {
        "its classes: " + names.prefix(namesShownMax).joined(separator: ", ")
          + (names.count > namesShownMax ? ", …" : "")
      }
    return Diagnostic(.statement, code: unknownClassCode, "there is no class '\(name)'", hint: hint)
  }

  static let unknownClassCode = "unknown-class"

  private static let namesShownMax = 20
}

extension ReadTransaction {
  /// The class of that name, with `allTables` a table too.
  func requiredClass(_ name: String, allTables: Bool) throws(Diagnostic) -> Table {
    if let table = table(named: name, allTables: allTables) { return table }
    throw .unknownClass(name, among: classes(allTables: allTables).map(\.schema.name).sorted())
  }
}
