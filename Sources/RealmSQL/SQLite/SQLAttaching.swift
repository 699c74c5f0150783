// Databases beside the main one of a connection. Layer: RealmSQL, SQLite.

import ByteText
import CLibSQLite
import RealmEngine

extension SQLConnection {
  /// An empty database that is gone with the connection.
  func attachMemory(as name: String) throws(SQLError) {
    try execute("ATTACH ':memory:' AS \(SQLText.quoted(name: name))")
  }

  /// A file that is only read.
  func attach(_ path: [UInt8], as name: String) throws(SQLError) {
    let address = ReadOnlyAddress(path)
    do throws(SQLError) {
      let statement = try prepare("ATTACH ? AS \(SQLText.quoted(name: name))")
      try statement.run([.text(ByteString(copying: address.bytes))])
      if let file = address.restingFile { restingFiles.append(file) }
      // A file that is none of SQLite's is found out when it is first read.
      _ = try prepare("SELECT count(*) FROM \(SQLText.quoted(name: name)).sqlite_master").step()
    } catch {
      throw SQLError(code: error.code, message: "\(FilePath(path).displayName): \(error.message)")
    }
  }

  /// Throws where another program wrote to a file that was read as one at rest.
  func checkUnchanged() throws(EngineError) {
    for file in restingFiles where file.isChanged {
      throw EngineError(
        .changedWhileRead, "another program changed \(file.path.displayName) while it was read",
        hint: "try again")
    }
  }
}

/// A file in SQLite's mode of writing ahead whose log was taken over: SQLite would make a new log to read it.
struct RestingFile {
  let path: FilePath
  private let changeTime: Int64

  private enum Header {
    static let size = 20
    static let readVersionOffset = 19
    /// In which writers write ahead.
    static let loggedVersion: UInt8 = 2
  }

  /// Nil where the file is another, or its log holds something.
  init?(_ path: [UInt8]) {
    self.path = FilePath(path)
    changeTime = Self.changeTime(path)
    guard changeTime != 0, let file = FileHandle.open(self.path, 0) else { return nil }
    var head: [UInt8] = []
    guard (try? head.append(readingFrom: file.descriptor, countMax: Header.size)) == Header.size,
      head[Header.readVersionOffset] == Header.loggedVersion
    else { return nil }
    if let log = FileHandle.open(FilePath(path + Array("-wal".utf8)), 0) {
      guard (try? log.status().size) == 0 else { return nil }
    }
  }

  var isChanged: Bool { Self.changeTime(path.bytes) != changeTime }

  private static func changeTime(_ path: [UInt8]) -> Int64 {
    unsafe sql_change_time(path.map(CChar.init(bitPattern:)) + [0])
  }
}

/// What SQLite opens a file by so that reading leaves no trace.
struct ReadOnlyAddress {
  /// The path as a URI, in which only letters, digits and a few others mean themselves.
  let bytes: [UInt8]
  let restingFile: RestingFile?

  init(_ path: [UInt8]) {
    restingFile = RestingFile(path)
    var address = ByteBuffer()
    address.append(literal: "file:")
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        address.append(byte)
      default:
        address.append(UInt8(ascii: "%"))
        let digits = Array("0123456789ABCDEF".utf8)
        address.append(digits[Int(byte >> 4)], digits[Int(byte & 15)])
      }
    }
    address.append(literal: restingFile == nil ? "?mode=ro" : "?mode=ro&immutable=1")
    bytes = address.bytes
  }
}
