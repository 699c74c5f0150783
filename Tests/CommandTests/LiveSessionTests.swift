#if canImport(Glibc)
  import Foundation
  import Glibc
  import Testing

  /// Realms that an app has open. The app is this process: it holds the lock of a lock file as an engine makes it.
  @Suite("In a session")
  struct LiveSessionTests {
    /// A realm with two versions, and a session whose newest is the older one: nobody can have it but from the session.
    private final class Session {
      let scene: WholeFileScene
      let layout = (mutex: MemoryLayout<pthread_mutex_t>.size, condition: MemoryLayout<pthread_cond_t>.size)
      let descriptor: Int32
      let map: UnsafeMutableRawPointer

      static let script = """
        create class Dog { name: string }; create class Big { text: string }; insert Dog {"name": "old"}
        """

      init(participants: UInt32 = 1, edit: (UnsafeMutableRawPointer) -> Void = { _ in }) throws {
        scene = try WholeFileScene(isEmpty: true)
        try scene.run(["create", "live.realm"])
        try scene.run(["-w", "live.realm", Self.script])
        // More than a pipe holds.
        let row = #"{"text": ""# + String(repeating: "x", count: 1000) + "\"}\n"
        try Data(String(repeating: row, count: 300).utf8).write(to: scene.url("rows.jsonl"))
        #expect(try scene.shell("$R insert live.realm Big --data - <rows.jsonl").status == 0)
        let before = try scene.bytes("live.realm")
        try scene.run(["-w", "live.realm", "update Dog set name = 'new'"])
        let slot = Int(before[23] & 1)
        let top = before.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: slot * 8, as: UInt64.self) }
        let version = try #require(
          Int(scene.run(["info", "live.realm", "--json"]).outputText.captured(#""data_version": *([0-9]+)"#)))
        let size = 48 + 3 * layout.mutex + 5 * layout.condition + 24 + 16 + 32 * 40
        descriptor = open(scene.url("live.realm.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0 && ftruncate(descriptor, size) == 0)
        map = try #require(mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0))
        map.copyMemory(
          from: [1, UInt8(layout.mutex), UInt8(layout.condition), 0, 24, 2, 14, 0], byteCount: 8)
        map.storeBytes(of: participants, toByteOffset: 12, as: UInt32.self)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_setpshared(&attributes, Int32(PTHREAD_PROCESS_SHARED))
        pthread_mutexattr_setrobust(&attributes, Int32(PTHREAD_MUTEX_ROBUST))
        for number in 0..<3 { pthread_mutex_init(mutex(number), &attributes) }
        map.storeBytes(of: 32, toByteOffset: list, as: UInt32.self)
        let entry: [UInt64] = [UInt64(version) - 1, UInt64(before.count), top]
        for (index, word) in entry.enumerated() {
          map.storeBytes(of: word, toByteOffset: list + 16 + index * 8, as: UInt64.self)
        }
        map.storeBytes(of: entry[0], toByteOffset: 16, as: UInt64.self)
        edit(map)
        try #require(flock(descriptor, LOCK_SH) == 0)
      }

      deinit { close(descriptor) }

      var list: Int { 48 + 3 * layout.mutex + 5 * layout.condition + 24 }

      func mutex(_ number: Int) -> UnsafeMutablePointer<pthread_mutex_t> {
        (map + 48 + number * layout.mutex).assumingMemoryBound(to: pthread_mutex_t.self)
      }

      /// Participants, and readers of the version.
      var counts: [UInt32] {
        [map.load(fromByteOffset: 12, as: UInt32.self), map.load(fromByteOffset: list + 40, as: UInt32.self)]
      }

      /// What a reader sees: "old" comes from the session only.
      func name(_ options: [String] = []) throws -> String {
        let lines = try scene.run(["live.realm", "Dog select name", "--csv", "--noheader"] + options)
          .outputText
        return lines.trimmingCharacters(in: .whitespacesAndNewlines)
      }
    }

    @Test(
      "L-9: a reader is given the version that the session keeps, and leaves no trace in it or in the realm")
    func joining() throws {
      let session = try Session()
      let before = try session.scene.bytes("live.realm")
      let status = try session.scene.shell("stat -c '%y %z %s' live.realm").outputText
      #expect(try session.name() == "old")
      for command in ["dump", "check", "hash", "schema"] { try session.scene.run([command, "live.realm"]) }
      try session.scene.run(["copy", "live.realm", "copy.realm"])
      #expect(try session.scene.run(["copy.realm", "Dog select name", "--csv"]).outputText.contains("old"))
      #expect(session.counts == [1, 0])
      #expect(try session.scene.bytes("live.realm") == before)
      #expect(try session.scene.shell("stat -c '%y %z %s' live.realm").outputText == status)
      #expect(try session.name(["--no-join"]) == "new")
    }

    @Test(
      "L-3, L-7, L-8: what an engine of this system does not make is read without the session",
      arguments: [
        ("not complete", 0, 0), ("other mutexes", 1, 39), ("other conditions", 2, 40),
        ("another layout", 6, 13),
        ("a sync agent", 40, 1), ("nobody taking part", 12, 0), ("mutexes of another kind", 88 + 16, 0),
        ("a version elsewhere", -1, 255), ("an odd top", -2, 1), ("an index behind the list", -3, 255),
      ])
    func otherSessions(what: String, offset: Int, value: UInt8) throws {
      let session = try Session()
      let list = session.list
      let kind = 48 + session.layout.mutex + 16
      let place = [-1: list + 17, -2: list + 32, -3: list + 8, 104: kind][offset] ?? offset
      session.map.storeBytes(of: value, toByteOffset: place, as: UInt8.self)
      let before = session.counts
      #expect(try session.name() == "new", "\(what)")
      #expect(session.counts == before, "\(what)")
    }

    @Test("L-7: mutexes whose owner ended are taken over")
    func deadOwner() throws {
      let session = try Session()
      let (control, versions) = (UInt(bitPattern: session.mutex(1)), UInt(bitPattern: session.mutex(2)))
      let end = DispatchSemaphore(value: 0)
      let thread = Thread {
        for address in [control, versions] {
          pthread_mutex_lock(UnsafeMutablePointer<pthread_mutex_t>(bitPattern: address)!)
        }
        end.signal()
      }
      thread.start()
      end.wait()
      while !thread.isFinished { usleep(1000) }
      usleep(50_000)
      #expect(try session.name() == "old")
      #expect(session.counts == [1, 0])
      #expect(pthread_mutex_trylock(session.mutex(1)) == 0)
    }

    @Test(
      "a reader that a signal or a closed pipe ends leaves the session",
      arguments: [SIGTERM, SIGINT, SIGPIPE])
    func ended(number: Int32) throws {
      let session = try Session()
      let process = Process()
      process.executableURL = RealmProcess.executable
      process.arguments = ["dump", "live.realm"]
      process.currentDirectoryURL = session.scene.folder.url
      let pipe = Pipe()
      // A full pipe keeps the reader where it is.
      let fd = pipe.fileHandleForWriting.fileDescriptor
      _ = fcntl(fd, F_SETFL, O_NONBLOCK)
      let filler = [UInt8](repeating: 10, count: 4096)
      while write(fd, filler, 4096) > 0 {}
      while write(fd, filler, 1) > 0 {}
      _ = fcntl(fd, F_SETFL, 0)
      process.standardOutput = pipe
      try process.run()
      for _ in 0..<20_000 where process.isRunning && session.counts != [2, 1] { usleep(1000) }
      #expect(session.counts == [2, 1])
      if number == SIGPIPE {
        try pipe.fileHandleForWriting.close()
        try pipe.fileHandleForReading.close()
      } else {
        kill(process.processIdentifier, number)
      }
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(session.counts == [1, 0])
    }

    @Test("a file that is in use is not changed, and those who have it open are named")
    func busy() throws {
      let session = try Session()
      let before = try session.scene.bytes("live.realm")
      let expected = "live.realm is in use by 1 process (pid \(getpid()))"
      for command in [
        "insert live.realm Big --data - <rows.jsonl", "compact live.realm", "rm --yes live.realm",
      ] {
        let result = try session.scene.shell("$R \(command)")
        #expect(result.status == 6 && result.errorText.contains(expected), "\(command): \(result)")
      }
      #expect(try session.scene.bytes("live.realm") == before)
      #expect(session.counts == [1, 0])
    }
  }

  extension String {
    /// The first group of the first match.
    fileprivate func captured(_ pattern: String) -> String {
      guard let expression = try? NSRegularExpression(pattern: pattern),
        let match = expression.firstMatch(in: self, range: NSRange(startIndex..., in: self)),
        let range = Range(match.range(at: 1), in: self)
      else { return "" }
      return String(self[range])
    }
  }
#endif
