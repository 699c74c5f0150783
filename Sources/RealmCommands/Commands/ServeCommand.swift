// `serve`: a page to look around in, for one user's browser. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import CPlatform
import RealmEngine
import RealmQueryLanguage
import RealmServer
import RealmSession
import Rendering
import TextFormats

extension Command {
  private static let port = Option(
    "port", takes: .count, "N", "listen at this port of 127.0.0.1; 0, the default, takes a free one")
  private static let socket = Option(
    "socket", takes: .outputFile, "PATH", "listen at a Unix socket instead, for SSH to forward")
  private static let open = Option("open", "open the page in your browser")
  private static let idleTimeout = Option(
    "idle-timeout", takes: .text, "TIME", "end when nobody has looked for so long: 30m, 2h")

  /// `serve FILE… | DIRECTORY`
  static let serve = Command(
    .document(modes: []),
    CommandSpec(
      "serve", group: CommandGroup.reading, summary: "browse realms in a web browser",
      brief: "realms in a web browser",
      operands: [.realms],
      options: [port, socket, open, idleTimeout, .upgrades, .allTables, .snapshot],
      details: [
        """
        Prints the address of a page that shows classes, rows, objects, links, the schema and what takes space, \
        and follows what apps commit. FILE may be a directory: all .realm files in it. Nothing is changed unless \
        --write is given; then objects can be edited, and every edit is one transaction that can be undone. \
        Press Ctrl-C to stop.
        """,
        """
        Only this machine can connect, and only with the token in the address. To look at a file on another \
        machine, forward the port: ssh -L 8080:127.0.0.1:8080 HOST realm-cli serve --port 8080 app.realm
        """,
        """
        Programs get the address once and keep its cookie: curl -c jar ADDRESS, then curl -b jar \
        http://127.0.0.1:PORT/api/v1/realms. What can be asked is described at /api/v1/openapi.json. A POST needs the \
        header Origin: http://127.0.0.1:PORT too.
        """,
      ],
      examples: [
        Example("realm-cli serve --open app.realm", "the page, in your browser"),
        Example(
          "realm-cli serve -w --idle-timeout 30m *.realm", "with edits, until nobody looks for half an hour"),
      ]),
    waits: true
  ) { invocation in
    let arguments = invocation.arguments
    if arguments.has(open), arguments.has(.safe) { throw SideEffect.runsProgram.refusal(of: "--open") }
    guard arguments.word(port) == nil || arguments.word(socket) == nil else {
      throw Diagnostic.usage("--port and --socket contradict each other")
    }
    var words: [Word] = []
    var status = ExitStatus.success
    /// Whether the page can say what is the matter: with a file that is not there it cannot.
    func isShown(_ error: any Error) throws -> Bool {
      let diagnostic = Diagnostic(error)
      guard diagnostic.exit != .usage else { throw diagnostic }
      invocation.report(diagnostic)
      guard diagnostic.exit == .unavailable else { return true }
      status = status.first(of: diagnostic.exit)
      return false
    }
    for word in arguments.words(.realms) {
      do { words += try invocation.servedFiles(word) } catch { _ = try isShown(error) }
    }
    // A key is asked for now, while somebody is at the terminal.
    let isOnlyFile = words.map(\.bytes) == arguments.words(.realms).map(\.bytes) && words.count == 1
    let opening = isOnlyFile ? invocation : invocation.amongOthers()
    words = try words.filter { word in
      do { _ = try opening.snapshotSource(of: word) } catch { return try isShown(error) }
      return true
    }
    guard !words.isEmpty else { return status }
    let host = ServedFiles(invocation: opening.unattended(), words: words)
    let seconds = try arguments.text(idleTimeout).map { (try milliseconds($0) + 999) / 1000 } ?? 0
    let web = try WebServer(idleSeconds: seconds)
    let server = RealmServer(
      web, words.map { FilePath($0.bytes) }, isWritable: arguments.has(.write),
      showsAllTables: invocation.showsAllTables, joining: !arguments.has(.noJoin), host)
    let address: String
    if let path = arguments.word(socket) {
      let path = FilePath(path.bytes)
      try web.listen(path: path)
      address = "http://localhost/?token=\(server.walls.token)"
      invocation.note("listening at \(path.displayName)")
    } else {
      guard let number = UInt16(exactly: arguments.integer(port) ?? 0) else {
        throw Diagnostic.usage("a port is a number from 0 to 65535")
      }
      address = "http://127.0.0.1:\(try web.listen(port: number))/?token=\(server.walls.token)"
    }
    // Ctrl-C is how the page is ended: nothing is cut short that its user does not know of.
    platform_say_no_ending()
    try StandardStreams.write("\(address)\n")
    if arguments.has(open) { invocation.openBrowser(address) }
    try server.run()
    if let path = arguments.word(socket) { FilePath(path.bytes).remove() }
    return status
  }
}

extension Invocation {
  /// The file of that name, or the realms in that directory.
  fileprivate func servedFiles(_ word: Word) throws -> [Word] {
    if word.isDash { throw Diagnostic.usage("what comes from standard input cannot be served") }
    let path = FilePath(word.bytes)
    guard try path.status?.isDirectory ?? false else { return [word] }
    let names = SystemCalls.names(in: path).filter { $0.suffix(6).elementsEqual(".realm".utf8) }
    guard !names.isEmpty else {
      throw Diagnostic(
        .unavailable, code: "not-found", of: path, "holds no .realm files")
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.map { Word(path.child($0).bytes) }
  }

  fileprivate func openBrowser(_ address: String) {
    #if canImport(Darwin)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    do {
      let status = try ChildProcess(Array("\(program) '\(address)' >/dev/null 2>&1 </dev/null".utf8)).finish()
      if status != 0 { warn("\(program) found no browser; open the address above yourself") }
    } catch {
      warn("\(program) cannot be started")
    }
  }
}
