// Where things stand in the lock file of a session, which all processes that have a realm open map. Layer: RealmFiles.
// FileFormat.md has the rules. Offsets of all systems follow from the sizes of a mutex and of a condition variable there.

import CPlatform

/// Offsets in the lock file that the reference engine of shared layout 14 makes.
package struct LockFileLayout: Equatable {
  /// The layout that is described here.
  static let sharedLayout: UInt16 = 14

  static let isComplete = 0
  static let mutexSize = 1
  static let conditionSize = 2
  static let commitIsCritical = 3
  static let fileFormat = 4
  static let historyType = 5
  static let sharedLayoutOffset = 6
  static let durability = 8
  private static let historyInRealm: UInt8 = 2
  static let participantCount = 12
  static let latestVersion = 16
  static let versionCount = 32
  static let syncAgent = 40
  private static let firstMutex = 48
  /// Bytes in front of the first mutex.
  static let headSize = firstMutex
  private static let mutexCount = 3
  private static let conditionCount = 5
  private static let ticketSize = 8
  private static let entrySize = 40
  /// How many versions the list of a new session has room for.
  private static let entryCountMin = 32

  package let controlMutex: Int
  package let versionsMutex: Int
  package let nextTicket: Int
  /// Of the encrypted page that is being written, plus 1; 0 where none is.
  package let writtenPage: Int
  package let writeCount: Int
  package let entryCount: Int
  package let newestEntry: Int
  package let firstEntry: Int
  /// Bytes of the smallest lock file.
  package let sizeMin: Int

  package init(mutexSize: Int, conditionSize: Int) {
    controlMutex = Self.firstMutex + mutexSize
    versionsMutex = Self.firstMutex + 2 * mutexSize
    let tickets = Self.firstMutex + Self.mutexCount * mutexSize + Self.conditionCount * conditionSize
    nextTicket = tickets
    writtenPage = (tickets + Self.ticketSize + 7) & ~7
    writeCount = writtenPage + 8
    entryCount = writeCount + 8
    newestEntry = entryCount + 8
    firstEntry = entryCount + 16
    sizeMin = firstEntry + Self.entryCountMin * Self.entrySize
  }

  /// That of this system's engines; nil where they keep their mutexes elsewhere.
  static var ofThisSystem: LockFileLayout? {
    let (mutex, condition) = (platform_session_mutex_size(), platform_session_condition_size())
    return mutex == 0 ? nil : LockFileLayout(mutexSize: mutex, conditionSize: condition)
  }

  /// Whether a lock file that begins with `head`, of `fileSize` bytes, is complete and laid out like this one.
  package func fits(_ head: RawBytes, fileSize: Int) -> Bool {
    guard fileSize >= sizeMin, head.count >= Self.firstMutex else { return false }
    return head[Self.isComplete] == 1 && Int(head[Self.mutexSize]) == controlMutex - Self.firstMutex
      && head.load(UInt16.self, at: Self.sharedLayoutOffset) == Self.sharedLayout
      && Int(head[Self.conditionSize]) == conditionSizeHere
  }

  /// Whether somebody takes part in the session of a lock file that begins with `head`.
  package func countsParticipants(_ head: RawBytes, fileSize: Int) -> Bool {
    fits(head, fileSize: fileSize) && head.load(UInt32.self, at: Self.participantCount) != 0
  }

  /// Why this program cannot commit in the session of a lock file that begins with `head`; nil where it can: in sessions of
  /// realms of the newest format, in files that keep what is written, whose history this program can keep.
  package func obstacle(_ head: RawBytes, fileSize: Int) -> String? {
    guard fits(head, fileSize: fileSize) else { return "their engine has another kind of lock file" }
    let format = Int(head[Self.fileFormat])
    if format != FileFormat.newest { return "their engine writes file format \(format)" }
    if head[Self.syncAgent] != 0 { return "one of them syncs it" }
    if head[Self.historyType] != 0, head[Self.historyType] != Self.historyInRealm {
      return "its history is of another kind"
    }
    if head.load(UInt16.self, at: Self.durability) != 0 { return "they do not keep it on disk" }
    return nil
  }

  private var conditionSizeHere: Int {
    let conditions =
      writtenPage - Self.ticketSize - Self.firstMutex - Self.mutexCount * (controlMutex - Self.firstMutex)
    return conditions / Self.conditionCount
  }

  /// The layout as the platform's functions take it.
  var places: platform_session_places {
    platform_session_places(
      write_mutex: Self.firstMutex, control_mutex: controlMutex, versions_mutex: versionsMutex,
      commit_is_critical: Self.commitIsCritical, participant_count: Self.participantCount,
      latest_version: Self.latestVersion,
      version_count: Self.versionCount, sync_agent: Self.syncAgent, next_ticket: nextTicket,
      served_ticket: nextTicket + 4, entry_count: entryCount, filling_entry: entryCount + 4,
      newest_entry: newestEntry,
      first_entry: firstEntry)
  }
}
