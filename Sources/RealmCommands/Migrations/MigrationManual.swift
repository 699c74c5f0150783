// The manual of migration files, realm-migrations(5), made from the tables of operations and functions.
// Layer: RealmCommands, Migrations.

import Arguments
import Migrations
import RealmEngine
import RealmSession

enum MigrationManual {
  static let name = "realm-migrations"
  static let summary = "migration files of realm-cli"

  /// The page's source.
  static var page: String {
    var page = ManSource()
    page.raw(".\\\" Made from the tables of operations and functions; do not edit.")
    page.head(
      name, 5, "realm-cli \(programVersion)", "File Formats",
      summary)
    page.section("DESCRIPTION")
    page.text(description)
    page.section("FIELDS")
    page.list(fields)
    page.section("OPERATIONS")
    for spec in OperationEntry.specs {
      page.subsection(spec.word)
      page.text(ProgramSpec.sentence(spec.summary))
      page.list(spec.fields.map { ("\($0.name)\($0.isRequired ? "" : " (optional)")", $0.summary) })
    }
    page.section("EXPRESSIONS")
    page.paragraphs([
      """
      A value is an expression as realm-predicate(7) describes them, with old for the present value of the property \
      that is set. Overflow, division by zero and values that do not convert are errors that name the object, unless \
      `unparsable` says what to do.
      """,
      """
      In let and assert names are classes and values computed before: count(Person), sum(Order.total). \
      Where objects are chosen, where takes a predicate as query does. A value of let may be used by its name in \
      all later values and conditions where no property of the object has that name.
      """,
      """
      An embedded object is written as a mapping of its properties to values, a dictionary as a mapping of its keys, a \
      list of either as a list of mappings: home: { street: street, city: city ?? '' }. { for_each: split(text, ';'), \
      value: { street: it } } makes an element for each element of a list. update also changes embedded objects: \
      home.city: upper(home.city); after a dictionary, the name is a key in it.
      """,
      """
      find(City, 'name', cityName) links to the first object with that value. missing says what to do with a value that no \
      object has; missing: create makes one object for each of these values.
      """,
    ])
    page.section("EXAMPLES")
    page.verbatim(example)
    page.section("CODE OF APPS AND ITS STEPS")
    page.text(
      """
      What apps do in migration blocks, shortened, and the operations that replace it. Steps run one after the other, \
      whatever version a file has, so no operation asks for a version.
      """)
    for example in MigrationExample.all {
      page.subsection(example.title)
      page.paragraphs([example.source])
      page.verbatim(example.code)
      page.verbatim(example.steps)
      if !example.remark.isEmpty { page.paragraphs([example.remark.filter { $0 != "`" }]) }
    }
    page.section("SEE ALSO")
    page.text("realm-cli(1), realm-predicate(7)")
    return page.source
  }

  private static let description = """
    A migration file describes how realms get from one schema version to another. A directory, usually migrations, holds \
    one file per step; each step starts where the previous one ends, and a realm runs every step that it still needs. \
    Files are YAML (mappings, lists and scalars; no anchors, tags or merge keys) or the same document as JSON.
    """

  /// The page in short, for `help`.
  static var overview: String {
    TextLayout.chapter(
      ManualChapter("MIGRATION FILES", [description], rows: fields.map { Explanation($0.0, $0.1) }))
      + "\n"
      + TextLayout.chapter(
        ManualChapter("OPERATIONS", rows: OperationEntry.specs.map { Explanation($0.word, $0.summary) }))
      + "\nEXAMPLE\n" + example
      + "\n\nMore: realm-cli help functions, realm-cli migrate schema (all fields)\n"
  }

  private static let fields = [
    ("realm_migration", "1, the version of this format"),
    ("from, to", "the schema versions; a realm without one has 0"), ("name", "what it does, in a few words"),
    (
      "before",
      "schema: the fingerprint that the schema must have; let: names with expressions; assert: what must hold"
    ), ("up", "the operations, in order"),
    (
      "schema, removed",
      "the schema that comes out, a file or the document itself: new classes, optional properties and indexes follow from it; what is missing from it must be named in removed"
    ), ("after", "assert: what must hold; a run that it stops changes nothing"),
  ]

  private static let example = """
    realm_migration: 1
    from: 3
    to: 4
    name: full names
    before:
      let: { people: "count(Person)" }
    up:
      - add_property: { class: Person, name: fullName, type: string, value: "trim((first ?? '') + ' ' + (last ?? ''))" }
      - drop_property: { class: Person, names: [first, last] }
    after:
      assert: [ "count(Person) == people", { class: Person, where: "fullName == ''", max: 0 } ]
    """
}
