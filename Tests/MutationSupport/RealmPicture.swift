// What a realm holds, in a form that two states of it can be compared by: the lines of its dump, by object.

import ByteText
package import RealmEngine
import Rendering
import TextFormats

/// All objects of a realm at one moment, or why they cannot be told.
package struct RealmPicture: Sendable {
  /// Dump lines by what an object's line begins with, which is its class and key.
  private(set) var objects: [String: String] = [:]
  /// Nil where the realm could be read to its end.
  private(set) var refusal: EngineError?
  /// Places of damage; nil where not even those could be found.
  private(set) var damageCount: Int?

  /// Formats before the current one keep some sets in another order.
  private(set) var hasOldOrder = false

  package var isReadable: Bool { refusal == nil }

  private static let endOfName = ",\"values\":"

  package init(_ file: () throws(EngineError) -> RealmFile) {
    do throws(EngineError) {
      let file = try file()
      hasOldOrder = file.format < FileFormat.newest
      damageCount = try FileInspection.inspect(file, perKindMax: 1).count(of: .damage)
      objects = try Self.objects(of: try Database(file).transaction)
    } catch {
      refusal = error
    }
  }

  private static func objects(of realm: ReadTransaction) throws(EngineError) -> [String: String] {
    var out = OutputBuffer()
    try DumpWriter(realm, allTables: false).write(to: &out)
    var objects: [String: String] = [:]
    for line in String(decoding: out.text.bytes, as: UTF8.self).split(separator: "\n") {
      guard line.hasPrefix("{\"object\":"), let end = line.firstRange(of: endOfName) else { continue }
      objects[String(line[..<end.lowerBound])] = String(line)
    }
    return objects
  }

  /// How an object's line begins.
  static func name(_ link: ObjectLink, in realm: ReadTransaction) -> String {
    name(ofClass: realm.table(link.table)?.schema.name ?? "") + ",\"key\":\(link.key.value)"
  }

  /// How the lines of a class begin.
  static func name(ofClass name: String) -> String {
    var text = ByteBuffer()
    text.append(literal: "{\"object\":")
    text.append(jsonString: name)
    return text.text
  }

  /// How a line says that it leads to the object of that name.
  static func mention(of name: String) -> String {
    "{\"$link\":" + name.replacing("{\"object\":", with: "{\"class\":", maxReplacements: 1) + "}"
  }

  /// The objects that differ.
  func differences(from other: RealmPicture) -> [String] {
    let isOrderLost = hasOldOrder != other.hasOldOrder
    var names: [String] = []
    for (name, line) in objects where other.objects[name] != line {
      if isOrderLost, let old = other.objects[name], old.utf8.sorted() == line.utf8.sorted() { continue }
      names.append(name)
    }
    for name in other.objects.keys where objects[name] == nil { names.append(name) }
    return names.sorted()
  }
}
