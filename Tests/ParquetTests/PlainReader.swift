// A reader of Parquet files that are not compressed, as slow and plain as can be, to judge the writer by.

/// A value of Thrift's compact protocol.
indirect enum Thrift {
  case number(Int64)
  case bool(Bool)
  case bytes([UInt8])
  case list([Thrift])
  case structure([Int: Thrift])

  subscript(field: Int) -> Thrift? { if case .structure(let fields) = self { fields[field] } else { nil } }
  var int: Int { if case .number(let value) = self { Int(value) } else { -1 } }
  var raw: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
  var items: [Thrift] { if case .list(let items) = self { items } else { [] } }
}

struct ByteCursor {
  let bytes: [UInt8]
  var place: Int

  mutating func byte() -> UInt8 {
    defer { place += 1 }
    return bytes[place]
  }

  mutating func take(_ count: Int) -> [UInt8] {
    defer { place += count }
    return Array(bytes[place..<place + count])
  }

  mutating func varint() -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while true {
      let next = byte()
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  mutating func little(_ size: Int) -> UInt64 {
    take(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func zigzag() -> Int64 {
    let value = varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func thrift(_ kind: UInt8) -> Thrift {
    switch kind {
    case 1: return .bool(true)
    case 2: return .bool(false)
    case 4, 5, 6: return .number(zigzag())
    case 8:
      let size = Int(varint())
      return .bytes(take(size))
    case 9:
      let head = byte()
      let count = head >> 4 == 15 ? Int(varint()) : Int(head >> 4)
      return .list(
        (0..<count).map { _ in head & 15 < 3 ? .bool(byte() == 1) : thrift(head & 15) })
    case 12:
      var fields: [Int: Thrift] = [:]
      var number = 0
      while case let head = byte(), head != 0 {
        number += Int(head >> 4)
        fields[number] = thrift(head & 15)
      }
      return .structure(fields)
    default: preconditionFailure("Thrift kind \(kind)")
    }
  }

  /// Runs and packed groups until `count` numbers are there.
  mutating func hybrid(_ count: Int, bitWidth: Int) -> [Int] {
    var values: [Int] = []
    while values.count < count {
      let head = Int(varint())
      if head & 1 == 0 {
        values += Array(repeating: Int(little((bitWidth + 7) / 8)), count: head >> 1)
      } else {
        let packed = take((head >> 1) * bitWidth)
        for index in 0..<(head >> 1) * 8 {
          var value = 0
          for bit in 0..<bitWidth {
            let place = index * bitWidth + bit
            if packed[place / 8] >> UInt8(place % 8) & 1 == 1 { value |= 1 << bit }
          }
          values.append(value)
        }
      }
    }
    return Array(values.prefix(count))
  }
}

/// An entry of a column: its levels, and its bytes where there is a value.
struct Entry: Equatable {
  var definition: Int
  var repetition: Int
  var value: [UInt8]?
}

struct PlainFile {
  let bytes: [UInt8]
  let footer: Thrift

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    precondition(bytes.prefix(4) == bytes.suffix(4) && bytes.prefix(4).elementsEqual("PAR1".utf8))
    var end = ByteCursor(bytes: bytes, place: bytes.count - 8)
    let size = Int(end.little(4))
    var cursor = ByteCursor(bytes: bytes, place: bytes.count - 8 - size)
    footer = cursor.thrift(12)
  }

  var rowCount: Int { footer[3]?.int ?? -1 }
  var groups: [Thrift] { footer[4]?.items ?? [] }

  /// The sizes of plain values by the number of the physical type; nil: they bring their length.
  private static let sizes: [Int: Int] = [2: 8, 4: 4, 5: 8]

  func entries(_ chunk: Thrift, definitionMax: Int, repetitionMax: Int) -> [Entry] {
    guard let meta = chunk[3], let type = meta[1]?.int, let count = meta[5]?.int else { return [] }
    var cursor = ByteCursor(bytes: bytes, place: (meta[11] ?? meta[9])?.int ?? 0)
    var dictionary: [[UInt8]] = []
    var entries: [Entry] = []
    while entries.count < count {
      let header = cursor.thrift(12)
      precondition(header[2]?.int == header[3]?.int, "pages are not compressed")
      var page = ByteCursor(bytes: cursor.take(header[3]?.int ?? 0), place: 0)
      if let head = header[7] {
        dictionary = Self.plain(&page, head[1]?.int ?? 0, type)
        continue
      }
      guard let head = header[5], let length = head[1]?.int else { return [] }
      let repetitions = Self.levels(&page, length, repetitionMax)
      let definitions = Self.levels(&page, length, definitionMax)
      let valueCount = definitions.count { $0 == definitionMax }
      var values: [[UInt8]]
      if head[2]?.int == 8 {
        let bitWidth = Int(page.byte())
        values = page.hybrid(valueCount, bitWidth: bitWidth).map { dictionary[$0] }
      } else {
        values = Self.plain(&page, valueCount, type)
      }
      values.reverse()
      for (definition, repetition) in zip(definitions, repetitions) {
        let value = definition == definitionMax ? values.removeLast() : nil
        entries.append(Entry(definition: definition, repetition: repetition, value: value))
      }
    }
    return entries
  }

  private static func levels(_ page: inout ByteCursor, _ count: Int, _ max: Int) -> [Int] {
    guard max > 0 else { return Array(repeating: 0, count: count) }
    let size = Int(page.little(4))
    var part = ByteCursor(bytes: page.take(size), place: 0)
    return part.hybrid(count, bitWidth: Int.bitWidth - max.leadingZeroBitCount)
  }

  private static func plain(_ page: inout ByteCursor, _ count: Int, _ type: Int) -> [[UInt8]] {
    if type == 0 {
      let bits = page.take((count + 7) / 8)
      return (0..<count).map { [bits[$0 / 8] >> UInt8($0 % 8) & 1] }
    }
    return (0..<count).map { _ in
      let size = sizes[type] ?? Int(page.little(4))
      return page.take(size)
    }
  }
}
