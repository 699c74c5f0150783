// The part of a schema that somebody asked for. Layer: RealmCommands, Info.

import RealmEngine
import RealmSession

extension SchemaDescription {
  /// The named classes only; all of them without names.
  func restricted(to names: [String]) throws(SessionError) -> SchemaDescription {
    guard !names.isEmpty else { return self }
    for name in names where !classes.contains(where: { $0.name == name }) {
      throw .unknownClass(name, among: classes.map(\.name))
    }
    return SchemaDescription(version: version, classes: classes.filter { names.contains($0.name) })
  }
}
