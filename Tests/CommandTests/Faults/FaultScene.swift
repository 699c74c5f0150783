// A folder before a command and after it, and whether it is one of the two.

import FaultInjection
import Foundation
import TestSupport
import Testing

/// All files of a folder, by their path in it. Directories end in a slash and hold nothing, and so do lock files, which are
/// not looked into: a process that another test starts meanwhile would have them open too, and the program leaves a lock file
/// that others have open.
typealias FolderContent = [String: Data]

/// Runs one job again and again in the same folder.
struct FaultScene {
  let job: FaultJob
  let scene: WholeFileScene
  /// What the folder held at first.
  let before: FolderContent
  /// What it holds after a run in which nothing failed.
  let after: FolderContent
  /// The calls of that run.
  let count: Int

  init(_ job: FaultJob) throws {
    self.job = job
    scene = try WholeFileScene(isEmpty: true)
    for (source, name) in job.files {
      try FileManager.default.copyItem(
        at: RealmProcess.fixtures.appendingPathComponent(source), to: scene.url(name))
      let permissions = name.hasPrefix("key") ? 0o600 : 0o644
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: scene.url(name).path)
    }
    for (name, text) in job.texts {
      let folder = scene.url(name).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: scene.url(name))
    }
    for arguments in job.preparation { try scene.run(arguments) }
    before = try Self.content(of: scene)
    let result = try FaultRun.run(job.arguments, Fault(kind: fault_none), input: job.input, in: scene)
    #expect(result.status == 0, "\(job.testDescription): \(result.errorText)")
    count = result.count
    after = try Self.content(of: scene)
    try restore()
  }

  /// Runs the job with a fault. The folder is left as it is then.
  func run(_ fault: Fault) throws -> FaultResult {
    try FaultRun.run(job.arguments, fault, input: job.input, in: scene)
  }

  var now: FolderContent { get throws { try Self.content(of: scene) } }

  /// Makes the folder what it was at first.
  func restore() throws {
    let now = try self.now
    for name in now.keys.sorted(by: >) where before[name] == nil {
      try FileManager.default.removeItem(at: scene.url(name))
    }
    for (name, content) in before.sorted(by: { $0.key < $1.key }) where now[name] != content {
      if name.hasSuffix("/") {
        try FileManager.default.createDirectory(at: scene.url(name), withIntermediateDirectories: true)
      } else {
        // A new file: the old one may be a backup's other name.
        try? FileManager.default.removeItem(at: scene.url(name))
        try content.write(to: scene.url(name))
      }
    }
  }

  private static func content(of scene: WholeFileScene) throws -> FolderContent {
    var content: FolderContent = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: scene.folder.url.path) {
      let url = scene.url(name)
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else { continue }
      let isEmpty = isDirectory.boolValue || name.hasSuffix(".lock")
      content[isDirectory.boolValue ? name + "/" : name] = isEmpty ? Data() : try Data(contentsOf: url)
    }
    return content
  }

  // MARK: Old or new

  /// What keeps the folder from being the one that it was; nil where it is. `meaningOnly`: space that is not in use may hold
  /// other bytes.
  func differenceFromBefore(ignoring ignored: Set<String> = [], meaningOnly: Bool = false) throws -> String? {
    try difference(from: before, ignoring: ignored) { name, wanted, found in
      meaningOnly && name.hasSuffix(".realm") ? try hash(wanted) == hash(found) : false
    }
  }

  /// Compares with what the command should have made. Bytes may differ where they mean the same.
  func differenceFromAfter(ignoring ignored: Set<String> = []) throws -> String? {
    try difference(from: after, ignoring: ignored) { name, wanted, found in
      if name.hasSuffix("new.hex") { return found.count == wanted.count }
      return name.hasSuffix(".realm") ? try hash(wanted) == hash(found) : false
    }
  }

  /// Whether the files that the command is about hold the same data as in that state, whatever else lies beside them.
  func hasData(of state: FolderContent) throws -> Bool {
    let now = try self.now
    let subjects = Set(before.keys).union(after.keys).filter {
      before[$0] != after[$0] && !$0.contains(".backup") && !$0.contains(".realm.")
    }
    return try subjects.allSatisfy { name in
      guard let wanted = state[name], let found = now[name] else {
        return state[name] == nil && now[name] == nil
      }
      return try wanted == found || name.hasSuffix(".realm") && hash(wanted) == hash(found)
    }
  }

  private func difference(
    from wanted: FolderContent, ignoring ignored: Set<String>,
    isSame: (String, Data, Data) throws -> Bool
  ) throws -> String? {
    let now = try self.now
    for name in Set(now.keys).union(wanted.keys).sorted() where !ignored.contains(name) {
      guard let present = now[name] else { return "\(name) is missing" }
      guard let expected = wanted[name] else { return "\(name) is left over" }
      guard try present == expected || isSame(name, expected, present) else { return "\(name) differs" }
    }
    return nil
  }

  /// What a realm holds, whatever its layout; its bytes where it cannot be read.
  private func hash(_ content: Data) throws -> String {
    if content.isEmpty { return "" }
    let folder = try ScratchFolder()
    try content.write(to: folder.url.appendingPathComponent("x.realm"))
    for key in [[], ["--key-file", "key.hex"], ["--key-file", "new.hex"]] {
      for name in ["key.hex", "new.hex"] {
        let file = scene.url(name)
        guard let text = FileManager.default.contents(atPath: file.path) else { continue }
        let copy = folder.url.appendingPathComponent(name)
        try text.write(to: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
      }
      let result = try RealmProcess.run(["hash", "x.realm"] + key, in: folder.url)
      if result.status == 0 { return result.outputText }
    }
    return content.base64EncodedString()
  }
}
