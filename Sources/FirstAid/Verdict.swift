// The table of verdicts: what each says, in words for people who know nothing of databases, and what to type next. Layer: FirstAid.
// Invariant: what happened, whether data is lost, what to do: at most three sentences. There is a command where something is to
// be done, and only there.

import ByteText
import RealmEngine

/// What a file turned out to be.
package struct Verdict: Sendable {
  package let kind: VerdictKind
  /// A few words behind the file's name.
  package let title: String
  package let sentences: [String]
  /// Nil where nothing is to be done.
  package let command: ShellCommand?
  /// What the verdict rests on, for those who know the format.
  package let reason: String?

  package init(_ facts: FileFacts) {
    self.init(facts, VerdictKind.of(facts))
  }

  /// The words for a verdict that may not be the file's own.
  package init(_ facts: FileFacts, _ kind: VerdictKind) {
    let entry = kind.entry(facts)
    self.kind = kind
    title = entry.title
    sentences = entry.sentences
    command = entry.command
    reason = facts.refusal?.message ?? facts.damage
  }
}

/// What a verdict says.
private struct Entry {
  let title: String
  let sentences: [String]
  let command: ShellCommand?

  init(_ title: String, _ happened: String, _ lost: String, _ next: String, _ command: ShellCommand?) {
    self.title = title
    sentences = [happened, lost, next].filter { !$0.isEmpty }
    self.command = command
  }
}

extension VerdictKind {
  fileprivate func entry(_ facts: FileFacts) -> Entry {
    let next = NextCommands(facts)
    switch self {
    case .unreadable:
      return Entry(
        "cannot be read",
        facts.refusalWords, "Nothing suggests that data is lost.", next.allowReadingWords,
        next.allowReading)
    case .empty:
      return Entry(
        "empty file", "The file has no content: nothing was ever written to it, or something emptied it.",
        "There is no data in it.", next.lookAroundWords, next.lookAround)
    case .errorPage:
      return Entry(
        "not a realm, but \(facts.otherName)",
        "This is \(facts.otherName): usually what a server sends when it has no such file.",
        "The realm itself may still be where you downloaded it from.",
        "Look at the text, then download the file again.",
        next.showText)
    case .pointer:
      return Entry(
        "not a realm, but \(facts.otherName)",
        "The file only says where Git LFS keeps the real one, which was not downloaded.", "No data is lost.",
        "Let Git download it.", next.pullLFS)
    case .compressed:
      return Entry(
        "not a realm, but \(facts.otherName)", "The file is \(facts.otherName); a realm may be packed in it.",
        "No data is lost.", "Unpack it, and examine what comes out.", next.unpack)
    case .otherDatabase:
      return Entry(
        "not a realm, but \(facts.otherName)", "The file is \(facts.otherName), which another library wrote.",
        "Nothing suggests that its data is lost.", next.otherDatabaseWords, next.otherDatabase)
    case .lockFile:
      return Entry(
        "not a realm, but its lock file", "Apps keep this file beside a realm to record who has it open.",
        "It holds no data.", "Examine the realm itself.", next.realmOfLockFile)
    case .otherFile:
      return Entry(
        "not a realm, but \(facts.otherName)", "The file is \(facts.otherName).",
        "It holds no data of a realm.", next.lookAroundWords, next.lookAround)
    case .zeros:
      return Entry(
        "nothing but zeros", "Every byte in the file is zero: a disk or a copy failed.",
        "The data in this file is lost.", next.lookAroundWords, next.lookAround)
    case .tooShort:
      return Entry(
        "too short", "The file ends before its first data: a download or a copy was cut off.",
        "There is no data in it.", next.lookAroundWords, next.lookAround)
    default: return entryOfRealm(facts, next)
    }
  }

  private func entryOfRealm(_ facts: FileFacts, _ next: NextCommands) -> Entry {
    switch self {
    case .keyMissing:
      return Entry(
        "appears to be encrypted", "The file appears to be an encrypted realm, and no key was given.",
        "Nothing suggests that data is lost.",
        "Put the key into a file, as 64 bytes or 128 hexadecimal digits, and give that file's name instead of KEY_FILE.",
        next.withKey)
    case .keyWrong:
      return Entry(
        "wrong key",
        "The key fits none of the file's pages: it belongs to another file, or this one is not encrypted.",
        "Nothing suggests that data is lost, but nobody can read it without the right key.",
        "Find the key that the app used, and give its file's name instead of KEY_FILE.", next.withKey)
    case .headerLost:
      return Entry(
        "the beginning is lost", "The first bytes of the file are gone, but the data of a realm follows.",
        facts.recoveryWords, "Save what can be read to a new file.", next.recover)
    case .unknown:
      return Entry(
        "not recognized as a realm", "Nothing in the file looks like a realm, plain or encrypted.",
        "If it was one, its data is lost.", next.lookAroundWords, next.lookAround)
    case .nothingLeft:
      return Entry(
        "damaged beyond recovery", "The file is a damaged realm, and no object in it can be read.",
        "The data in this file is lost.", next.lookAroundWords, next.lookAround)
    case .formatTooNew:
      return Entry(
        "format \(facts.format ?? 0) is too new",
        "This file was written by a newer version of Realm than this program knows.",
        "Nothing suggests that data is lost.",
        "Get a newer realm-cli; the command shows which version you have.",
        next.version)
    case .cutOff:
      return Entry(
        "the end is missing", "The file is shorter than its data: a download or a copy was cut off.",
        facts.recoveryWords,
        "Copy it again from where it came from, or save what can be read to a new file.", next.recover)
    case .pagesDamaged:
      return Entry(
        "the key is right, but \(facts.pages) damaged",
        "The key belongs to the file, but \(facts.failingWords).",
        facts.recoveryWords,
        "Save what can be read to a new file, which marks the values from damaged pages.",
        next.recoverUnverified)
    case .freeSpaceDamaged:
      return Entry(
        "its record of free space is damaged",
        "The data can be read, but the file's record of unused space is wrong, so no app should write to it.",
        "No data is lost.", "Save the data to a new file.", next.recover)
    case .damaged:
      return Entry(
        facts.damageTitle, "Some bytes of the file are not what was written.", facts.recoveryWords,
        "Save what can be read to a new file.", next.recover)
    case .upgradeInterrupted:
      return Entry(
        "an upgrade was interrupted",
        "An app began to convert this file to a newer format, and was stopped before it was done.",
        "No data is lost.", next.finishUpgradeWords, next.upgrade)
    case .formatTooOld:
      return Entry(
        "format \(facts.format ?? 0) is too old for today's apps",
        "An old version of Realm wrote this file, and the Realm SDKs from 2024 on cannot open it.",
        "No data is lost.",
        next.upgradeWords, next.upgrade)
    case .keyNeedless:
      return Entry(
        "not encrypted",
        "A key was given, but the file is not encrypted, so an app that uses a key cannot open it.",
        "No damage was seen.", "Open it without a key.", next.info)
    default: return entryOfSoundRealm(facts, next)
    }
  }

  private func entryOfSoundRealm(_ facts: FileFacts, _ next: NextCommands) -> Entry {
    switch self {
    case .synced:
      return Entry(
        "synced",
        "This file was synced with a server, and apps open it only for syncing; those servers no longer exist.",
        "No damage was seen.", "Make a local copy, which every app can open.", next.copyLocally)
    case .readOnly:
      return Entry(
        "write-protected",
        "You may read this file but not change it, so apps cannot open it for writing.",
        "No damage was seen.", next.allowWords(facts.mayAllowWriting), next.allowWriting)
    case .folderReadOnly:
      return Entry(
        "in a write-protected folder",
        "Apps create files beside a realm, and you may not create any in its folder.",
        "No damage was seen.", next.allowWords(facts.mayAllowFolderWriting), next.allowWritingFolder)
    case .noRoom:
      return Entry(
        "no room on the disk",
        "The disk has less free space than a copy of this file needs, so an upgrade or a compaction fails.",
        "No damage was seen.", "Free some space on the disk.", next.showSpace)
    case .muchFree:
      return Entry(
        "mostly unused space",
        "\(SizeText.bytes(facts.freeSize)) of \(SizeText.bytes(facts.size)) in this file are unused.",
        "No damage was seen.", "Compact it: phones with little memory may fail to open large files.",
        next.compact)
    case .inUse:
      return Entry(
        "in use", "\(facts.processWords) the file open, which is fine.", "No damage was seen.",
        "Close it there before you run commands that replace the file.", nil)
    case .holdsNothing:
      return Entry(
        "an empty realm", "Nothing has been stored in this realm yet.", "Nothing is lost.", "", nil)
    case .sound:
      return Entry(
        "sound", "The whole file was read, and no damage was found.", "No data is lost.", "",
        nil)
    default:
      return Entry(
        "no damage seen", "The file opens, and a quick look saw no damage.",
        "Use --deep to check all of it.", "", nil)
    }
  }
}

extension FileFacts {
  fileprivate var refusalWords: String {
    guard let barrier, barrier.isFolder else { return "You may not read this file." }
    return barrier.path == path
      ? "You may not read this folder."
      : "You may not open the folder \(barrier.path.displayName), which leads to this file."
  }

  fileprivate var pages: String { counted(failingPages.count, "page is", "pages are") }

  fileprivate var failingWords: String {
    "\(failingPages.count) of \(checkedPageCount) pages \(failingPages.count == 1 ? "fails its check" : "fail their checks")"
  }

  fileprivate var damageTitle: String {
    guard let count = damageCount, count > 0 else { return "damaged" }
    return "damaged in \(counted(count, "place"))"
  }

  fileprivate var processWords: String {
    let names = neighbours.processes.prefix(3).map { process in
      process.name.map { "\($0) (process \(process.number))" } ?? "process \(process.number)"
    }
    return names.joined(separator: ", ") + (names.count == 1 ? " has" : " have")
  }

  /// Whether data is lost.
  fileprivate var recoveryWords: String {
    guard let found = recoverable else { return "Part of the data may be lost; use --deep to see how much." }
    let kept = found.partial == 0 ? "" : ", \(found.partial) of them with losses or unproven values"
    let lost =
      found.lost == 0
      ? found.mayBeMore ? "others may be lost" : "none are lost"
      : "\(found.mayBeMore ? "at least " : "")\(found.lost) \(found.lost == 1 ? "is" : "are") lost"
    return "\(counted(found.count, "object")) can be saved\(kept); \(lost)."
  }
}
