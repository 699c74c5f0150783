// The files beside a file that go with it when another takes its place. Layer: RealmFiles.
// Invariant: they are moved aside first, so that all of them are back where the replacement fails.

/// Files that another program takes for a part of the file beside them, such as the logs of SQLite.
package struct CompanionFiles {
  private let file: FilePath
  private let suffixes: [String]
  private let mayRemove: Bool
  private var moved: [(from: FilePath, to: FilePath)] = []

  /// Throws where one is there that must stay, or that is no file.
  package init(of file: FilePath, _ suffixes: [String], mayRemove: Bool) throws(EngineError) {
    self.file = file
    self.suffixes = suffixes
    self.mayRemove = mayRemove
    _ = try present
  }

  /// Those that are there now.
  package var present: [FilePath] {
    get throws(EngineError) {
      var present: [FilePath] = []
      for path in suffixes.map(file.appending) where try path.statusOfLink != nil {
        guard mayRemove else {
          throw EngineError(
            .alreadyExists, of: path, "already exists, and would be taken for a part of \(file.displayName)",
            hint: "it belongs to an earlier file of this name; --force removes it")
        }
        try path.requireReplaceable()
        present.append(path)
      }
      return present
    }
  }

  /// Gives them names that nobody reads: all, or none.
  mutating func setAside() throws(EngineError) {
    for path in try present {
      let names = (0..<HiddenName.attemptsMax).lazy.map { HiddenName(beside: path, number: $0).path }
      guard let name = names.first(where: { (try? $0.statusOfLink) == .some(nil) }), path.rename(to: name)
      else {
        let error = FileHandle.failure("cannot move", path)
        putBack()
        throw error
      }
      moved.append((path, name))
    }
  }

  mutating func putBack() {
    for (from, to) in moved { _ = to.rename(to: from) }
    moved = []
  }

  /// Gives what could not be removed.
  mutating func remove() -> [String] {
    defer { moved = [] }
    return moved.filter { !$0.to.unlink() }.map { FileHandle.failure("cannot remove", $0.to).message }
  }
}
