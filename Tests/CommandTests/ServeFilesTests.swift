import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `serve`: what is saved of realms, their keys, and what stays of pages that are closed.
@Suite("Serving several pages and files")
struct ServeFilesTests {
  private static let api = "/api/v1"

  private func served(_ words: String...) throws -> ServedRealm {
    try ServedRealm(try WholeFileScene(), words)
  }

  @Test("what is shown is exported, also the result of a statement")
  func exports() throws {
    let server = try served("zoo.realm")
    let export = "\(Self.api)/realms/0/export?format=csv"
    let rows = try server.get("\(export)&class=Dog&where=age+%3E+15&sort=age")
    #expect(rows.status == 200 && rows.text.contains("name,age"), "\(rows.text)")
    let counted = try server.get(
      "\(export)&statement=select+age,+count(*)+as+n+from+Dog+where+age+%3C+2+group+by+age")
    #expect(counted.status == 200 && counted.text.hasPrefix("age,n\n0,"), "\(counted.text)")
    for (query, status) in [
      ("&statement=delete+Dog", 400), ("&statement=count+Cat", 400), ("", 400), ("&class=Cat", 404),
    ] {
      #expect(try server.get(export + query).status == status, "\(query)")
    }
  }

  @Test("who listens is told that a file is gone, and that it is back; nobody is told of options")
  func goneFile() throws {
    let server = try served("zoo.realm")
    let listener = try server.connect()
    ServedRealm.write(
      "GET \(Self.api)/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(server.cookie)\r\n\r\n", to: listener)
    var seen = ""
    func waits(for part: String) -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while !seen.contains(part) {
        let count = recv(listener, &buffer, buffer.count, 0)
        guard count > 0 else { return false }
        seen += String(decoding: buffer[..<count], as: UTF8.self)
      }
      seen = ""
      return true
    }
    #expect(waits(for: "retry"))
    usleep(300_000)
    try server.scene.shell("mv zoo.realm other.realm")
    #expect(waits(for: #"data: {"realm":0,"error":{"kind":"not-found","message":"cannot open zoo.realm"#))
    try server.scene.shell("mv other.realm zoo.realm")
    #expect(waits(for: #"data: {"realm":0,"version":"#))
    close(listener)
    let answer = try server.get("\(Self.api)/realms/0/rows?class=Dog&where=age+%3E+$0")
    #expect(answer.status == 400 && answer.text.contains(#""hint":null"#), "\(answer.text)")
    let statement = try server.get("\(Self.api)/realms/0/query?text=select+:x")
    #expect(
      statement.text.contains("is used but") && !statement.text.contains("--param"), "\(statement.text)")
  }

  @Test("a file that is not there is told, and the others are served")
  func missing() throws {
    let server = try served("missing.realm", "zoo.realm", "gone.realm")
    #expect(try server.get("\(Self.api)/realms/0/export?format=csv&class=Dog").status == 200)
    #expect(try server.get("\(Self.api)/realms/1/export?format=csv&class=Dog").status == 404)
    let words = server.lastWords()
    #expect(
      words.contains("cannot open missing.realm") && words.contains("cannot open gone.realm"), "\(words)")
  }

  @Test("what is shown is saved as a file of SQLite with one table, and nothing is left behind")
  func exportedTables() throws {
    let server = try served("zoo.realm")
    let names = server.scene.names
    for (query, text, expected) in [
      (
        "class=Dog&where=age+%3E+14&sort=age+desc", "group_concat(age, ' ') from saved.Dog",
        "16 16 16 15 15 15"
      ),
      ("class=Person&where=FALSEPREDICATE", "count(*), max(bestFriend) from saved.Person", "0,"),
      (
        "class=Person&where=avatar+!=+nil+AND+born+!=+nil&sort=_id",
        "typeof(_id), typeof(avatar), typeof(born), typeof(active), json_type(tags) from saved.Person limit 1",
        "integer,blob,text,integer,array"
      ),
      ("statement=count+Dog", "* from saved.result", "60"),
      ("statement=max+age+of+Dog", "* from saved.result", "16"),
      (
        "statement=select+name,+NAME,+7+as+n+from+Dog+limit+2", "name = name_2, n from saved.result limit 1",
        "1,7"
      ),
      ("statement=Dog+where+age+%3E+14+select+name,+owner.name", "count(*) from saved.result", "6"),
    ] {
      let answer = try server.get("\(Self.api)/realms/0/export?format=sqlite&\(query)")
      #expect(answer.status == 200, "\(query): \(answer.text)")
      let file = server.scene.folder.url.appending(path: "saved.sqlite")
      try answer.body.write(to: file)
      let found = try server.scene.run([
        "sql", "zoo.realm", "--attach-sqlite", "saved.sqlite", "select \(text)", "--csv", "--noheader",
      ]).outputText
      #expect(found == expected + "\n", "\(query)")
      try FileManager.default.removeItem(at: file)
    }
    #expect(
      try server.get("\(Self.api)/realms/0/export?format=sqlite&statement=explain+Dog").status == 400)
    #expect(server.scene.names == names)
  }

  @Test("a key is for the files that need it, and a file that it does not fit says so")
  func keys() throws {
    let scene = try WholeFileScene()
    try scene.run(["create", "other.realm", "--key-command", "printf %064d 7"])
    let server = try ServedRealm(scene, ["--key-file", "key.hex", "."])
    let realms = try #require(
      try JSONSerialization.jsonObject(with: try server.get("\(Self.api)/realms").body) as? [[String: Any]])
    var refused: [String] = []
    for realm in realms where realm["error"] != nil { refused.append(realm["file"] as? String ?? "") }
    #expect(refused == ["./other.realm"], "\(realms)")
    #expect(Set(realms.compactMap { $0["encrypted"] as? Bool }) == [true, false])
    let said = server.lastWords()
    #expect(said.contains("other.realm – wrong encryption key"), "\(said)")
    // The only file that is named takes the key in any case.
    let alone = try ServedRealm(try WholeFileScene(), ["--key-file", "key.hex", "zoo.realm"])
    #expect(try alone.get("\(Self.api)/realms/0/classes").status == 422)
  }

  @Test("whoever has read a copy to its end may ask for the next one")
  func copies() throws {
    let server = try ServedRealm(try WholeFileScene(), ["zoo.realm"])
    for _ in 0..<40 { #expect(try server.get("/api/v1/realms/0/file?format=realm").status == 200) }
    let head = try server.send(
      "HEAD /api/v1/realms HTTP/1.1\r\nHost: localhost\r\nCookie: \(server.cookie)\r\nConnection: close\r\n\r\n"
    )
    #expect(head.status == 200 && head.body.isEmpty, "\(head)")
  }

  @Test("on a connection that stays, answers do not wait for the client's confirmations")
  func repeated() throws {
    let server = try served("zoo.realm")
    let path = "\(Self.api)/realms/0/rows?class=Person&count=50"
    func milliseconds(_ answer: () throws -> ServedRealm.Answer) throws -> UInt64 {
      let start = DispatchTime.now().uptimeNanoseconds
      #expect(try answer().status == 200)
      return (DispatchTime.now().uptimeNanoseconds - start) / 1_000_000
    }
    let descriptor = try server.connect()
    defer { close(descriptor) }
    // The system confirms the first few pieces at once, and delays later ones by 40 ms.
    let times = try (0..<40).map { _ in
      try milliseconds {
        ServedRealm.write(
          "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(server.cookie)\r\n\r\n", to: descriptor)
        return ServedRealm.answer(from: descriptor)
      }
    }
    // A busy machine may be slow, but not each time, and on other connections as well.
    let others = try (0..<20).map { _ in try milliseconds { try server.get(path) } }
    #expect(times.suffix(20).sorted()[5] < 35 + others.sorted()[10], "\(times), others \(others)")
  }

  @Test("statements without end do not keep the server from answering others")
  func endless() throws {
    let server = try ServedRealm(try WholeFileScene(), ["zoo.realm"])
    let statement =
      "with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c where x<0"
    let text = try #require(statement.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let path = "/api/v1/realms/0/query?text=\(text)"
    let clients = try (0..<9).map { _ in
      let client = try server.connect()
      ServedRealm.write(
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(server.cookie)\r\n\r\n", to: client)
      return client
    }
    defer { for client in clients { close(client) } }
    for _ in 0..<5 { #expect(try server.get("/api/v1/realms/0/classes").status == 200) }
    let refused = try server.get(path)
    #expect(refused.status == 503 && refused.text.contains(#""kind":"busy""#), "\(refused)")
  }

  @Test("pages that come and go leave no threads behind")
  func comings() throws {
    let server = try served("-w", "zoo.realm")
    func threads() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(server.process.processIdentifier)/task")
        .count
    }
    var counts: [Int] = []
    // A busy machine may take long to end a thread, and begin more to answer; but not for ever.
    for _ in 0..<20 where counts.count < 2 || counts.last ?? 0 > counts[counts.count - 2] {
      for age in 0..<4 {
        let descriptor = try server.connect()
        ServedRealm.write(
          "GET \(Self.api)/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(server.cookie)\r\n\r\n",
          to: descriptor)
        usleep(20_000)
        close(descriptor)
        // The watch learns of it when it has something to tell.
        let edit = #"{"op":"set","class":"Dog","key":"0","path":["age"],"value":\#(age)}"#
        #expect(try server.post("\(Self.api)/realms/0/changes", #"{"changes":[\#(edit)]}"#).status == 200)
        usleep(60_000)
      }
      counts.append(try threads())
    }
    #expect(counts.count < 20, "\(counts)")
  }
}
