// What is known of one file before anybody judges it. Layer: FirstAid.
// Invariant: facts are plain values; a verdict follows from them alone, so that tests can make any of them up.

package import RealmEngine

/// Everything that a verdict rests on.
package struct FileFacts: Sendable {
  /// What its key has to do with the file.
  package enum KeyState: Sendable, Equatable {
    case notNeeded
    case missing
    case wrong
    case right
    /// The file is not encrypted, but a key was given.
    case needless
  }

  /// What the bytes are.
  package enum Content: Sendable, Equatable {
    case realm
    case empty
    /// Another program's file, in words: `an SQLite database`.
    case other(name: String, group: FileSignature.Group)
    case zeros
    /// Less than a header.
    case tooShort
    /// Nodes of a realm behind a header that is gone.
    case headerless
    case unknown
  }

  /// Something else than the bytes keeps the file from being read.
  package var refusal: EngineError?
  /// What this user may not read then.
  package var barrier: Barrier?
  package let path: FilePath
  package var size = 0
  package var content = Content.unknown
  package var key = KeyState.notNeeded
  /// How the key was named on the command line, for commands that need it again.
  package var keyWords: [[UInt8]] = []
  package var isEncrypted = false
  /// Encrypted pages that were checked, and those of them that fail.
  package var checkedPageCount = 0
  package var failingPages: [Int] = []
  package var format: Int?
  /// What is wrong with the bytes; nil where no damage was seen.
  package var damage: String?
  /// The end of the file is missing.
  package var isCutOff = false
  /// Only the lists of free space are damaged.
  package var isOnlyFreeSpaceDamaged = false
  /// How many places a full check found damaged; nil where there was none.
  package var damageCount: Int?
  package var recoverable: Recoverable?
  package var isUpgradeInterrupted = false
  /// No version of any data.
  package var holdsNothing = false
  package var isSynced = false
  package var classCount = 0
  package var objectCount = 0
  package var schemaVersion: Int64?
  /// Bytes that a compact copy would not have.
  package var freeSize = 0
  /// Bytes that are free on the disk; nil where that is not known.
  package var diskSpace: Int?
  package var isWritable = true
  package var isFolderWritable = true
  /// Whether this user may change that.
  package var mayAllowWriting = false
  package var mayAllowFolderWriting = false
  /// Where new files can be made; nil: beside the file.
  package var outputFolder: FilePath?
  package var neighbours = Neighbours()
  package var isDeep = false

  package init(_ path: FilePath) { self.path = path }

  /// Of what may not be read.
  package init(_ path: FilePath, refusal: EngineError) {
    self.init(path)
    self.refusal = refusal
    barrier = Barrier(before: path)
  }
}

/// What lets nobody but its owner through to a file: the file, or a folder on the way to it.
package struct Barrier: Sendable {
  package let path: FilePath
  package let isFolder: Bool
  /// Whether this user may change that.
  package let mayAllow: Bool

  init(before file: FilePath) {
    var closed: FilePath?
    var folder = file.directory
    while true {
      if !folder.isExecutable { closed = folder }
      if folder.directory == folder { break }
      folder = folder.directory
    }
    path = closed ?? file
    isFolder = ((try? path.status) ?? nil)?.isDirectory ?? true
    mayAllow = path.canChangeMode
  }
}

/// What a recovery would bring back.
package struct Recoverable: Sendable, Equatable {
  package let whole: Int
  package let partial: Int
  /// Objects that did not come back, as far as that is known.
  package let lost: Int
  package let mayBeMore: Bool

  package init(whole: Int, partial: Int, lost: Int, mayBeMore: Bool) {
    self.whole = whole
    self.partial = partial
    self.lost = lost
    self.mayBeMore = mayBeMore
  }

  package var count: Int { whole + partial }
}

/// What is beside a realm.
package struct Neighbours: Sendable {
  /// A process that has the realm open.
  package struct Process: Sendable, Equatable {
    package let number: Int
    /// Nil where the system does not tell.
    package let name: String?

    package init(number: Int, name: String?) {
      self.number = number
      self.name = name
    }
  }

  package var processes: [Process] = []
  package var hasLockFile = false
  package var hasManagementFolder = false
  /// Other files of the same realm, the newest first.
  package var siblings: [Sibling] = []

  package init() {}
}

/// A backup or another remainder of a realm, beside it.
package struct Sibling: Sendable {
  package let path: FilePath
  /// What it is: `a backup of an SDK's upgrade`.
  package let kind: String
  /// Seconds since 1970.
  package let modified: Int64
  package let size: Int
  /// Nil where it cannot be opened.
  package var format: Int?
  package var schemaVersion: Int64?
  package var objectCount: Int?

  package init(path: FilePath, kind: String, modified: Int64, size: Int) {
    self.path = path
    self.kind = kind
    self.modified = modified
    self.size = size
  }
}
