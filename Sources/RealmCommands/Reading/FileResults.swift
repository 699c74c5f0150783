// Commands about files: what became of each, as it comes, and the exit status of all of them.
// Layer: RealmCommands, Reading.
// Invariant: a file that fails does not keep the others from being worked on.

import Arguments
import ByteText
import RealmEngine
import Rendering
import Synchronization
import TextFormats

extension Arguments.Operand {
  /// Realms that are worked on one after the other.
  static let realms = Operand("FILE", .file, .atLeastOnce)
}

extension Option {
  /// For all commands that take several files.
  static let failFast = Option("fail-fast", "stop at the first file that fails")
}

extension Word {
  /// The file that it names, for commands that read standard input too.
  var sourcePath: FilePath { isDash ? .standardInput : FilePath(bytes) }
}

extension Invocation {
  /// Runs `body` for each file of a command line and writes what came of it: an array for programs. `changing`: what was done
  /// stays done although it cannot be told.
  func forEachFile(
    changing: Bool = false, leavingBackups: Bool = false, _ body: (Word) throws -> FileResult
  ) throws -> ExitStatus {
    var words = arguments.words(.realms)
    if leavingBackups { words = originals(of: words.map { FilePath($0.bytes) }).map { Word($0.bytes) } }
    if changing { try refuseStandardInput(words) }
    return try withElements(
      asArray: true, isNaming: words.count > 1, changing: changing, isDryRun: isDryRun
    ) { write in
      var status = ExitStatus.success
      for word in words {
        let path = word.sourcePath
        let isStopped = status != .success && arguments.has(.failFast)
        let result = isStopped ? FileResult(skipped: nil) : try self.result(of: path) { try body(word) }
        status = status.first(of: result.exit)
        try write(result, path)
      }
      return status
    }
  }

  /// Runs `body` for files of lists, several of them at once, as `forEachFile` does; those that `log` has are left out. Of more
  /// than one nobody is asked anything. `rehearsing`: the command is a dry run without being asked for one. `body` gets the call
  /// for its file.
  func forEachListedFile(
    _ all: [FilePath], jobs: Int, changing: Bool = false, rehearsing: Bool = false, log: ResumeLog? = nil,
    _ body: @escaping @Sendable (Invocation, FilePath) throws -> FileResult
  ) throws -> ExitStatus {
    let paths = all.filter { !(log?.finished.contains($0) ?? false) }
    let isStopped = Atomic(false)
    let failsFast = arguments.has(.failFast)
    // An option's key is asked for once, before threads do.
    _ = try namedKey.value { try KeySource(invocation: self).namedKey() }
    let work: @Sendable (FilePath) -> ListedResult = { path in
      let messages = MessageLog()
      let own = all.count == 1 ? self : unattended(messages)
      guard !isStopped.load(ordering: .relaxed) else { return ListedResult(result: FileResult(skipped: nil)) }
      var listed = ListedResult(result: FileResult(skipped: nil))
      do {
        listed.result = try own.result(of: path) { try body(own, path) }
        if failsFast, listed.result.exit != .success { isStopped.store(true, ordering: .relaxed) }
      } catch {
        listed.error = error
      }
      listed.messages = messages.all
      return listed
    }
    let progress = FileProgress(
      total: paths.count, isShown: paths.count > 1 && terminal.errorIsTerminal && !isQuiet)
    defer { progress.hide() }
    return try withElements(
      asArray: true, isNaming: all.count > 1, changing: changing, isDryRun: isDryRun || rehearsing
    ) { write in
      var status = ExitStatus.success
      var ending: (any Error)?
      try FileWaves(paths: paths, jobCount: jobs, isChanging: changing).forEach(work, alone: work) {
        path, listed in
        progress.hide()
        for message in listed.messages { tell(message) }
        if let error = listed.error {
          ending = ending ?? error
          return false
        }
        status = status.first(of: listed.result.exit)
        try write(listed.result, path)
        if !isDryRun, !rehearsing { try log?.end(path, listed.result.exit) }
        progress.add(hasFailed: listed.result.exit != .success)
        return true
      }
      if let ending { throw ending }
      return status
    }
  }

  /// Writes what came of the one realm that a command is about: an object for programs.
  func write(_ result: FileResult, of path: FilePath, changing: Bool = false) throws -> ExitStatus {
    try withElements(asArray: false, changing: changing, isDryRun: isDryRun) { write in
      try write(result, path)
      return result.exit
    }
  }

  private func result(of path: FilePath, _ body: () throws -> FileResult) throws -> FileResult {
    do {
      return try body()
    } catch {
      let diagnostic = Diagnostic(error, file: path).told(by: arguments)
      guard !error.endsScripts, diagnostic.code != Diagnostic.cancelledCode else { throw error }
      return FileResult(diagnostic)
    }
  }

  /// Lends `body` what writes a result, an element each. `isNaming`: whether complaints have to say which file they are about.
  func withElements(
    asArray: Bool, isNaming: Bool = false, changing: Bool, isDryRun: Bool,
    _ body: ((FileResult, FilePath) throws -> Void) throws -> ExitStatus
  ) throws -> ExitStatus {
    let isTold = changing && !isDryRun
    return try withOutputDescriptor(hasEffects: isTold) { descriptor, name in
      func put(_ text: borrowing ByteBuffer) throws {
        guard !text.isEmpty else { return }
        if isTold { return writeAfterwards(text, to: descriptor) }
        try StandardStreams.write(text, to: descriptor, named: name)
      }
      var records = JSONRecords(asArray: asArray && jsonForm == .document)
      let status = try body { result, path in
        var out = OutputBuffer()
        if wantsJSON {
          records.begin(&out)
          out.text.append(json: result.document(of: path, isDryRun: isDryRun))
          records.end(&out)
        } else {
          out.text.append(text: result.text)
        }
        try put(out.text)
        if let text = result.note { note(text) }
        if let failure = result.failure, wantsJSON || !result.isFailureShown {
          report(isNaming && !wantsJSON ? failure.naming(path) : failure)
        }
      }
      var end = OutputBuffer()
      if wantsJSON { records.finish(&end) }
      try put(end.text)
      return status
    }
  }

  private func refuseStandardInput(_ words: [Word]) throws(Diagnostic) {
    guard words.contains(where: \.isDash) else { return }
    throw Diagnostic.usage("this command works on files, not on standard input")
  }
}

/// What one of many files gave, until its turn has come.
private struct ListedResult: Sendable {
  var result: FileResult
  var messages: [MessageLog.Message] = []
  /// Ends the whole command.
  var error: (any Error)?
}
