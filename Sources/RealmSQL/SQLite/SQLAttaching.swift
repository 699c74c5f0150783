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
      if let file = address.restingFile { try keep(file) }
      let statement = try prepare("ATTACH ? AS \(SQLText.quoted(name: name))")
      try statement.run([.text(ByteString(copying: address.bytes))])
      try execute("PRAGMA locking_mode = NORMAL")
      // A file that is none of SQLite's is found out when it is first read.
      _ = try prepare("SELECT count(*) FROM \(SQLText.quoted(name: name)).sqlite_master").step()
    } catch {
      let message = error.message.hasSuffix(SQLError.otherEncoding) ? SQLError.wideText : error.message
      throw SQLError(code: error.code, message: "\(FilePath(path).displayName): \(message)")
    }
  }

  /// Notes a file that is about to be read as one at rest.
  func keep(_ file: RestingFile) throws(SQLError) {
    restingFiles.append(file)
    // The way through the log is kept in this process's memory then, instead of in a file beside it.
    if file.hasLog { try execute("PRAGMA locking_mode = EXCLUSIVE") }
  }

  /// Throws where another program wrote to a file that was read as one at rest.
  func checkUnchanged() throws(EngineError) {
    for file in restingFiles where file.isChanged {
      throw EngineError(
        .changedWhileRead, "another program changed \(file.path.displayName) while it was read",
        naming: file.path.displayName,
        hint: "try again")
    }
  }
}

/// A file in SQLite's mode of writing ahead that no program is at: SQLite would make new files beside it to read it.
struct RestingFile {
  let path: FilePath
  /// Whether something was written ahead and never taken over.
  let hasLog: Bool
  /// Of the database and of its log.
  private let changeTimes: [Int64]

  private enum Header {
    static let size = 20
    static let readVersionOffset = 19
    /// In which writers write ahead.
    static let loggedVersion: UInt8 = 2
  }

  /// Nil where the file is another, or a program may be at it.
  init?(_ path: [UInt8]) {
    self.path = FilePath(path)
    changeTimes = Self.changeTimes(path)
    guard changeTimes[0] != 0, let file = FileHandle.open(self.path, 0) else { return nil }
    var head: [UInt8] = []
    guard (try? head.append(readingFrom: file.descriptor, countMax: Header.size)) == Header.size,
      head[Header.readVersionOffset] == Header.loggedVersion
    else { return nil }
    let log = FileHandle.open(Self.beside(path, "-wal"), 0)
    hasLog = log.map { (try? $0.status().size) != 0 } ?? false
    if hasLog, FileHandle.open(Self.beside(path, "-shm"), 0) != nil { return nil }
  }

  /// What others write ahead meanwhile changes nothing of a database that is read without a log.
  var isChanged: Bool {
    let count = hasLog ? 2 : 1
    return Self.changeTimes(path.bytes).prefix(count) != changeTimes.prefix(count)
  }

  /// What to add to the address of such a file.
  var addressEnd: StaticString { hasLog ? "&vfs=unix-none" : "&immutable=1" }

  private static func beside(_ path: [UInt8], _ ending: String) -> FilePath {
    FilePath(path + Array(ending.utf8))
  }

  private static func changeTimes(_ path: [UInt8]) -> [Int64] {
    [FilePath(path), beside(path, "-wal")].map { file in
      unsafe sql_change_time(file.bytes.map(CChar.init(bitPattern:)) + [0])
    }
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
      case _ where byte < 0x80 && byte.isNameByte, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"):
        address.append(byte)
      default:
        address.append(UInt8(ascii: "%"))
        let digits = Array("0123456789ABCDEF".utf8)
        address.append(digits[Int(byte >> 4)], digits[Int(byte & 15)])
      }
    }
    address.append(literal: "?mode=ro")
    if let restingFile { address.append(literal: restingFile.addressEnd) }
    bytes = address.bytes
  }
}
