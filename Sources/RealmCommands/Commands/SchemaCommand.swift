// `schema`: the classes of a realm, for people, programs and diagrams. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import RealmEngine
import RealmModels
import RealmSession
import Rendering
import TextFormats

extension Command {
  private static let classes = Arguments.Operand("CLASS", .className, .any)
  private static let documents = ["text", "json", "yaml", "mermaid", "dot"]
  private static let format = Option(
    "format", takes: .oneOf(documents + ModelFormat.all.map(\.name)), "FORMAT",
    "text (statements, the default), json, yaml, mermaid, dot; "
      + "\(ModelFormat.documents.map(\.name).joined(separator: ", ")); "
      + "a language: \(ModelFormat.languages.map(\.name).joined(separator: ", ")); "
      + "or a library: swiftdata, \(ModelFormat.libraries.map(\.name).joined(separator: ", "))")
  private static let package = Option(
    "package", takes: .text, "NAME", "the package, namespace or library of code")
  private static let fingerprint = Option(
    "fingerprint", "print only the schema's fingerprint, for migration files")

  /// `schema FILE [CLASS…]`
  static let schema = Command(
    .document(modes: [.json]),
    CommandSpec(
      "schema", group: CommandGroup.reading, summary: "show classes and their properties",
      brief: "classes and properties",
      operands: [.file, classes],
      options: [format, package, .exportedDates, fingerprint, .allTables, .snapshot],
      details: [
        """
        'create --schema', 'diff --schema' and migrations read what text, yaml and json print. The fingerprint does not \
        depend on the order of classes and properties or on the schema version.
        """,
        """
        The languages give the classes as the Realm SDK of each declares them, with the stored names where those are not \
        legal. With a directory in --output (one that exists, or a name without the language's ending), each class is \
        a file. A realm does not name the inverse side of links: the inverse of Dog.owner is called ownerOfDog.
        """,
        """
        The libraries give code that opens the file of 'export --for' with the same name and the same --dates. sql (of \
        SQLite) and postgresql are the tables of 'export --format sqlite', json-schema describes 'export --format json', and markdown \
        is a data dictionary with the number of nulls, the minimum and the maximum of each property.
        """,
      ],
      examples: [
        Example("realm-cli schema app.realm Person", "one class, as the statement that creates it"),
        Example("realm-cli schema --format=yaml app.realm > schema.yaml", "the schema document"),
        Example(
          "realm-cli schema app.realm --format kotlin --package com.example -o models/", "classes of an SDK"),
        Example("realm-cli schema --format=dot app.realm | dot -Tsvg > schema.svg", "a picture of it"),
      ])
  ) { invocation in
    let arguments = invocation.arguments
    let names = arguments.words(classes).map(\.displayText)
    if invocation.wantsJSON, let name = arguments.text(format), name != "json" {
      throw Diagnostic.usage("--json and --format \(name) contradict each other")
    }
    if arguments.has(fingerprint), arguments.has(format) {
      throw Diagnostic.usage("--fingerprint and --format contradict each other", hint: "leave --format out")
    }
    if let model = ModelFormat.all.first(where: { $0.name == arguments.text(format) }) {
      return try invocation.writeCode(model, of: names, package: arguments.text(package))
    }
    if let option = [package, .exportedDates].first(where: arguments.has) {
      throw Diagnostic.usage("--\(option.name) needs a --format that is a language or a library")
    }
    try invocation.withOutput(holdsValues: false) { out in
      try invocation.withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let whole = database.transaction.schemaDescription(allTables: invocation.showsAllTables)
        let schema = try whole.restricted(to: names)
        if arguments.has(fingerprint) {
          let fingerprint = try schema.fingerprint()
          if invocation.wantsJSON {
            out.text.append(literal: "{\"fingerprint\":")
            out.text.append(jsonString: fingerprint)
            out.text.append(literal: "}")
          } else {
            out.text.append(text: fingerprint)
          }
          out.text.append(UInt8(ascii: "\n"))
        } else {
          schema.write(arguments.text(format) ?? (invocation.wantsJSON ? "json" : "text"), to: &out.text)
        }
      }
    }
    return .success
  }
}

extension Invocation {
  /// Code to the output, or a file for each class to a directory.
  fileprivate func writeCode(_ format: ModelFormat, of names: [String], package: String?) throws -> ExitStatus
  {
    if package != nil, !format.takesPackage {
      throw Diagnostic.usage("--package does nothing for \(format.name)", hint: "leave it out")
    }
    if let package, !package.isPackageName {
      throw Diagnostic.usage(
        "'\(package)' is not a name of a package",
        hint: "letters, digits and underscores, with dots between its parts: com.example.app")
    }
    let form = try sqlForm(format.library)
    // A name that is in quotes in the code.
    let fileName = arguments.word(.output)
      .map { FilePath($0.bytes).lastComponent }
      .map { name in name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex) }
      .flatMap {
        !$0.isEmpty && $0.allSatisfy { $0 >= 0x20 && !"'\\$".utf8.contains($0) }
          ? String(decoding: $0, as: UTF8.self) : nil
      }
    func code(_ realm: ReadTransaction, isSplit: Bool) throws -> ModelCode {
      _ = try realm.schemaDescription().restricted(to: names)
      return try format.code(
        realm, form, names.isEmpty ? nil : Set(names),
        ModelLayout(package: package, isSplit: isSplit, fileName: fileName))
    }
    var warning: String?
    defer { warn(of: warning.map { [$0] } ?? []) }
    guard let word = arguments.word(.output), !word.isDash, isDirectory(word, for: format) else {
      try withOutput(holdsValues: format.name == "markdown") { out in
        try withSnapshot(of: arguments.required(.file), to: &out) { database, out in
          let code = try code(database.transaction, isSplit: false)
          warning = code.warning
          out.text.append(text: code.text)
        }
      }
      return .success
    }
    try writeDirectory(FilePath(word.bytes)) { directory, realm in
      let code = try code(realm, isSplit: true)
      warning = code.warning
      for part in code.parts {
        try directory.write(part.name, suffix: part.suffix) {
          $0.text.append(text: code.file(part))
        }
      }
    }
    return .success
  }

  /// Whether --output names a directory: one that is there, or a name without a suffix of the format.
  private func isDirectory(_ word: Word, for format: ModelFormat) -> Bool {
    let path = FilePath(word.bytes)
    return word.bytes.last == UInt8(ascii: "/") || DirectoryOutput.isDirectory(path)
      || !path.lastComponent.contains(UInt8(ascii: "."))
  }
}

extension SchemaDescription {
  fileprivate func write(_ format: String, to text: inout ByteBuffer) {
    switch format {
    case "json":
      text.append(json: document, indentation: 2)
      text.append(UInt8(ascii: "\n"))
    case "yaml": text.append(yaml: document)
    case "mermaid": text.append(text: mermaid)
    case "dot": text.append(text: graphviz)
    default: text.append(text: statements)
    }
  }
}

extension String {
  fileprivate var isPackageName: Bool {
    split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      part.first.map { !$0.isNumber } ?? false
        && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }
}
