// `.lint`: what in a realm may not be meant. Layer: RealmCommands, Shell.
// Nothing of it is an error; each line says what was seen and what could be done.

import RealmEngine
import RealmQueryLanguage
import RealmSession

extension Shell {
  /// Shows what was found in the named classes, or in all.
  func lint(_ names: [String]) throws {
    let all = try schema(of: [])
    let wanted = try schema(of: names)
    var findings: [String] = []
    for description in wanted.classes {
      try Interruption.check()
      findings += try lint(description, in: all)
    }
    try tell(findings.isEmpty ? "no problems found\n" : findings.map { $0 + "\n" }.joined())
  }

  private func lint(_ description: ClassDefinition, in all: SchemaDescription) throws -> [String] {
    let name = spelledName(description.name, as: .className)
    let objectCount = try count("\(name)")
    let isTarget = all.classes.contains { other in
      other.properties.contains { $0.type.target == description.name }
    }
    if objectCount == 0 {
      return isTarget ? [] : ["\(name): no objects, and nothing links to it – drop class \(name)"]
    }
    var findings: [String] = []
    for property in description.properties where Self.looksLikeKey(property) {
      let path = spelledName(property.name, as: .property)
      let set = property.type.isOptional ? "\(name) where \(path) != null" : "\(name) where TRUEPREDICATE"
      let valueCount = try count("\(set) DISTINCT(\(path))")
      let setCount = try count(set)
      let isKey = property.name == description.primaryKey
      if valueCount < setCount {
        // A reference to other objects is there several times by its nature.
        guard !Self.looksLikeReference(property) else { continue }
        findings.append(
          "\(name).\(path): \(setCount - valueCount) of \(setCount) values are there before – count \(name) by \(path) sort(count desc)"
        )
      } else if description.primaryKey == nil, setCount == objectCount, description.kind == .object {
        findings.append(
          "\(name).\(path): every object has another value – alter class \(name) primary key \(path)")
      }
      if property.index == .none, !isKey, objectCount >= Self.indexedCountMin {
        findings.append("\(name).\(path): no index – alter class \(name) add index \(path)")
      }
    }
    return findings
  }

  /// Fewer objects are looked through as fast.
  private static let indexedCountMin = 1000

  private static let keyNames = [
    "id", "_id", "key", "uuid", "guid", "email", "mail", "username", "login", "isbn", "sku",
  ]

  private static func looksLikeKey(_ property: PropertyDefinition) -> Bool {
    guard property.type.collection == nil, [.int, .string, .uuid, .objectID].contains(property.type.type)
    else {
      return false
    }
    return keyNames.contains(property.name.lowercased()) || looksLikeReference(property)
  }

  /// `ownerId`, `owner_id`
  private static func looksLikeReference(_ property: PropertyDefinition) -> Bool {
    property.name.hasSuffix("Id") || property.name.hasSuffix("ID")
      || property.name.lowercased().hasSuffix("_id")
        && property.name.lowercased() != "_id"
  }

  /// How many objects `selection` finds.
  private func count(_ selection: String) throws -> Int {
    let source = Array(selection.utf8)
    let statement: Statement
    do throws(QueryError) {
      statement = try Statement(parsing: source, in: SourceRange(source.indices))
    } catch {
      throw Diagnostic(error, in: source)
    }
    guard case .select(let selection, _) = statement.kind else { preconditionFailure("this selects objects") }
    return try requiredRealm().read { realm in
      try QueryExecutor(try bind(selection, of: source, in: realm), in: realm).count()
    }
  }
}
