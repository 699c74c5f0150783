// Databases beside the main one of a connection. Layer: RealmSQL, SQLite.

import ByteText
import RealmEngine

extension SQLConnection {
  /// An empty database that is gone with the connection.
  func attachMemory(as name: String) throws(SQLError) {
    try execute("ATTACH ':memory:' AS \(SQLText.quoted(name: name))")
  }

  /// A file that is only read.
  func attach(_ path: [UInt8], as name: String) throws(SQLError) {
    let statement = try prepare("ATTACH ? AS \(SQLText.quoted(name: name))")
    try statement.run([.text(ByteString(copying: Self.readOnlyAddress(of: path)))])
    // A file that is none of SQLite's is found out when it is first read.
    _ = try prepare("SELECT count(*) FROM \(SQLText.quoted(name: name)).sqlite_master").step()
  }

  /// The path as a URI, in which only letters, digits and a few others mean themselves.
  private static func readOnlyAddress(of path: [UInt8]) -> [UInt8] {
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
    address.append(literal: "?mode=ro")
    return address.bytes
  }
}
