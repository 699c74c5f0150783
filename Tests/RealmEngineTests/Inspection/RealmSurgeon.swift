// Changes single nodes of a realm held in memory, so that tests can break one rule of the format at a time.
// Reads and writes the bytes on its own: neither the engine nor the inspection helps it.

import Foundation
import RealmEngine

/// A node found in the bytes.
struct SurgeonNode {
  var offset: Int
  var flags: UInt8
  var count: Int

  var kind: Int { Int(flags >> 3 & 3) }
  var width: Int { (1 << Int(flags & 7)) >> 1 }
  var payloadSize: Int { kind == 0 ? (count * width + 7) / 8 : kind == 1 ? count * width : count }
  var size: Int { 8 + (payloadSize + 7) / 8 * 8 }
}

/// A plain realm in slot form, cut open.
final class RealmSurgeon {
  var bytes: [UInt8]

  static let refs: UInt8 = 0x40
  static let context: UInt8 = 0x20
  static let inner: UInt8 = 0x80

  init(_ fixture: String) throws { bytes = try FixtureFile.bytes(fixture) }

  init(at path: FilePath) throws { bytes = [UInt8](try Data(contentsOf: path.url)) }

  func write(to path: FilePath) throws { try Data(bytes).write(to: path.url) }

  // MARK: Numbers

  func integer(_ offset: Int, size: Int = 8) -> Int64 {
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    let unused = UInt64(64 - 8 * size)
    return Int64(bitPattern: value << unused) >> Int64(unused)
  }

  func store(_ value: Int64, at offset: Int, size: Int = 8) {
    for index in 0..<size { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> Int64(8 * index)) }
  }

  // MARK: Nodes

  var slot: Int { Int(bytes[23] & 1) }
  var topRef: Int { Int(integer(slot * 8)) }

  func node(_ offset: Int) -> SurgeonNode {
    let count = Int(bytes[offset + 5]) << 16 | Int(bytes[offset + 6]) << 8 | Int(bytes[offset + 7])
    return SurgeonNode(offset: offset, flags: bytes[offset + 4], count: count)
  }

  func get(_ node: SurgeonNode, _ index: Int) -> Int64 {
    precondition(index < node.count, "element \(index) of \(node)")
    let start = node.offset + 8
    switch node.width {
    case 0: return 0
    case 1, 2, 4:
      let bit = index * node.width
      return Int64(bytes[start + bit / 8] >> UInt8(bit % 8)) & (1 << Int64(node.width) - 1)
    default: return integer(start + index * node.width / 8, size: node.width / 8)
    }
  }

  func elements(_ node: SurgeonNode) -> [Int64] { (0..<node.count).map { get(node, $0) } }

  /// The node that the slots lead to, from the top array down.
  func node(at path: [Int]) -> SurgeonNode {
    path.reduce(node(topRef)) { parent, slot in node(Int(get(parent, slot))) }
  }

  func set(_ node: SurgeonNode, _ index: Int, _ value: Int64) {
    precondition(Self.width(of: value) <= node.width, "\(value) does not fit \(node.width) bits")
    let start = node.offset + 8
    guard node.width < 8 else {
      return store(value, at: start + index * node.width / 8, size: node.width / 8)
    }
    let bit = index * node.width
    let mask = UInt8(1 << node.width - 1) << UInt8(bit % 8)
    bytes[start + bit / 8] = bytes[start + bit / 8] & ~mask | UInt8(value) << UInt8(bit % 8) & mask
  }

  func setFlags(_ node: SurgeonNode, _ flags: UInt8) { bytes[node.offset + 4] = flags }

  func setCount(_ node: SurgeonNode, _ count: Int) {
    for index in 0..<3 { bytes[node.offset + 5 + index] = UInt8(count >> (16 - 8 * index) & 0xFF) }
  }

  static func width(of value: Int64) -> Int {
    switch value {
    case 0: 0
    case 1: 1
    case 2...3: 2
    case 4...15: 4
    case -128...127: 8
    case -32768...32767: 16
    case -2_147_483_648...2_147_483_647: 32
    default: 64
    }
  }

  // MARK: New nodes

  /// Puts a node of numbers behind the data and returns its ref.
  func append(flags: UInt8 = 0, width: Int? = nil, _ elements: [Int64]) -> Int {
    let width = width ?? elements.map(Self.width).max() ?? 0
    let code = width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
    let node = reserve(flags | code, count: elements.count)
    for (index, value) in elements.enumerated() where width > 0 { set(node, index, value) }
    return node.offset
  }

  /// Puts a node of bytes behind the data: `kind` 1 for elements of `width` bytes, 2 for a blob.
  func append(kind: UInt8, width: Int = 1, count: Int, _ content: [UInt8]) -> Int {
    let code = width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
    let node = reserve(kind << 3 | code, count: count)
    bytes.replaceSubrange(node.offset + 8..<node.offset + 8 + content.count, with: content)
    return node.offset
  }

  /// A copy of a node behind the data, with other elements if given.
  func append(copyOf node: SurgeonNode, _ elements: [Int64]? = nil) -> Int {
    guard let elements else {
      let copy = reserve(node.flags, count: node.count)
      bytes.replaceSubrange(
        copy.offset..<copy.offset + node.size, with: Array(bytes[node.offset..<node.offset + node.size]))
      return copy.offset
    }
    return append(flags: node.flags & 0xE0, elements)
  }

  private func reserve(_ flags: UInt8, count: Int) -> SurgeonNode {
    let end = Int(UInt64(bitPattern: get(node(topRef), 2)) >> 1)
    var node = SurgeonNode(offset: end, flags: flags, count: count)
    if bytes.count < end + node.size {
      bytes += [UInt8](repeating: 0, count: (end + node.size - bytes.count + 4095) / 4096 * 4096)
    }
    for index in 0..<node.size { bytes[end + index] = 0 }
    for index in 0..<4 { bytes[end + index] = 0x41 }
    bytes[end + 4] = flags
    setCount(node, count)
    node.offset = end
    setTop(2, Int64(end + node.size) << 1 | 1)
    return node
  }

  /// Puts a value into a slot of the top array, which moves when it is too narrow. Its old place is lost space.
  func setTop(_ index: Int, _ value: Int64) {
    let top = node(topRef)
    if Self.width(of: value) <= top.width { return set(top, index, value) }
    var elements = elements(top)
    elements[index] = value
    let code = UInt8(64.trailingZeroBitCount + 1)
    let moved = SurgeonNode(
      offset: Int(UInt64(bitPattern: elements[2]) >> 1), flags: top.flags & 0xE0 | code, count: top.count)
    elements[2] = Int64(moved.offset + moved.size) << 1 | 1
    bytes += [UInt8](repeating: 0, count: max(0, moved.offset + moved.size + 8 - bytes.count))
    for index in 0..<4 { bytes[moved.offset + index] = 0x41 }
    bytes[moved.offset + 4] = moved.flags
    setCount(moved, moved.count)
    for (index, element) in elements.enumerated() { set(moved, index, element) }
    store(Int64(moved.offset), at: slot * 8)
  }

  /// Puts a value into the slot that the path ends with; nodes that are too narrow for it move behind the data.
  func put(_ value: Int64, at path: [Int]) {
    guard path.count > 1 else { return setTop(path[0], value) }
    let parentPath = Array(path.dropLast())
    let parent = node(at: parentPath)
    if Self.width(of: value) <= parent.width { return set(parent, path[path.count - 1], value) }
    var elements = elements(parent)
    elements[path[path.count - 1]] = value
    put(Int64(append(copyOf: parent, elements)), at: parentPath)
  }

  /// Exchanges the node at the path for a copy with other elements.
  func replace(_ path: [Int], _ change: (inout [Int64]) -> Void) {
    let node = node(at: path)
    var elements = elements(node)
    change(&elements)
    put(Int64(append(copyOf: node, elements)), at: path)
  }
}

// MARK: Finding the way

extension RealmSurgeon {
  /// The texts of a node of short strings.
  func shortTexts(_ node: SurgeonNode) -> [String] {
    guard node.width > 0 else { return Array(repeating: "", count: node.count) }
    return (0..<node.count).map { index in
      let start = node.offset + 8 + index * node.width
      let length = node.width - 1 - Int(bytes[start + node.width - 1])
      return String(decoding: bytes[start..<start + max(0, length)], as: UTF8.self)
    }
  }

  /// The path of a table's top array.
  func table(_ name: String) -> [Int] {
    let names = shortTexts(node(at: [0]))
    guard let slot = names.firstIndex(of: name) ?? names.firstIndex(of: "class_" + name) else {
      preconditionFailure("no table \(name) among \(names)")
    }
    return [1, slot]
  }

  /// Position in the spec of a property.
  func specIndex(_ table: String, _ property: String) -> Int {
    let names = shortTexts(node(at: self.table(table) + [0, 1]))
    guard let index = names.firstIndex(of: property) else {
      preconditionFailure("no property \(property) among \(names)")
    }
    return index
  }

  func columnKey(_ table: String, _ property: String) -> Int64 {
    get(node(at: self.table(table) + [0, 5]), specIndex(table, property))
  }

  func leafIndex(_ table: String, _ property: String) -> Int { Int(columnKey(table, property) & 0xFFFF) }

  /// The path of the first cluster of a table.
  func cluster(_ table: String) -> [Int] {
    var path = self.table(table) + [2]
    while node(at: path).flags & Self.inner != 0 { path.append(3) }
    return path
  }

  /// The path of a property's leaf in the first cluster.
  func leaf(_ table: String, _ property: String) -> [Int] {
    cluster(table) + [1 + leafIndex(table, property)]
  }

  /// The path of the first collection of a property that is stored and, where asked for, has enough in it.
  func collection(_ table: String, _ property: String, countMin: Int = 1) -> [Int] {
    let path = leaf(table, property)
    let roots = node(at: path)
    for row in 0..<roots.count where get(roots, row) != 0 {
      let root = node(at: path + [row])
      if root.count >= countMin { return path + [row] }
    }
    preconditionFailure("no \(property) with \(countMin) elements")
  }
}

// MARK: Other forms of what is there

extension RealmSurgeon {
  /// Turns the names of dogs into numbers of distinct texts.
  func enumerateDogNames() {
    let texts = append(kind: 1, width: 4, count: 2, [0x61, 0x62, 0, 1, 0x63, 0, 0, 2])
    var slots = [Int64](repeating: 0, count: node(at: table("Dog") + [0, 1]).count)
    slots[specIndex("Dog", "name")] = Int64(texts)
    put(Int64(append(flags: Self.refs, slots)), at: table("Dog") + [0, 4])
    let count = node(at: leaf("Dog", "name")).count
    put(Int64(append((0..<count).map { Int64($0 % 2) })), at: leaf("Dog", "name"))
  }

  /// Lets the first two short texts of a node change places.
  func swapShortTexts(_ node: SurgeonNode) {
    for index in 0..<node.width {
      bytes.swapAt(node.offset + 8 + index, node.offset + 8 + node.width + index)
    }
  }
}

// MARK: Looking at the result

extension RealmSurgeon {
  func inspect(perKindMax: Int = 20) throws -> InspectionReport {
    let file = try RealmFile(stream: bytes, path: FilePath("patched"), key: nil)
    return try FileInspection.inspect(file, perKindMax: perKindMax)
  }

  /// The same from a file, whose header is looked at first.
  func inspectOnDisk() throws -> InspectionReport {
    let file = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("\(UUID()).realm")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try FileInspection.inspect(FilePath(file.path))
  }

  /// The kinds found, lost space aside: moving nodes leaves some behind.
  func findings() throws -> Set<FindingKind> {
    Set(try inspect().counts.keys).subtracting([.lostSpace])
  }
}
