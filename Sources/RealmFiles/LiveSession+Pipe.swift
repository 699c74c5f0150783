// The named pipe beside the lock file by which SDKs tell each other of commits (L-20). Layer: RealmFiles.

import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension LiveSession {
  private static let pipeSuffix = ".note"

  private var pipe: FilePath {
    FilePath(handle.path.bytes.dropLast(Self.suffix.utf8.count) + Array(Self.pipeSuffix.utf8))
  }

  /// SDKs on Linux and on Apple's systems do not wait for the condition variable, but for bytes in the pipe.
  func wakeNotifiers() {
    let flags = O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC
    guard let handle = FileHandle.open(pipe, flags) else { return }
    platform_wake_pipe(handle.descriptor)
  }

  /// Whether whoever commits writes to the pipe, which those who watch the folder are told: processes of SDKs have it open, and
  /// this program does so. Takes as long as `LockHolders` to learn.
  package var tellsOfCommits: Bool {
    guard let pipe = try? pipe.statusOfLink, pipe.isPipe, let status = try? handle.status() else {
      return false
    }
    return LockHolders(of: status).otherPrograms.allSatisfy { process in
      // Of another user's process it is not told.
      let folder = FilePath("/proc/\(process)/fd")
      guard let names = try? FileHandle.openDirectory(folder).entryNames() else { return false }
      return names.contains { (try? folder.child($0).status)?.isSameFile(as: pipe) ?? false }
    }
  }
}
