// What the commands share that make a new realm from a text. Layer: RealmCommands, NewFiles.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import Rendering
import TextFormats

/// A text that is read once.
struct TextSource {
  let descriptor: Int32
  /// What messages call it.
  let name: FilePath
  /// Keeps a file open.
  let handle: FileHandle?
}

extension Invocation {
  /// Opens a text; `-` or nothing is standard input.
  func openInput(_ word: Word?) throws -> TextSource {
    guard let word, !word.isDash else {
      return TextSource(
        descriptor: StandardStreams.input, name: .standardInput, handle: nil)
    }
    let path = FilePath(word.bytes)
    do throws(EngineError) {
      let handle = try FileHandle.openForReading(path)
      try handle.refuseDirectory()
      return TextSource(descriptor: handle.descriptor, name: path, handle: handle)
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  /// Makes sure that there is a file that SQLite can be given.
  func checkDatabase(_ word: Word) throws {
    guard !word.isDash else {
      throw Diagnostic.usage("a file of SQLite cannot be read from standard input", hint: "name the file")
    }
    let path = FilePath(word.bytes)
    do throws(EngineError) { try path.requirePlaces() } catch { throw Diagnostic(error, file: path) }
    _ = try openInput(word)
  }

  /// Makes a realm at `path`, encrypted when a key is named, by one transaction that `body` fills. `source`: the text
  /// that it is made from.
  func makeRealm(
    at path: FilePath, _ source: FilePath?, _ body: (WriteTransaction) throws -> Void
  ) throws -> MadeRealm {
    try makeRealm(at: path, source, key: try KeySource(invocation: self).namedKey(), body)
  }

  /// Makes a realm with a known key.
  func makeRealm(
    at path: FilePath, _ source: FilePath?, key: EncryptionKey?, _ body: (WriteTransaction) throws -> Void
  ) throws -> MadeRealm {
    let job: NewFileJob
    do throws(EngineError) {
      job = try NewFileJob(
        path, key: key, replacing: mayReplaceOutput, lockTimeoutMilliseconds: lockTimeoutMilliseconds)
    } catch {
      throw Diagnostic(error, file: path)
    }
    do {
      try body(try job.begin())
    } catch let error as TextFormatError {
      throw Diagnostic(error, file: source ?? path)
    } catch let error as EngineError where [.constraint, .badDocument, .unknownClass].contains(error.kind) {
      throw Diagnostic(
        .refused, code: "bad-document", (source.map { "\($0.displayName) – " } ?? "") + error.message,
        hint: error.hint, file: source ?? path)
    }
    let meter = ProgressMeter(
      name: String(decoding: path.lastComponent, as: UTF8.self),
      isShown: terminal.errorIsTerminal && !isQuiet)
    defer { meter.finish() }
    do throws(EngineError) {
      if isDryRun {
        let measured = try job.measure { stage, done, total in meter.update(stage, done, of: total) }
        return MadeRealm(path: path, objectCount: measured.objectCount, size: measured.size)
      }
      let report = try job.write { stage, done, total in meter.update(stage, done, of: total) }
      meter.finish()
      warn(of: report.remarks)
      return MadeRealm(path: path, objectCount: report.objectCount, size: report.sizeAfter)
    } catch {
      throw Diagnostic(error, file: path)
    }
  }

  /// Says what was made, or would be.
  func write(_ made: MadeRealm) throws -> ExitStatus {
    let sentence = made.sentence(isDryRun: isDryRun)
    return try write(
      isDryRun
        ? FileResult(wouldDo: sentence, made.entries) : FileResult(done: sentence, made.entries),
      of: made.path, changing: true)
  }
}

/// A new realm, or what one would be.
struct MadeRealm {
  let path: FilePath
  let objectCount: Int
  let size: Int

  func sentence(isDryRun: Bool) -> String {
    let counts = "\(counted(objectCount, "object")), \(SizeText.bytes(size))"
    return "\(path.displayName): \(isDryRun ? "would be created" : "created") with \(counts)"
  }

  static let fields: [JSONField] = [.integer("objects"), .integer("size")]

  var entries: [DocumentEntry] { [.number("objects", objectCount), .number("size", size)] }
}

extension Diagnostic {
  /// A document, dump or import that was refused. `text`: all of it, where it was read whole.
  init(_ error: TextFormatError, file: FilePath, text: [UInt8]? = nil) {
    let place = "line \(error.location.line), column \(error.location.column)"
    let excerpt = text.map {
      SourceExcerpt(
        String(decoding: $0, as: UTF8.self), error.location.offset..<error.location.offset + 1)
    }
    self.init(
      error.systemError == nil ? .refused : .unavailable, code: "bad-document",
      "\(file.displayName) – \(place) – \(error.message)", hint: error.hint, file: file, excerpt: excerpt,
      saysLine: true)
    location = error.location
  }
}
