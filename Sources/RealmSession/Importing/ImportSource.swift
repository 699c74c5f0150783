// The texts that an import reads, each at its beginning. Layer: RealmSession, Importing.

package import RealmEngine
package import TextFormats

/// A text that objects come from.
package struct ImportSource {
  package let name: String
  package let wish: SourceFormat.Wish
  /// The class of its rows, where they do not all belong to one.
  package let className: String?
  /// The class that its rows make, where that is known without reading them.
  let definition: ClassDefinition?
  /// Of a file of SQLite, which comes as lines of JSON: the row that a line was made of.
  let row: ((_ line: Int) -> String?)?
  /// Opens the text from its beginning.
  private let open: () throws -> TextInput

  package init(
    _ name: String, _ wish: SourceFormat.Wish, of className: String? = nil,
    as definition: ClassDefinition? = nil, row: ((Int) -> String?)? = nil,
    open: @escaping () throws -> TextInput
  ) {
    self.name = name
    self.wish = wish
    self.className = className
    self.definition = definition
    self.row = row
    self.open = open
  }

  func opened() throws -> OpenSource {
    var input = try open()
    let format = try SourceFormat(wish, fileName: name, &input)
    return OpenSource(input: input, format: format)
  }
}

/// A source at its beginning.
struct OpenSource: ~Copyable {
  let input: TextInput
  let format: SourceFormat
}
