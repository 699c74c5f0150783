// Which processes hold a lock of a file, as the system tells. Layer: RealmFiles.
// Only Linux tells it, in /proc/locks, and only of processes that this one can see. To take the lock instead, if for a moment
// only, would not be harmless: an app that begins a session just then would take what is left of an old one for a living one.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Other processes that hold a file by `flock`.
package struct LockHolders {
  /// Those who share it with others.
  package private(set) var sharing: [Int] = []
  /// The one that has it for itself.
  private(set) var alone: Int?

  package var processes: [Int] { alone.map { [$0] } ?? sharing }

  private static let table = FilePath("/proc/locks")

  /// The processes that have the realm at `path` open or lock it; nil where no lock file is beside it.
  package static func ofSession(of path: FilePath) -> [Int]? {
    let lock = path.appending(LiveSession.suffix)
    guard let status = (try? lock.statusOfLink) ?? nil, status.isRegular else { return nil }
    return LockHolders(of: status).processes
  }

  /// `status`: of the file that is locked.
  init(of status: FileHandle.Status) {
    // Elsewhere nobody tells.
    let table = FileHandle.open(Self.table, O_RDONLY | O_CLOEXEC)
    let text = try? table?.readToEnd()
    self.init(table: text ?? [], device: status.device, inode: status.inode, besides: Int(getpid()))
  }

  /// Those who share it and run another program than this one.
  var otherPrograms: [Int] {
    let ownProgram = try? FilePath("/proc/self/exe").status
    return sharing.filter { process in
      // Of another user's process it is not told, and that is no other realm-cli of ours.
      guard let ownProgram, let program = try? FilePath("/proc/\(process)/exe").status else { return true }
      return !program.isSameFile(as: ownProgram)
    }
  }

  /// `table`: lines such as `1: FLOCK  ADVISORY  READ 4711 08:01:123456 0 EOF`; the device in hexadecimal digits.
  package init(table: [UInt8], device: UInt64, inode: UInt64, besides ownProcess: Int) {
    // As the C library's `major` and `minor` take a device apart.
    let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
    let minor = device & 0xff | device >> 12 & ~0xff
    for line in table.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      // A line of somebody who waits has an arrow before the kind of lock.
      guard words.count >= 6, words[1] == "FLOCK", let process = Int(words[4]), process != ownProcess else {
        continue
      }
      let file = words[5].split(separator: ":")
      guard file.count == 3, UInt64(file[0], radix: 16) == major, UInt64(file[1], radix: 16) == minor,
        UInt64(file[2]) == inode
      else { continue }
      if words[3] == "READ" {
        if !sharing.contains(process) { sharing.append(process) }
      } else {
        alone = process
      }
    }
    sharing.sort()
  }
}
