// Thrift's compact protocol, as far as Parquet's metadata needs it. Layer: Parquet.

import ByteText

/// Writes structs field by field, in the order of their numbers.
struct ThriftWriter: ~Copyable {
  private enum Kind: UInt8 {
    case yes = 1
    case no = 2
    case int32 = 5
    case int64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  var bytes = ByteBuffer(capacity: 1024)
  /// The number of the field before, in this struct and in those around it.
  private var last: [Int] = [0]

  // MARK: Fields

  mutating func field(_ number: Int, _ value: Bool) { head(number, value ? .yes : .no) }

  mutating func field(_ number: Int, int32 value: Int) {
    head(number, .int32)
    zigzag(Int64(value))
  }

  mutating func field(_ number: Int, int64 value: Int) {
    head(number, .int64)
    zigzag(Int64(value))
  }

  mutating func field(_ number: Int, _ value: [UInt8]) {
    head(number, .binary)
    binary(value)
  }

  mutating func field(_ number: Int, _ text: String) { field(number, Array(text.utf8)) }

  mutating func field(_ number: Int, _ body: (inout ThriftWriter) -> Void) {
    head(number, .structure)
    structure(body)
  }

  mutating func field<Item>(_ number: Int, structs items: [Item], _ body: (inout ThriftWriter, Item) -> Void)
  {
    list(number, .structure, items.count)
    for item in items { structure { body(&$0, item) } }
  }

  mutating func field(_ number: Int, int32s values: [Int]) {
    list(number, .int32, values.count)
    for value in values { zigzag(Int64(value)) }
  }

  mutating func field(_ number: Int, int64s values: [Int]) {
    list(number, .int64, values.count)
    for value in values { zigzag(Int64(value)) }
  }

  mutating func field(_ number: Int, bools values: [Bool]) {
    list(number, .yes, values.count)
    for value in values { bytes.append((value ? Kind.yes : .no).rawValue) }
  }

  mutating func field(_ number: Int, binaries values: [[UInt8]]) {
    list(number, .binary, values.count)
    for value in values { binary(value) }
  }

  // MARK: Values

  /// A struct that stands alone.
  mutating func structure(_ body: (inout ThriftWriter) -> Void) {
    last.append(0)
    body(&self)
    last.removeLast()
    bytes.append(0)
  }

  private mutating func binary(_ value: [UInt8]) {
    bytes.append(varint: UInt64(value.count))
    bytes.append(value)
  }

  private mutating func list(_ number: Int, _ kind: Kind, _ count: Int) {
    head(number, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes.append(varint: UInt64(count))
    }
  }

  private mutating func head(_ number: Int, _ kind: Kind) {
    let delta = number - last[last.count - 1]
    precondition(delta > 0 && delta < 16, "fields come in the order of their numbers")
    last[last.count - 1] = number
    bytes.append(UInt8(delta) << 4 | kind.rawValue)
  }

  private mutating func zigzag(_ value: Int64) {
    bytes.append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
  }
}

extension ByteBuffer {
  /// Seven bits a byte, the lowest first.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// The low `size` bytes of a number, the lowest first.
  mutating func append(littleEndian value: UInt64, size: Int) {
    var target = extend(by: size)
    var rest = value
    for index in 0..<size {
      target[index] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
    }
  }
}
