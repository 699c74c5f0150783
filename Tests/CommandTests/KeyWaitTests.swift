// Keys that another program gives too late or never, and files whose key changes meanwhile.

import Foundation
import TestSupport
import Testing

#if os(Linux)
  @Suite("Waiting for keys")
  struct KeyWaitTests {
    private func run(_ script: String, in folder: ScratchFolder) throws -> ProcessResult {
      try RealmProcess.run(
        URL(fileURLWithPath: "/bin/sh"), ["-c", "sleep 0\n" + script],
        environment: ["REALM": RealmProcess.executable.path], in: folder.url)
    }

    /// All at once: each takes ten seconds.
    private static let late = """
      mkfifo pipe half
      "$REALM" info zoo-encrypted.realm --key-file pipe >/dev/null 2>1 || echo $? >>1 &
      "$REALM" info zoo-encrypted.realm --key-command 'exec sleep 60' >/dev/null 2>2 || echo $? >>2 &
      "$REALM" info zoo-encrypted.realm --key-command 'cat key.hex; exec sleep 60 >/dev/null' >/dev/null 2>3 || echo $? >>3 &
      { printf 00; exec sleep 60; } >half & writer=$!
      "$REALM" info zoo-encrypted.realm --key-file half >/dev/null 2>4 || echo $? >>4
      wait %1 %2 %3 2>/dev/null || sleep 2
      kill $writer
      cat 1 2 3 4
      """

    @Test("a key that does not come within ten seconds is an error", .slow)
    func late() throws {
      let folder = try ScratchFolder()
      try folder.addFixtures()
      let start = Date()
      let result = try run(Self.late, in: folder)
      #expect(
        result.outputText == """
          realm-cli: nobody wrote a key to the pipe pipe within 10 seconds
          4
          realm-cli: the key command did not end within 10 seconds
          4
          realm-cli: the key command did not end within 10 seconds
          4
          realm-cli: nobody wrote a key to the pipe half within 10 seconds
          4

          """, "\(result)")
      #expect(Date().timeIntervalSince(start) < 55)
    }

    @Test("a key comes through a pipe, at once or a little later")
    func inTime() throws {
      let folder = try ScratchFolder()
      try folder.addFixtures()
      let result = try run(
        """
        mkfifo pipe
        { sleep 1; cat key.hex; } >pipe &
        "$REALM" info zoo-encrypted.realm --key-file pipe
        cat key.hex | "$REALM" info zoo-encrypted.realm --key-file /dev/stdin
        "$REALM" info zoo-encrypted.realm --key-command 'sleep 1; cat key.hex'
        """, in: folder)
      #expect(
        result.status == 0
          && result.outputText.split(separator: "\n").count { $0 == "encrypted       yes" } == 3,
        "\(result)")
    }

    @Test("a file that decrypt reports plain is plain, whatever key rekey was giving it")
    func rekeyBesideDecrypt() throws {
      let folder = try ScratchFolder()
      try folder.addFixtures()
      let result = try run(
        """
        "$REALM" keygen new.hex
        for turn in $(seq 30); do
          cp zoo-encrypted.realm a.realm
          "$REALM" rekey a.realm --key-file key.hex --new-key-file new.hex >/dev/null 2>&1 &
          if "$REALM" decrypt a.realm --key-file key.hex >/dev/null 2>&1; then
            wait
            "$REALM" info a.realm >/dev/null || echo "encrypted again in turn $turn"
          fi
          wait
        done
        """, in: folder)
      #expect(result.status == 0 && result.outputText.isEmpty, "\(result)")
    }
  }
#endif
