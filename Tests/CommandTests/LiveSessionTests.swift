#if canImport(Glibc)
  import Foundation
  import Glibc
  import TestSupport
  import Testing

  /// Realms that an app has open. The app is this process: it holds the lock of a lock file as an engine makes it.
  @Suite("In a session")
  struct LiveSessionTests {
    /// A realm with two versions, and a session whose newest is the older one: nobody can have it but from the session.
    private final class Session {
      /// The version that is the newest of the session.
      let version: UInt64
      let scene: WholeFileScene
      let layout = (mutex: MemoryLayout<pthread_mutex_t>.size, condition: MemoryLayout<pthread_cond_t>.size)
      let descriptor: Int32
      let map: UnsafeMutableRawPointer

      static let script = """
        create class Dog { name: string }; create class Big { text: string }; insert Dog {"name": "old"}
        """

      /// `isUpToDate`: the session's newest version is the one that the file's header selects, so that it takes writers.
      init(participants: UInt32 = 1, isUpToDate: Bool = false) throws {
        scene = try WholeFileScene(isEmpty: true)
        try scene.run(["create", "live.realm"])
        try scene.run(["-w", "live.realm", Self.script])
        // More than a pipe holds.
        let row = #"{"text": ""# + String(repeating: "x", count: 1000) + "\"}\n"
        try Data(String(repeating: row, count: 300).utf8).write(to: scene.url("rows.jsonl"))
        #expect(try scene.shell("$R insert live.realm Big --data - <rows.jsonl").status == 0)
        var before = try scene.bytes("live.realm")
        try scene.run(["-w", "live.realm", "update Dog set name = 'new'"])
        if isUpToDate { before = try scene.bytes("live.realm") }
        let slot = Int(before[23] & 1)
        let top = before.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: slot * 8, as: UInt64.self) }
        let version = try #require(
          Int(scene.run(["info", "live.realm", "--json"]).outputText.captured(#""data_version": *([0-9]+)"#)))
        self.version = UInt64(version) - (isUpToDate ? 0 : 1)
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
        let entry: [UInt64] = [self.version, UInt64(before.count), top]
        for (index, word) in entry.enumerated() {
          map.storeBytes(of: word, toByteOffset: list + 16 + index * 8, as: UInt64.self)
        }
        map.storeBytes(of: entry[0], toByteOffset: 16, as: UInt64.self)
        try #require(flock(descriptor, LOCK_SH) == 0)
      }

      deinit { close(descriptor) }

      /// One of the list of versions, by number.
      func version(_ index: Int) -> UInt64 {
        map.load(fromByteOffset: list + 16 + 40 * index, as: UInt64.self)
      }

      func readers(_ index: Int) -> UInt32 {
        map.load(fromByteOffset: list + 40 + 40 * index, as: UInt32.self)
      }

      /// Versions in the list, in order.
      var versions: [UInt64] { (0..<32).map(version).filter { $0 > 0 }.sorted() }

      var newest: Int { Int(map.load(fromByteOffset: list + 8, as: UInt32.self)) }

      func change(_ name: String) throws -> ProcessResult {
        try scene.shell("$R -w live.realm \"update Dog set name = '\(name)'\"")
      }

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

    @Test("L-11: a commit in a session becomes its newest version, and nothing of it is left behind")
    func committing() throws {
      let session = try Session(isUpToDate: true)
      for step in 1...6 as ClosedRange<UInt64> {
        let result = try session.change("name \(step)")
        #expect(result.status == 0, "\(result)")
        let newest = session.version + step
        #expect(session.version(session.newest) == newest && session.readers(session.newest) == 0)
        #expect(session.map.load(fromByteOffset: 16, as: UInt64.self) == newest)
        // What nobody reads is dropped by the next commit.
        #expect(session.versions == [newest - 1, newest])
        #expect(session.map.load(fromByteOffset: 32, as: UInt64.self) == 2)
      }
      #expect(session.counts[0] == 1)
      #expect(try session.name() == "name 6")
      for number in 0..<3 { #expect(pthread_mutex_trylock(session.mutex(number)) == 0) }
    }

    /// The mutexes of the session and of its list of versions.
    @Test("who waits at a commit for somebody who was stopped can be ended", arguments: [1, 2])
    func endedAtCommit(number: Int) throws {
      let (session, process) = (try Session(isUpToDate: true), Process())
      let before = try session.scene.bytes("live.realm")
      process.executableURL = RealmProcess.executable
      process.arguments = ["-w", "--dialog", "--mode", "jsonl", "live.realm"]
      process.currentDirectoryURL = session.scene.folder.url
      let (input, output) = (Pipe(), Pipe())
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      input.fileHandleForWriting.write(Data("begin\nupdate Dog set name = 'never'\n".utf8))
      var count = 0
      while count < 2, let byte = try output.fileHandleForReading.read(upToCount: 1) {
        count += byte[0] == 0x0A ? 1 : 0
      }
      #expect(pthread_mutex_lock(session.mutex(number)) == 0)
      input.fileHandleForWriting.write(Data("commit\n".utf8))
      usleep(300_000)
      kill(process.processIdentifier, SIGTERM)
      // Who was stopped would be waited for five seconds.
      for _ in 0..<35 where process.isRunning { usleep(100_000) }
      #expect(!process.isRunning)
      pthread_mutex_unlock(session.mutex(number))
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
      #expect(try session.scene.bytes("live.realm") == before)
    }

    @Test(
      "L-9: what a version with a reader consists of is left alone by commits, and used again when he has left"
    )
    func keepingVersions() throws {
      let session = try Session(isUpToDate: true)
      let before = try session.scene.run(["dump", "live.realm"]).outputText
      // An app follows the version.
      session.map.storeBytes(of: 1, toByteOffset: session.list + 40, as: UInt32.self)
      var sizes: [Int] = []
      for step in 1...12 {
        #expect(try session.change("a name of another length: \(step * step)").status == 0)
        sizes.append(try session.scene.bytes("live.realm").count)
      }
      #expect(session.versions.first == session.version && session.versions.count == 3)
      let newest = UInt32(session.newest)
      session.map.storeBytes(of: 0, toByteOffset: session.list + 8, as: UInt32.self)
      #expect(try session.scene.run(["dump", "live.realm"]).outputText == before)
      session.map.storeBytes(of: newest, toByteOffset: session.list + 8, as: UInt32.self)
      session.map.storeBytes(of: 0, toByteOffset: session.list + 40, as: UInt32.self)
      for step in 1...12 { #expect(try session.change("another \(step)").status == 0) }
      #expect(try session.scene.bytes("live.realm").count <= sizes.last ?? 0)
      #expect(session.versions.count == 2)
      try session.scene.run(["check", "live.realm"])
    }

    @Test("a watch follows the versions of the session, and leaves it when it ends")
    func watching() throws {
      let session = try Session(isUpToDate: true)
      let result = try session.scene.shell(
        """
        $R watch live.realm Dog --jsonl --count 2 --for 100s >seen & watch=$!
        while [ ! -s seen ]; do sleep 0.02; done
        for name in one two; do
          n=$(wc -l <seen); $R -w live.realm "update Dog set name = '$name'" || exit 9
          for i in $(seq 600); do [ $(wc -l <seen) -gt $n ] && break; sleep 0.05; done
        done
        wait $watch; cat seen
        """)
      let seen = result.outputText.split(separator: "\n")
      #expect(result.status == 0 && seen.count == 3, "\(result)")
      #expect(seen.last?.contains(#""old":{"name":"one"},"new":{"name":"two"}"#) ?? false, "\(result)")
      #expect(session.counts == [1, 0] && session.readers(session.newest) == 0)
    }

    @Test("L-20: a watch sleeps where all who commit write to the notifiers' pipe, and wakes up by it", .slow)
    func sleeping() throws {
      let session = try Session(isUpToDate: true)
      let pipe = session.scene.url("live.realm.note").path
      try #require(mkfifo(pipe, 0o600) == 0)
      let descriptor = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      // How often the watch had given up the processor, half a second after half a second, until it sleeps or no longer does.
      let result = try session.scene.shell(
        """
        $R watch live.realm Dog --jsonl --count 1 --for 200s >seen & watch=$!
        while [ ! -s seen ]; do sleep 0.02; done
        switches() { grep ^voluntary /proc/$watch/status; }
        for i in $(seq 200); do
          before=$(switches); sleep 0.5; [ "$before" = "$(switches)" ] && echo asleep && break
        done
        $R -w live.realm "update Dog set name = 'one'" || exit 9
        wait $watch; grep -c '"name":"one"' seen
        """)
      #expect(result.status == 0 && result.outputText == "asleep\n1\n", "\(result)")
      // Others commit without a word from now on.
      close(descriptor)
      let other = try session.scene.shell(
        """
        $R watch live.realm Dog --jsonl --for 200s >seen & watch=$!
        while [ ! -s seen ]; do sleep 0.02; done
        switches() { grep ^voluntary /proc/$watch/status | tr -dc 0-9; }
        # Fifty a second, also of those that sleep after some seconds.
        for i in $(seq 1200); do [ $(switches) -gt 250 ] && echo awake && break; sleep 0.05; done
        kill $watch
        """)
      #expect(other.outputText == "awake\n", "\(other)")
    }

    @Test("L-6: a list of versions that is full is lengthened")
    func lengthening() throws {
      let session = try Session(isUpToDate: true)
      // Versions that somebody has frozen.
      for index in 1..<32 {
        let place = session.list + 16 + 40 * index
        session.map.storeBytes(of: UInt64(index) % session.version + 1, toByteOffset: place, as: UInt64.self)
        session.map.storeBytes(of: 1, toByteOffset: place + 28, as: UInt32.self)
      }
      #expect(try session.change("longer").status == 0)
      #expect(session.map.load(fromByteOffset: session.list, as: UInt32.self) == 64)
      #expect(session.newest == 32)
      #expect(try session.scene.bytes("live.realm.lock").count == session.list + 16 + 64 * 40)
      #expect(try session.name() == "longer")
    }

    @Test("L-18: a version that was written, but not told to the session, is taken back by the next commit")
    func unknownVersion() throws {
      let session = try Session()
      #expect(try session.name(["--no-join"]) == "new")
      let result = try session.scene.shell("$R -w live.realm 'insert Dog {\"name\": \"second\"}'")
      #expect(result.status == 0, "\(result)")
      #expect(try session.name() == "old\nsecond")
      #expect(try session.name(["--no-join"]) == "old\nsecond")
      #expect(session.version(session.newest) == session.version + 1)
      try session.scene.run(["check", "live.realm"])
    }

    @Test(
      "L-2, L-12: sessions in which this program cannot commit are left alone, and those who are in them are named",
      arguments: [
        ("ended in the midst of a commit", 3, 1), ("writes file format 23", 4, 23),
        ("history is of another kind", 5, 3), ("do not keep it on disk", 8, 1),
        ("one of them syncs it", 40, 1),
        ("another kind of lock file", 6, 13),
      ])
    func refused(what: String, offset: Int, value: UInt8) throws {
      let session = try Session(isUpToDate: true)
      session.map.storeBytes(of: value, toByteOffset: offset, as: UInt8.self)
      let before = try session.scene.bytes("live.realm")
      let result = try session.change("never")
      #expect(result.status == 6 && result.errorText.contains("pid \(getpid())"), "\(what): \(result)")
      #expect(result.errorText.contains(what), "\(result)")
      #expect(try session.scene.bytes("live.realm") == before, "\(what)")
      #expect(session.counts[0] == 1 && session.versions == [session.version], "\(what)")
    }

    @Test("L-12: a commit of another at its critical point is waited for")
    func critical() throws {
      let session = try Session(isUpToDate: true)
      let address = UInt(bitPattern: session.map)
      let begun = DispatchSemaphore(value: 0)
      let committer = Thread {
        guard let map = UnsafeMutableRawPointer(bitPattern: address) else { return }
        let mutex = (map + 48).assumingMemoryBound(to: pthread_mutex_t.self)
        pthread_mutex_lock(mutex)
        map.storeBytes(of: 1, toByteOffset: 3, as: UInt8.self)
        begun.signal()
        usleep(300_000)
        map.storeBytes(of: 0, toByteOffset: 3, as: UInt8.self)
        pthread_mutex_unlock(mutex)
      }
      committer.start()
      begun.wait()
      let result = try session.change("after it")
      #expect(result.status == 0, "\(result)")
      #expect(try session.name() == "after it")
    }

    @Test(
      "what apps can follow is changed beside them",
      arguments: [
        "alter class Dog add index name", "alter schema version 7", "create class Cat { name: string }",
        "alter class Dog add age: int default 3", "delete Dog",
      ])
    func followed(statement: String) throws {
      let session = try Session(isUpToDate: true)
      let result = try session.scene.shell("$R -w --yes live.realm '\(statement)'")
      #expect(result.status == 0, "\(statement): \(result)")
      #expect(session.version(session.newest) == session.version + 1)
      #expect(session.counts[0] == 1)
      try session.scene.run(["check", "live.realm"])
    }

    @Test(
      "what apps cannot follow is refused beside them",
      arguments: [
        "drop class Dog", "alter class Dog rename name to title", "alter class Dog drop name",
      ])
    func notFollowed(statement: String) throws {
      let session = try Session(isUpToDate: true)
      let before = try session.scene.bytes("live.realm")
      let result = try session.scene.shell("$R -w --yes live.realm '\(statement)'")
      #expect(result.status == 6, "\(statement): \(result)")
      #expect(try session.scene.bytes("live.realm") == before)
      #expect(session.counts == [1, 0])
    }

    @Test("who works on another name of a file keeps out those who would change it in a session")
    func otherName() throws {
      let session = try Session(isUpToDate: true)
      let before = try session.scene.bytes("live.realm")
      let result = try session.scene.shell(
        "ln live.realm other.realm; flock other.realm \"$R\" -w live.realm \"update Dog set name = 'x'\"")
      #expect(result.status == 6, "\(result)")
      #expect(try session.scene.bytes("live.realm") == before)
      #expect(session.counts == [1, 0])
      #expect(try session.change("later").status == 0)
    }

    @Test("a file that is in use is not changed, and those who have it open are named")
    func busy() throws {
      let session = try Session()
      // A commit that broke off: nobody may commit until the session ends.
      session.map.storeBytes(of: 1, toByteOffset: 3, as: UInt8.self)
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
