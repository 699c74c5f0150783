// The options of `import` as values. Layer: RealmCommands, Importing.

import Arguments
import ByteText
import RealmEngine
import RealmSession
import TextFormats

/// Pairs such as `First Name=first, City=address.city`.
enum PairList {
  /// A comma begins another pair only where one follows: in `born=%d %b, %Y` it belongs to the value.
  static func pairs(_ text: String) -> [(name: String?, value: String)] {
    var parts: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      if let last = parts.last, !part.contains("=") || last.hasSuffix("=") && part.isEmpty {
        parts[parts.count - 1] = last + "," + part
      } else {
        parts.append(part)
      }
    }
    return parts.map { part in
      guard let equals = part.firstIndex(of: "=") else { return (nil, part.trimmingBlanks) }
      return (String(part[..<equals]).trimmingBlanks, String(part[part.index(after: equals)...]))
    }
  }
}

extension Invocation {
  /// The pairs of an option that may be given several times.
  private func pairs(_ option: Option, _ example: String) throws(Diagnostic) -> [(String, String)] {
    var found: [(String, String)] = []
    for word in arguments.words(option) {
      for pair in PairList.pairs(word.displayText) {
        guard let name = pair.name else {
          throw Diagnostic.usage(
            "--\(option.name) – '\(pair.value)' is not a pair", hint: "write --\(option.name) '\(example)'")
        }
        found.append((name, pair.value))
      }
    }
    return found
  }

  func importOptions() throws(Diagnostic) -> ImportOptions {
    var options = ImportOptions()
    if let mode = arguments.words(.importMode).compactMap({ IngestMode(rawValue: $0.displayText) }).last {
      options.mode = mode
    }
    if let links = arguments.text(.links).flatMap(LinkPolicy.init) { options.links = links }
    if let extra = arguments.text(.extraColumns).flatMap(ImportOptions.ExtraColumns.init) {
      options.extraColumns = extra
    }
    options.mapping = try pairs(.map, "First Name=first").map { ($0, $1.trimmingBlanks) }
    options.types = try pairs(.types, "zip=string").map { ($0, $1.trimmingBlanks) }
    options.lists = try pairs(.lists, "tags=;").map { ($0, $1) }
    if let pair = options.lists.first(where: { $0.separator.isEmpty }) {
      throw Diagnostic.usage("--lists – nothing separates the elements of '\(pair.column)'")
    }
    for word in arguments.words(.dates) {
      for pair in PairList.pairs(word.displayText) {
        guard let form = DateForm(pair.value.trimmingBlanks) else {
          throw Diagnostic.usage(
            "--dates – '\(pair.value)' is not a date format",
            hint: "iso, seconds, milliseconds, or a pattern such as %d/%m/%Y")
        }
        options.dates.append((pair.name, form))
      }
    }
    options.nulls = arguments.words(.nullText).map(\.bytes)
    options.creates = arguments.has(.createsMissing)
    options.primaryKey = arguments.text(.primaryKey)
    options.columns = arguments.text(.columnNames)?.split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0).trimmingBlanks }
    options.hasHeader = !arguments.has(.noHeaderLine) && !arguments.has(.noHeader)
    options.skippedLines = Int(clamping: arguments.integer(.skip) ?? 0)
    options.keepsRejects = arguments.has(.rejects)
    if arguments.has(.rejectsMax), !options.keepsRejects {
      throw Diagnostic.usage("--rejects-max needs --rejects FILE")
    }
    if options.primaryKey != nil, !options.creates {
      throw Diagnostic.usage("--primary-key needs --create")
    }
    return options
  }

  func sourceWish() throws(Diagnostic) -> SourceFormat.Wish {
    var wish = SourceFormat.Wish()
    wish.name = arguments.text(.sourceFormat).flatMap(SourceFormat.Name.init)
    wish.separator = try character(.delimiter)
    wish.skippedLines = Int(clamping: arguments.integer(.skip) ?? 0)
    if let text = arguments.text(.quote), text.isEmpty || text == "none" {
      wish.quote = .some(nil)
    } else if let quote = try character(.quote) {
      wish.quote = quote
    }
    wish.comment = try character(.comment)
    return wish
  }

  /// A character of one byte, or its name.
  private func character(_ option: Option) throws(Diagnostic) -> UInt8? {
    guard let text = arguments.text(option) else { return nil }
    let names: [String: UInt8] = [
      "tab": 0x09, "\\t": 0x09, "comma": 0x2C, "semicolon": 0x3B, "pipe": 0x7C, "space": 0x20,
    ]
    if let named = names[text] { return named }
    let bytes = Array(text.utf8)
    guard bytes.count == 1, bytes[0] < 0x80, bytes[0] != 0x0A, bytes[0] != 0x0D else {
      throw Diagnostic.usage(
        "--\(option.name) – '\(text)' is not a single ASCII character", hint: "a tab is called tab")
    }
    return bytes[0]
  }
}

extension Option {
  /// What `import` takes, in the order of its help.
  static let importing: [Option] = [
    sourceFormat, sqliteTable, delimiter, quote, comment, skip, noHeaderLine, columnNames, map, extraColumns,
    createsMissing,
    types, primaryKey, dates, nullText, lists, links, importMode, rejects, rejectsMax,
  ]

  static let sqliteFormat = "sqlite"
  static let sourceFormat = Option(
    "format", takes: .oneOf(SourceFormat.Name.allCases.map(\.rawValue) + [sqliteFormat]), "FORMAT",
    "the format of SOURCE: csv, tsv, json, jsonl, sqlite (default: by its name or content)")
  static let delimiter = Option(
    "delimiter", takes: .text, "CHARACTER", "the character between cells (default: detected)")
  static let quote = Option(
    "quote", takes: .text, "CHARACTER", "the quote character around cells (default \"), or none")
  static let comment = Option("comment", takes: .text, "CHARACTER", "ignore lines that begin with CHARACTER")
  static let skip = Option("skip", takes: .count, "N", "skip N lines before the header")
  static let noHeaderLine = Option(
    "no-header", "the first line is data; name the columns with --columns")
  static let columnNames = Option(
    "columns", takes: .list, "A,B,C", "use these column names instead of the header")
  static let map = Option(
    "map", takes: .list, "PAIRS", "map columns to properties: 'First Name=first, City=address.city, Note='")
  static let extraColumns = Option(
    "extra-columns", takes: .oneOf(ImportOptions.ExtraColumns.allCases.map(\.rawValue)), "WHAT",
    "for a column without a property: refuse, ignore or add")
  static let createsMissing = Option(
    "create", "create the file, the class and the properties that are missing")
  static let types = Option("types", takes: .list, "PAIRS", "types of created properties: 'zip=string'")
  static let primaryKey = Option(
    "primary-key", takes: .text, "PROPERTY", "the primary key of the created class")
  static let dates = Option(
    "dates", takes: .list, "FORMS",
    "how dates are written: iso, seconds, milliseconds, or 'born=%d/%m/%Y' for a column")
  static let nullText = Option(
    "null", repeatable: true, takes: .text, "TEXT", "cells with TEXT are null, as empty cells are")
  static let lists = Option("lists", takes: .list, "PAIRS", "the separators of list elements: 'tags=;'")
  static let links = Option(
    "links", takes: .oneOf(LinkPolicy.allCases.map(\.rawValue)), "WHAT",
    "for a link to a missing object: require, create or null")
  /// Hides the one that says how results are printed: there are none.
  static let importMode = Option(
    "mode", letter: "m", takes: .oneOf(IngestMode.allCases.map(\.rawValue)), "MODE",
    "for a primary key that exists: insert (refuse), upsert (update the object) or skip")
  static let rejects = Option("rejects", takes: .outputFile, "FILE", "write bad rows to FILE and continue")
  static let rejectsMax = Option(
    "rejects-max", takes: .count, "N", "stop when more than N rows were rejected")
}
