import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// `serve`: who may ask, what is answered, and what becomes of files.
@Suite("Serving a page")
struct ServeTests {
  private static let api = "/api/v1"

  private func served(_ words: String...) throws -> ServedRealm {
    try ServedRealm(try WholeFileScene(), words)
  }

  // MARK: Walls

  @Test("only names of this machine, the page itself and the token are let in")
  func walls() throws {
    let server = try served("-w", "zoo.realm")
    let own = "Host: 127.0.0.1:\(server.port)\r\nCookie: \(server.cookie)\r\n"
    #expect(try server.get("/").status == 200)
    for host in [
      "evil.example", "127.0.0.1.evil.example", "localhost.evil:80", "127.0.0.1:80x", "[::2]", "10.0.0.1",
    ] {
      let answer = try server.send("GET / HTTP/1.1\r\nHost: \(host)\r\nCookie: \(server.cookie)\r\n\r\n")
      #expect(answer.status == 403, "\(host)")
    }
    #expect(try server.send("GET / HTTP/1.1\r\nCookie: \(server.cookie)\r\n\r\n").status == 403)
    for name in ["localhost", "127.0.0.1", "[::1]:9", "localhost:1"] {
      #expect(
        try server.send("GET / HTTP/1.1\r\nHost: \(name)\r\nCookie: \(server.cookie)\r\n\r\n").status == 200)
    }
    let changes = "\(Self.api)/realms/0/changes"
    for origin in ["http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:\(server.port)"] {
      #expect(try server.post(changes, "{}", origin: origin).status == 403, "\(origin)")
      #expect(try server.get("/", "Origin: \(origin)\r\n").status == 403, "\(origin)")
    }
    let plain = "POST \(changes) HTTP/1.1\r\n\(own)Content-Length: 2\r\n\r\n{}"
    #expect(try server.send(plain).status == 403, "no Origin")
    for cookie in ["", "x=y", server.cookie.dropLast() + "x", "\(server.cookie)0"] {
      let answer = try server.send(
        "GET \(Self.api)/realms HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\r\n")
      #expect(answer.status == 403 && !answer.text.contains("zoo"))
    }
    #expect(
      try server.send("GET /?token=\(String(repeating: "0", count: 32)) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        .status == 403)
  }

  @Test("every answer forbids what the page does not need")
  func headers() throws {
    let server = try served("zoo.realm")
    for path in ["/", "/page.js", "/nothing", "\(Self.api)/realms", "\(Self.api)/nothing"] {
      let head = try server.get(path).head
      for part in ["Content-Security-Policy: default-src 'none'", "nosniff", "no-referrer", "no-store"] {
        #expect(head.contains(part), "\(path): \(part)")
      }
      #expect(!head.contains("Access-Control") && !head.contains("unsafe-inline"))
    }
  }

  @Test("without -w nothing is changed, and neither bytes nor times of files are")
  func readOnly() throws {
    let server = try served("zoo.realm")
    let before = try server.scene.bytes("zoo.realm")
    let names = server.scene.names
    let body = #"{"changes":[{"op":"delete","class":"Dog","key":"0"}]}"#
    #expect(try server.post("\(Self.api)/realms/0/changes", body).status == 403)
    let unknown = try server.get("\(Self.api)/realms/0/changes")
    #expect(unknown.status == 405 && unknown.head.contains("Allow: POST"), "\(unknown.head)")
    #expect(try server.get("\(Self.api)/realms/0/query?text=delete+Dog").status == 400)
    for text in ["begin", "commit", "select+1;select+2", "Dog;Dog", ".tables", ""] {
      for path in ["query?text=", "export?format=json&statement=", "export?format=sqlite&statement="] {
        #expect(try server.get("\(Self.api)/realms/0/\(path)\(text)").status == 400, "\(path)\(text)")
      }
    }
    #expect(try server.get("\(Self.api)/realms/0/query?text=select+';';").status == 200)
    for path in ["classes", "rows?class=Dog", "schema", "space", "check", "objects/Dog/0", "links/Person/1"] {
      #expect(try server.get("\(Self.api)/realms/0/\(path)").status == 200, "\(path)")
    }
    #expect(try server.scene.bytes("zoo.realm") == before)
    #expect(server.scene.names == names)
  }

  @Test("what was read of an object can be written back as it was read, and nothing changes")
  func writtenBack() throws {
    let server = try served("-w", "zoo.realm")
    func values() throws -> [String: Any] {
      let text = try server.get("\(Self.api)/realms/0/objects/Person/5").text
      let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return try #require(document?["values"] as? [String: Any])
    }
    let before = try values()
    #expect(before.count > 15)
    for (name, value) in before where name != "_id" {
      let change: [String: Any] = [
        "op": "set", "class": "Person", "key": "5", "path": [name], "value": value,
      ]
      let body = try JSONSerialization.data(withJSONObject: ["changes": [change]])
      let answer = try server.post("\(Self.api)/realms/0/changes", String(decoding: body, as: UTF8.self))
      #expect(answer.status == 200, "\(name): \(answer.text)")
    }
    for value in [
      #"{"$binary":{"start":"","bytes":9223372036854775807}}"#, #"{"$binary":{"start":"AAA=","bytes":3}}"#,
      #"{"$binary":{"start":"AA==","bytes":-9}}"#,
      #"{"$dict":{"count":1,"from":0,"items":[[{"$string":"/w=="},1.5]]}}"#, #"{"$int":"1,\"x\":2"}"#,
      #"{"$list":{"count":2,"from":0,"items":[]}}"#, #"{"$text":{"bytes":9,"start":"x"}}"#,
    ] {
      let body =
        #"{"changes":[{"op":"set","class":"Person","key":"5","path":["attrs"],"value":\#(value)}]}"#
      #expect(try server.post("\(Self.api)/realms/0/changes", body).status == 400, "\(value)")
    }
    let after = try values()
    // Who owns it has another object then.
    for (name, value) in before where name != "address" {
      #expect((value as? NSObject) == (after[name] as? NSObject), "\(name)")
    }
  }

  @Test("paths lead to the page's files and to the realms that were named, nowhere else")
  func paths() throws {
    let server = try served("zoo.realm")
    for path in [
      "/../zoo.realm", "/%2e%2e/zoo.realm", "/..%2fzoo.realm", "/zoo.realm", "//etc/passwd",
      "/grid/../page.js",
      "\(Self.api)/realms/1/classes", "\(Self.api)/realms/-1/classes", "\(Self.api)/realms/x/classes",
      "\(Self.api)/realms/0/objects/Dog/99999", "\(Self.api)/realms/0/objects/..%2f/0", "/%ff",
    ] {
      #expect([400, 404].contains(try server.get(path).status), "\(path)")
    }
  }

  @Test("large bodies and headers are refused, and connections that say nothing are closed")
  func limits() throws {
    let server = try served("zoo.realm")
    let large =
      "POST \(Self.api)/realms/0/changes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n"
    #expect(try server.send(large).status == 413)
    let longHeader =
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 1 << 21))\r\n\r\n"
    #expect(try server.send(longHeader).status != 200)
    var idle: [Int32] = []
    for _ in 0..<400 { idle.append(try server.connect()) }
    // A byte now and then keeps no connection alive, and others are served meanwhile.
    #expect(try server.get("\(Self.api)/realms").status == 200)
    let half = try server.connect()
    ServedRealm.write("GET /", to: half)
    shutdown(half, Int32(SHUT_WR))
    _ = ServedRealm.answer(from: half)
    for descriptor in idle + [half] { close(descriptor) }
    #expect(try server.get("\(Self.api)/realms").status == 200)
  }

  @Test("a long condition is answered, and a whole address too")
  func longAddress() throws {
    let server = try served("zoo.realm")
    let condition = "age%20>%203" + String(repeating: "%20or%20age%20>%203", count: 10_000)
    let rows = "\(Self.api)/realms/0/rows?class=Dog&where=\(condition)"
    #expect(try server.get(rows).text.contains(#""total":60"#))
    let whole = try server.get("http://127.0.0.1:\(server.port)\(Self.api)/realms")
    #expect(whole.status == 200)
    #expect(try server.get("http://example.org\(Self.api)/realms").status == 400)
  }

  // MARK: Answers

  @Test("the description of the API names what is answered")
  func openAPI() throws {
    let server = try served("zoo.realm")
    let document = try #require(
      try JSONSerialization.jsonObject(with: try server.get("\(Self.api)/openapi.json").body)
        as? [String: Any])
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    #expect(paths.count >= 14)
    var described = 0
    for (path, operations) in paths where path != "/events" {
      for (method, operation) in operations {
        let filled = path.replacing("{realm}", with: "0").replacing("{class}", with: "Dog").replacing(
          "{key}", with: "0")
        let query = (operation["parameters"] as? [[String: Any]] ?? []).filter {
          $0["in"] as? String == "query"
            && ($0["required"] as? Bool == true || $0["name"] as? String == "class")
        }.map { parameter -> String in
          let name = parameter["name"] as? String ?? ""
          let values = ["class": "Dog", "property": "name", "text": "count+Dog"]
          let words = (parameter["schema"] as? [String: Any])?["enum"] as? [String]
          return "\(name)=\(values[name] ?? words?.first ?? "")"
        }
        let target = Self.api + filled + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        let answer = method == "get" ? try server.get(target) : try server.post(target, "{}")
        let responses = operation["responses"] as? [String: Any] ?? [:]
        #expect(
          responses.keys.contains("\(answer.status)"), "\(method) \(target): \(answer.status) \(answer.text)")
        #expect(method != "get" || answer.status == 200, "\(target): \(answer.text)")
        if method == "get", (responses["200"] as? [String: Any]) != nil {
          let content = (responses["200"] as? [String: Any])?["content"] as? [String: Any]
          let json = (content?["application/json"] as? [String: Any])?["schema"]
          if let json {
            let value = try JSONSerialization.jsonObject(with: answer.body, options: .fragmentsAllowed)
            #expect(JSONSchema.flaw(of: value, json) == nil, "\(target): \(answer.text.prefix(500))")
            described += (json as? [String: Any])?.isEmpty == false ? 1 : 0
          }
        }
        #expect(try server.get(target + (query.isEmpty ? "?" : "&") + "surplus=1").status != 200)
      }
    }
    #expect(described >= 12)
  }

  @Test("a mistake in a condition comes with its place")
  func mistakes() throws {
    let server = try served("zoo.realm")
    let answer = try server.get("\(Self.api)/realms/0/rows?class=Dog&where=nmae+%3D%3D+1")
    #expect(answer.status == 400)
    for part in [#""kind":"unknown-property""#, #""column":1"#, #""length":4"#, "did you mean"] {
      #expect(answer.text.contains(part), "\(part): \(answer.text)")
    }
  }

  @Test("integers travel as texts, and rows are found by their place")
  func rows() throws {
    let server = try served("-w", "zoo.realm")
    let first = try server.get("\(Self.api)/realms/0/rows?class=Person&sort=age+desc&from=198&count=5")
    #expect(first.text.contains(#""count":200,"total":200,"from":198"#), "\(first.text)")
    #expect(first.text.components(separatedBy: #""key":""#).count >= 3)
    func create(_ more: String) throws -> ServedRealm.Answer {
      let values = #"{"_id":9223372036854775807,"name":"Max","age":-9223372036854775808\#(more)}"#
      return try server.post(
        "\(Self.api)/realms/0/changes",
        #"{"changes":[{"op":"create","class":"Person","values":\#(values)}]}"#)
    }
    let refused = try create("")
    #expect(
      refused.status == 409 && refused.text.contains(#""kind":"missing-property""#)
        && refused.text.contains(#""exit":8"#), "\(refused.text)")
    let made = try create(
      #","weight":1,"balance":1,"active":true,"token":"00000000-0000-0000-0000-000000000000""#)
    #expect(made.status == 200, "\(made.text)")
    let found = try server.get("\(Self.api)/realms/0/rows?class=Person&where=name+%3D%3D+%22Max%22").text
    #expect(
      found.contains(#"{"$int":"9223372036854775807"}"#)
        && found.contains(#"{"$int":"-9223372036854775808"}"#),
      "\(found)")
  }

  @Test("the first rows of an order are those of all rows in this order")
  func firstRows() throws {
    let server = try served("zoo.realm")
    for condition in ["", "age+%3E+10", "age+%3E+1000"] {
      func rows(_ from: Int, _ count: Int) throws -> (count: Substring?, keys: [Substring]) {
        let text = try server.get(
          "\(Self.api)/realms/0/rows?class=Person&sort=age+desc&where=\(condition)&from=\(from)&count=\(count)"
        ).text
        let found = text.firstMatch(of: /"count":([0-9]+)/)?.1
        return (found, text.matches(of: /{"key":"([0-9]+)"/).map(\.1))
      }
      let first = try rows(0, 7)
      // So many are found together with all others, which are kept.
      _ = try rows(400, 500)
      let all = try rows(0, 500)
      #expect(first.count == all.count && first.keys == Array(all.keys.prefix(7)))
      #expect(all.count == "\(all.keys.count)")
      #expect(try rows(3, 4).keys == Array(all.keys.dropFirst(3).prefix(4)))
    }
  }

  @Test("classes are written in the languages of the SDKs")
  func code() throws {
    let server = try served("zoo.realm")
    let swift = try server.get("\(Self.api)/realms/0/code?language=swift").text
    #expect(swift.contains("class Person") && swift.contains(#""suffix":".swift""#), "\(swift)")
    #expect(try server.get("\(Self.api)/realms/0/schema").text.contains(#""languages":["swift""#))
    #expect(try server.get("\(Self.api)/realms/0/code?language=cobol").status == 400)
  }

  @Test("a result that is too large is cut after a row, and says so")
  func largeResults() throws {
    let server = try served("zoo.realm")
    for (limit, isCut) in [(3, false), (1_000_000, true)] {
      let text =
        "select a.name, b.name, c.age as \"2\", 1 as \"1\" from Person a, Person b, Person c limit \(limit)"
      let query = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let answer = try server.get("\(Self.api)/realms/0/query?text=\(query)")
      let document = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
      let result = try #require(document?["result"] as? [String: Any])
      #expect(result["columns"] as? [String] == ["name", "name", "2", "1"])
      let rows = try #require(result["rows"] as? [[Any]])
      #expect(document?["is_cut"] as? Bool == isCut)
      #expect(isCut ? rows.count > 10_000 && rows.count < limit : rows.count == limit)
      #expect(rows.allSatisfy { $0.count == 4 })
    }
  }

  @Test("a file is checked, compacted and handed out as copies, and nothing else is left")
  func wholeFiles() throws {
    let server = try served("-w", "zoo.realm")
    let names = server.scene.names
    let file = "\(Self.api)/realms/0"
    #expect(try server.get("\(file)/check").text.contains(#""verdict":"sound""#))
    let before = try server.scene.bytes("zoo.realm").count
    for (isFirst, word) in [(true, #""compacted":true"#), (false, #""status":"skipped""#)] {
      let answer = try server.post("\(file)/compact", "")
      #expect(answer.status == 200 && answer.text.contains(word), "\(isFirst): \(answer.text)")
    }
    #expect(try server.scene.bytes("zoo.realm").count < before)
    #expect(try server.get("\(file)/rows?class=Dog").text.contains(#""total":60"#))
    #expect(try server.get("\(file)/progress").text == "null")
    let copy = try server.get("\(file)/file?format=realm")
    try copy.body.write(to: server.scene.folder.url.appending(path: "copy.realm"))
    try server.scene.run(["check", "copy.realm"])
    try server.scene.run(["diff", "zoo.realm", "copy.realm"])
    let tables = try server.get("\(file)/file?format=sqlite")
    try tables.body.write(to: server.scene.folder.url.appending(path: "zoo.sqlite"))
    try server.scene.run(["verify", "zoo.realm", "zoo.sqlite"])
    #expect(Set(server.scene.names).subtracting(names) == ["copy.realm", "zoo.sqlite"])
    // Ending the page stops nothing.
    #expect(server.lastWords() == "")
    let reader = try served("zoo.realm")
    #expect(try reader.post("\(file)/compact", "").status == 403)
  }

  @Test("a commit of another process is told to who listens, whoever has left")
  func events() throws {
    let server = try served("zoo.realm")
    func version() throws -> Int {
      let text = try server.get("\(Self.api)/realms/0/classes").text
      return try #require(text.firstMatch(of: /"version":(\d+)/).flatMap { Int($0.1) })
    }
    func read(_ descriptor: Int32, until part: String) -> String {
      var seen = ""
      var buffer = [UInt8](repeating: 0, count: 4096)
      while !seen.contains(part) {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        seen += String(decoding: buffer[..<count], as: UTF8.self)
      }
      return seen
    }
    let listeners = try (0..<3).map { _ in
      let listener = try server.connect()
      ServedRealm.write(
        "GET \(Self.api)/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(server.cookie)\r\n\r\n", to: listener
      )
      _ = read(listener, until: "retry: 1000\n\n\r\n")
      return listener
    }
    // Before the watch has begun, commits are told to nobody.
    for age in 100..<1000 where !ServedRealm.hasNews(listeners[0]) {
      try server.scene.run(["-w", "--yes", "zoo.realm", "update Dog set age = \(age)"])
    }
    let before = try version()
    for (age, listener) in listeners.enumerated() {
      try server.scene.run(["-w", "--yes", "zoo.realm", "update Dog set age = \(age)"])
      let told = #""realm":0,"version":\#(before + age + 1)}"#
      let seen = read(listener, until: told)
      #expect(seen.contains(told), "\(seen)")
      close(listener)
    }
  }

  @Test("a socket is its user's alone, and gone when the server is")
  func socketFile() throws {
    let scene = try WholeFileScene()
    let script = """
      $R serve --socket s zoo.realm >out & server=$!
      for i in $(seq 2400); do [ -S s ] && break; sleep 0.05; done
      stat -c %a s; for i in $(seq 2400); do [ -e answered ] && break; sleep 0.05; done
      kill $server; wait $server; ls s 2>/dev/null | wc -l
      """
    let folder = scene.folder.url
    let client = Thread {
      guard let answer = try? ServedRealm.answer(throughSocket: "s", in: folder) else { return }
      try? "\(answer.status)".write(
        to: folder.appendingPathComponent("answered"), atomically: true, encoding: .utf8)
    }
    client.start()
    #expect(try scene.shell(script).outputText == "600\n0\n")
    // Without the token nobody sees a page, but everybody an answer.
    #expect(try String(contentsOf: folder.appendingPathComponent("answered"), encoding: .utf8) == "403")
  }

  @Test("the page is all the files of its folder, each as it lies there")
  func pageFiles() throws {
    let server = try served("zoo.realm")
    let folder = RealmProcess.packageRoot.appendingPathComponent("Sources/CPage/Page")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
    #expect(paths.count > 10)
    for path in paths {
      let answer = try server.get("/\(path)")
      #expect(answer.status == 200, "\(path)")
      #expect(try answer.body == Data(contentsOf: folder.appendingPathComponent(path)), "\(path)")
    }
    for path in ["/grid", "/index.html%00x"] { #expect(try server.get(path).status == 404, "\(path)") }
  }

  @Test("clients that leave before they are answered end nothing")
  func leavers() throws {
    let server = try served("zoo.realm")
    let request = "GET /page.css HTTP/1.1\r\nHost: localhost\r\nCookie: \(server.cookie)\r\n\r\n"
    for _ in 0..<300 {
      let client = try server.connect()
      for _ in 0..<20 { ServedRealm.write(request, to: client) }
      close(client)
    }
    var status = try server.get("\(Self.api)/realms").status
    // As long as what they have asked for waits, others are told to try again.
    for _ in 0..<2400 where status == 503 {
      usleep(50_000)
      status = try server.get("\(Self.api)/realms").status
    }
    #expect(status == 200)
  }

  @Test("it ends by itself when nobody asks")
  func idle() throws {
    let scene = try WholeFileScene()
    let start = Date()
    try scene.run(["serve", "--idle-timeout", "1s", "zoo.realm"])
    #expect(Date().timeIntervalSince(start) < 60)
    try scene.run(["serve", "--port", "70000", "zoo.realm"], status: 2)
    try scene.run(["serve", "-"], status: 2)
  }
}
