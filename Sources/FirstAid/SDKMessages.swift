// What the SDKs say when they cannot open or use a file, what it means, and what to type. Layer: FirstAid.
// The messages are found by their words; parts that differ from file to file are left out.

/// A message that an app, a log or a crash report shows.
package struct SDKMessage: Sendable {
  /// As the SDKs word it, in one version or another.
  package let texts: [String]
  package let meaning: String
  /// What `doctor` may say of the file.
  package let verdicts: [VerdictKind]
  package let command: String

  private init(_ texts: [String], _ meaning: String, _ verdicts: [VerdictKind], _ command: String) {
    self.texts = texts
    self.meaning = meaning
    self.verdicts = verdicts
    self.command = command
  }

  /// Whether all of these are in it, in letters of either case.
  package func holds(_ parts: [String]) -> Bool {
    let all = (texts + [meaning]).joined(separator: "\n").lowercased()
    return parts.allSatisfy { part in
      let part = Array(part.lowercased().utf8)
      let bytes = Array(all.utf8)
      return part.count <= bytes.count
        && (0...bytes.count - part.count).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
    }
  }

  /// Whether it is said in a text as an app shows it: with numbers, paths, and more before and behind.
  package func isSaid(in text: String) -> Bool {
    let said = Self.words(text)
    return texts.contains { known in
      let known = Self.words(known)
      return known.count > 1 && known.count <= said.count
        && (0...said.count - known.count).contains { said[$0..<$0 + known.count].elementsEqual(known) }
    }
  }

  /// Without numbers, and without the single letters that stand for them here.
  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !$0.isLetter }.filter { $0.count > 1 }.map(String.init)
  }

  package static let all = [
    SDKMessage(
      ["Realm file decryption failed", "Decryption failed", "unable to decrypt after 5 seconds"],
      "The key does not belong to the file, the file is not encrypted at all, or its first page is damaged.",
      [.keyWrong, .keyNeedless, .pagesDamaged], "realm-cli doctor FILE --key-file KEY_FILE"),
    SDKMessage(
      ["failed the HMAC check", "page N in file of size M failed the HMAC check"],
      "One page of an encrypted file is not what was written, or two processes of different versions wrote at once.",
      [.pagesDamaged, .keyWrong], "realm-cli doctor FILE --key-file KEY_FILE"),
    SDKMessage(
      [
        "not a Realm file", "header has invalid mnemonic",
        "The file is either not a Realm file, is an encrypted Realm file but no encryption key was supplied, or is corrupted",
        "Invalid mnemonic",
      ],
      "Another program's file, an encrypted file opened without its key, or a file whose beginning is lost.",
      [.keyMissing, .otherDatabase, .errorPage, .zeros, .headerLost], "realm-cli doctor FILE"),
    SDKMessage(
      ["Attempt to open unencrypted file with encryption key"],
      "The app gives a key, and the file is not encrypted.", [.keyNeedless], "realm-cli doctor FILE"),
    SDKMessage(
      [
        "Unsupported Realm file format version",
        "Database has an unsupported version (9) and cannot be upgraded",
        "RLMErrorUnsupportedFileFormatVersion",
      ],
      "The file is older than the formats that this SDK upgrades, or newer than it knows.",
      [.formatTooOld, .formatTooNew], "realm-cli upgrade FILE"),
    SDKMessage(
      [
        "The Realm file format must be allowed to be upgraded in order to proceed",
        "FileFormatUpgradeRequired", "Realm file needs to be upgraded before opening in read-only mode",
      ],
      "The file is of an older format, and the app opens it without the right to upgrade it.",
      [.noDamageSeen, .formatTooOld], "realm-cli upgrade FILE"),
    SDKMessage(
      [
        "Top ref outside file", "top ref is outside of the file", "The file has probably been truncated",
        "invalid footer cookie", "The file is probably truncated",
      ],
      "The end of the file is missing: a download, a copy or a full disk cut it off.", [.cutOff],
      "realm-cli doctor FILE"),
    SDKMessage(
      ["file is non-empty but too small", "to be a valid Realm", "file has an invalid size"],
      "The file ends within its first bytes, or is no whole number of words long: a copy broke off.",
      [.tooShort, .cutOff], "realm-cli doctor FILE"),
    SDKMessage(
      ["Read-only access to empty Realm file"], "Nothing was ever written to the file.", [.empty],
      "realm-cli doctor FILE"),
    SDKMessage(
      [
        "top ref is not aligned", "Bad Realm file header", "Invalid ref", "Assertion failed",
        "array_direct.hpp", "alloc_slab.cpp",
      ],
      "Bytes inside the file are not what was written.", [.damaged, .freeSpaceDamaged, .cutOff],
      "realm-cli doctor --deep FILE"),
    SDKMessage(
      [
        "mmap() failed: Cannot allocate memory", "mmap() failed: Out of memory", "AddressSpaceExhausted",
        "Realm file too large",
      ],
      "The file is larger than the space that the phone gives an app. Much of it is often unused: versions that were kept open.",
      [.muchFree, .noDamageSeen], "realm-cli compact FILE"),
    SDKMessage(
      [
        "std::bad_alloc", "bad_alloc on compact", "Compaction failed", "No space left on device",
        "posix_fallocate() failed",
      ],
      "Memory or the disk was too small for a second copy of the data, which a compaction and an upgrade make.",
      [.noRoom, .muchFree], "realm-cli compact FILE"),
    SDKMessage(
      ["Number of active versions", "in the Realm exceeded the limit"],
      "A thread kept an old version open while others went on writing, so that the file grew.", [.muchFree],
      "realm-cli compact FILE"),
    SDKMessage(
      [
        "Realm accessed incorrectly", "Realm accessed from incorrect thread",
        "open in another process", "by another process",
      ],
      "The app uses one Realm object on two threads, or two processes whose versions of Realm differ have the file open. The file is not damaged by that.",
      [.inUse, .noDamageSeen], "realm-cli doctor FILE"),
    SDKMessage(
      [
        "Incompatible lock file", "Architecture mismatch", "SharedInfo size",
        "Version mismatch: SharedInfo version",
      ],
      "Another process with another version of Realm has the file open, or had when it was copied together with its lock file.",
      [.inUse, .noDamageSeen], "realm-cli doctor FILE"),
    SDKMessage(
      ["already opened with different", "already opened with a different encryption key"],
      "The app opens the file twice with different settings. The file has nothing to do with it.",
      [.noDamageSeen], "realm-cli info FILE"),
    SDKMessage(
      [
        "schema mismatch", "Migration is required due to the following errors", "Property has been added",
        "Schema validation failed",
      ],
      "The classes of the app and of the file differ, and the app has no migration for that. Nothing is damaged.",
      [.noDamageSeen], "realm-cli schema FILE"),
    SDKMessage(
      ["Provided schema version is less than last set version"],
      "A newer version of the app wrote the file. Nothing is damaged.", [.noDamageSeen], "realm-cli info FILE"
    ),
    SDKMessage(
      ["Permission denied", "Operation not permitted", "RLMErrorFilePermissionDenied"],
      "The app may not read or write the file, or its folder, in which it makes a lock file; on iOS also while the phone is locked.",
      [.unreadable, .readOnly, .folderReadOnly], "realm-cli doctor FILE"),
    SDKMessage(
      [
        "Incompatible histories", "Expected a Realm containing no history",
        "history type is incompatible", "client reset", "Bad client file identifier",
      ],
      "The file belongs to a server that synced it, and the app opens it as a local one, or the server is gone.",
      [.synced], "realm-cli copy --local FILE OUT"),
    SDKMessage(
      ["No such file or directory", "Directory at path does not exist"],
      "There is no file at the path that the app uses.", [], "realm-cli doctor DIRECTORY --recursive"),
  ]
}
