// The verdicts that there are, the first that holds being the one. Layer: FirstAid.

import RealmEngine

/// What is the matter with a file, worst first.
package enum VerdictKind: String, CaseIterable, Sendable {
  case unreadable
  case empty
  case errorPage = "error-page"
  case pointer
  case compressed
  case otherDatabase = "other-database"
  case lockFile = "lock-file"
  case otherFile = "other-file"
  case zeros
  case tooShort = "too-short"
  case keyMissing = "key-missing"
  case keyWrong = "key-wrong"
  case nothingLeft = "nothing-left"
  case headerLost = "header-lost"
  case unknown
  case formatTooNew = "format-too-new"
  case cutOff = "cut-off"
  case pagesDamaged = "pages-damaged"
  case freeSpaceDamaged = "free-space-damaged"
  case damaged
  case upgradeInterrupted = "upgrade-interrupted"
  case formatTooOld = "format-too-old"
  case keyNeedless = "key-needless"
  case synced
  case readOnly = "read-only"
  case folderReadOnly = "folder-read-only"
  case noRoom = "no-room"
  case muchFree = "much-free"
  case inUse = "in-use"
  case holdsNothing = "holds-nothing"
  case sound
  case noDamageSeen = "no-damage-seen"
}

extension VerdictKind {
  /// Of space that is free, so much is worth a compaction, if it is half of the file.
  private static let freeSizeMin = 1 << 20
  /// Formats that the SDKs of today upgrade when an app opens the file.
  static let openedToday = [10, 11, 20, 21, 22, 23, 24]

  /// The one that holds.
  package static func of(_ facts: FileFacts) -> VerdictKind {
    allCases.first { $0.holds(facts) } ?? .noDamageSeen
  }

  private func holds(_ facts: FileFacts) -> Bool {
    let isRealm = facts.content == .realm
    switch self {
    case .unreadable: return facts.refusal != nil
    case .empty: return facts.content == .empty
    case .errorPage: return facts.isOther(.page)
    case .pointer: return facts.isOther(.pointer)
    case .compressed: return facts.isOther(.compressed)
    case .otherDatabase: return facts.isOther(.database)
    case .lockFile: return facts.isOther(.lockFile)
    case .otherFile: return facts.isOther(.document)
    case .zeros: return facts.content == .zeros
    case .tooShort: return facts.content == .tooShort
    case .keyMissing: return facts.key == .missing
    case .keyWrong: return facts.key == .wrong
    case .nothingLeft: return facts.damage != nil && facts.recoverable?.count == 0
    case .headerLost: return facts.content == .headerless
    case .unknown: return facts.content == .unknown
    case .formatTooNew: return facts.isFromTheFuture
    case .cutOff: return facts.isCutOff
    case .pagesDamaged: return !facts.failingPages.isEmpty
    case .freeSpaceDamaged: return facts.isOnlyFreeSpaceDamaged
    case .damaged: return facts.damage != nil
    case .upgradeInterrupted: return facts.isUpgradeInterrupted
    case .formatTooOld:
      return isRealm && !facts.holdsNothing && !Self.openedToday.contains(facts.format ?? FileFormat.newest)
    case .keyNeedless: return facts.key == .needless
    case .synced: return facts.isSynced
    case .readOnly: return !facts.isWritable
    case .folderReadOnly: return !facts.isFolderWritable
    case .noRoom: return isRealm && facts.isTight
    case .muchFree: return facts.freeSize >= Self.freeSizeMin && facts.freeSize * 2 >= facts.size
    case .inUse: return !facts.neighbours.processes.isEmpty
    case .holdsNothing: return facts.holdsNothing
    case .sound: return facts.isDeep
    case .noDamageSeen: return true
    }
  }
}

extension FileFacts {
  fileprivate func isOther(_ wanted: FileSignature.Group) -> Bool {
    guard case .other(_, let group) = content else { return false }
    return group == wanted
  }

  var otherName: String {
    if case .other(let name, _) = content { name } else { "another file" }
  }

  fileprivate var isFromTheFuture: Bool { content == .realm && format ?? 0 > FileFormat.newest }

  /// The bytes that a copy needs.
  var usedSize: Int { max(0, size - freeSize) }

  fileprivate var isTight: Bool { diskSpace.map { $0 < usedSize } ?? false }
}
