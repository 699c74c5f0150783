// By what the value of a property is known again, so that nobody overwrites what he has not seen. Layer: RealmServer, Values.

import RealmEngine
import Rendering

extension ReadTransaction {
  /// A number for all of the value, which means something as long as the program runs.
  func state(
    of property: Property, _ position: ObjectPosition, of table: Table
  ) throws(EngineError) -> String {
    var hasher = Hasher()
    var out = OutputBuffer { bytes throws(EngineError) in hasher.combine(bytes.bytes) }
    var writer = JSONWriter(self, style: .typed)
    try writer.writeValue(of: property, position, of: table, to: &out)
    try out.flush()
    return String(hasher.finalize())
  }

  /// Nil where there is no such property or object.
  func state(ofProperty name: String, of object: ObjectLink) throws(EngineError) -> String? {
    guard let table = table(object.table), let property = table.schema.property(named: name),
      let position = try table.find(object.key)
    else { return nil }
    return try state(of: property, position, of: table)
  }
}
