// What is the same for every object of a class when it is written as JSON, made once. Layer: Rendering, JSON.

import ByteText
import RealmEngine
import TextFormats

/// The fixed text of one class's objects.
struct ObjectTemplate: Sendable {
  let table: Table
  /// In stored order, or by name.
  let properties: [Property]
  /// Per property: `"name":`, with a comma before all but the first.
  let heads: [[UInt8]]
  /// `{"object":"Person","key":`
  let lineHead: [UInt8]
  /// `,"values":{`
  let lineMiddle = Array(",\"values\":{".utf8)
  /// `{"$link":{"class":"Person","key":`
  let linkHead: [UInt8]
  let isEmbedded: Bool
  /// Per property: the text that is left out with its name; nil where everything is written.
  let absentTexts: [[UInt8]?]?

  init(_ table: Table, isCanonical: Bool, _ form: ObjectForm? = nil) {
    self.table = table
    let written = form?.properties[table.schema.tableKey]
    let all = isCanonical ? table.schema.propertiesByName : table.schema.properties
    let properties = written.map { written in all.filter { written.keys.contains($0.name) } } ?? all
    self.properties = properties
    absentTexts = written.map { written in properties.map { written[$0.name] ?? nil } }
    isEmbedded = table.schema.kind == .embedded
    heads = properties.enumerated().map { index, property in
      var head = ByteBuffer()
      if index > 0 { head.append(UInt8(ascii: ",")) }
      head.append(jsonKey: property.name)
      return head.bytes
    }
    lineHead = Self.head("{\"object\":", table.schema.name)
    linkHead = Self.linkHead(of: table.schema)
  }

  static func linkHead(of schema: ClassSchema) -> [UInt8] { head("{\"$link\":{\"class\":", schema.name) }

  private static func head(_ opening: StaticString, _ name: String) -> [UInt8] {
    var head = ByteBuffer()
    head.append(literal: opening)
    head.append(jsonString: name)
    head.append(literal: ",\"key\":")
    return head.bytes
  }
}

extension ClassSchema {
  /// In the byte order of their names.
  var propertiesByName: [Property] {
    properties.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
  }
}
