// The options that choose a part of a realm and mask what is in it. Layer: RealmCommands, Parts.

import Arguments
import ByteText
import RealmEngine
import RealmParts
import RealmQueryLanguage
import RealmSession

extension Option {
  static let only = Option(
    "only", takes: .list, "CLASS,…", "only objects of these classes and what comes along")
  static let choice = Option(
    "where", repeatable: true, takes: .statement, "CHOICE",
    "of a class only some objects: 'Person where city == \"Paris\"'")
  static let sample = Option(
    "sample", takes: .text, "N|P%", "of each class that is asked for at most N objects, or P percent")
  static let sampleSeed = Option(
    "seed", takes: .count, "N", "choose or make other objects for another N (default 0)")
  static let follow = Option(
    "follow", takes: .oneOf(LinkFollowing.allCases.map(\.rawValue)), "WHAT",
    "what comes along: links (all they lead to; default), owned (embedded objects) or none")
  static let mask = Option(
    "mask", takes: .list, "PROPERTIES", "mask values: 'Person.name, Person.email, *.phone'")
  static let maskAll = Option("mask-all", "mask all values but links")
  static let maskKeyFile = Option(
    "mask-key-file", takes: .file, "FILE", "read the key of masks from FILE, for equal masks in each copy")
  static let maskKeyEnvironment = Option(
    "mask-key-env", takes: .text, "NAME", "read the key of masks from the environment variable NAME")
  static let maskKeyCommand = Option(
    "mask-key-command", takes: .shellCommand, "COMMAND", "read the key of masks from the output of COMMAND")

  static let part = [
    only, choice, sample, sampleSeed, follow, mask, maskAll, maskKeyFile, maskKeyEnvironment, maskKeyCommand,
  ]
}

extension KeyOptions {
  /// The key that masks are made with.
  static let mask = KeyOptions(
    file: .maskKeyFile, environment: .maskKeyEnvironment, command: .maskKeyCommand)
}

extension Invocation {
  /// The part that options ask for; nil where they ask for all as it is.
  func partRequest() throws -> RealmChoice? {
    if let option = Option.parameters.first(where: arguments.has), !arguments.has(.choice) {
      throw Diagnostic.usage("--\(option.name) needs --where")
    }
    guard Option.part.contains(where: arguments.has) else { return nil }
    var request = RealmChoice()
    request.roots = try partRoots()
    request.arguments = try Parameters(arguments).arguments
    warnOfUnaskedValues(arguments.words(.choice).map(\.bytes))
    request.sample = try arguments.text(.sample).map(sampleSize)
    if let seed = arguments.integer(.sampleSeed) {
      guard request.sample != nil else { throw Diagnostic.usage("--seed needs --sample") }
      request.seed = UInt64(bitPattern: seed)
    }
    if let word = arguments.text(.follow), let following = LinkFollowing(rawValue: word) {
      request.following = following
    }
    request.masked = try maskedProperties()
    let keyOption = [Option.maskKeyFile, .maskKeyEnvironment, .maskKeyCommand].first(where: arguments.has)
    if let keyOption, request.masked.isEmpty {
      throw Diagnostic.usage("--\(keyOption.name) needs --mask or --mask-all")
    }
    return request
  }

  /// Whether masks are made with a key that nobody knows.
  var masksAtRandom: Bool {
    [Option.mask, .maskAll].contains(where: arguments.has)
      && ![Option.maskKeyFile, .maskKeyEnvironment, .maskKeyCommand].contains(where: arguments.has)
  }

  /// The masks of a part; nil where it has none. Without a key that is named nobody knows it.
  func masks(of request: RealmChoice) throws -> Masks? {
    guard !request.masked.isEmpty else { return nil }
    if let key = try KeySource(invocation: self).namedKey(.mask) { return try Masks(key) }
    var bytes = try Randomness.bytes(count: EncryptionKey.size)
    defer { bytes.wipe() }
    guard let key = EncryptionKey(bytes) else {
      throw EngineError(.other, "there is no memory for the key of masks")
    }
    return try Masks(key)
  }

  /// Throws what is wrong with a request in a realm, before anything is written.
  func check(_ request: RealmChoice, in realm: ReadTransaction) throws {
    for root in request.roots {
      _ = try realm.requiredClass(root.className, allTables: false)
      warn(
        about: try SessionError.binding(root.source) { () throws(BindingFailure) in
          try request.query(of: root, in: realm)
        })
    }
    for name in try request.masked.spared(in: realm.classes().map(\.schema)) {
      warn("\(name) is not masked, though it belongs to objects that are; --mask '…, \(name).*' masks it too")
    }
  }

  private func maskedProperties() throws -> MaskedProperties {
    guard let text = arguments.text(.mask) else { return arguments.has(.maskAll) ? .all : .none }
    guard !arguments.has(.maskAll) else {
      throw Diagnostic.usage("--mask and --mask-all contradict each other")
    }
    do throws(EngineError) {
      return try MaskedProperties(parsing: text)
    } catch {
      throw Diagnostic.usage(error.message, hint: error.hint)
    }
  }

  private func partRoots() throws -> [ChosenClass] {
    var roots: [ChosenClass] = []
    for word in arguments.words(.choice) {
      let root = try partRoot(word.bytes)
      guard !roots.contains(where: { $0.className == root.className }) else {
        throw Diagnostic.usage(
          "two of --where are about \(root.className)", hint: "join the conditions with AND or OR")
      }
      roots.append(root)
    }
    for word in arguments.words(.only) {
      for part in word.displayText.names(separatedBy: ",") {
        let name = String(part.drop { $0 == " " }).withoutBackquotes
        guard !name.isEmpty else {
          throw Diagnostic.usage("--only names classes", hint: "write --only Person,Dog")
        }
        guard !roots.contains(where: { $0.className == name }) else { continue }
        roots.append(ChosenClass(name))
      }
    }
    return roots
  }

  /// `Person where city == "Paris"`
  private func partRoot(_ source: [UInt8]) throws -> ChosenClass {
    do {
      let statement = try QueryText.parse(source) { source throws(QueryError) in
        try Statement(parsingSelection: source)
      }
      if case .select(let selection, []) = statement.kind, selection.key == nil {
        return ChosenClass(selection.className.text, selection.predicate, in: source)
      }
    } catch {
      // Another statement is no mistake of its words.
      if (try? Statement(parsing: source)) == nil { throw error }
    }
    throw Diagnostic.usage(
      "--where takes a class and a condition", hint: "write --where 'Person where age > 30'")
  }

  private func sampleSize(_ text: String) throws(Diagnostic) -> SampleSize {
    if text.last == "%", let percent = Double(text.dropLast()), (0...100).contains(percent) {
      return .percent(percent)
    }
    if let count = Int(text), count >= 0 { return .count(count) }
    throw Diagnostic.usage(
      "--sample takes a number of objects or a percentage, not '\(text)'", hint: "write --sample 100 or 5%")
  }
}
