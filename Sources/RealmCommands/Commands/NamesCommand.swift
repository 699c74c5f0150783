// The hidden command behind the completion scripts: the classes of a file, or the properties of a class, one a
// line. Layer: RealmCommands, Commands.

import Arguments
import ByteText
import Rendering

extension Command {
  private static let kind = Operand("KIND", .oneOf([NameListing.classes, NameListing.properties]))
  private static let className = Operand("CLASS", .className, .atMostOnce)

  /// `__names classes FILE`, `__names properties FILE CLASS`
  static let names = Command(
    .document(modes: []),
    CommandSpec(
      NameListing.command, summary: "names in a file, for completions", operands: [kind, .file, className],
      options: [.allTables, .snapshot], isHidden: true)
  ) { invocation in
    let arguments = invocation.arguments
    try invocation.withOutput { out in
      try invocation.withSnapshot(of: arguments.required(.file), to: &out) { database, out in
        let classes = database.transaction.classes(allTables: invocation.showsAllTables)
        var names = classes.map(\.schema.name)
        if arguments.text(kind) == NameListing.properties {
          let named = arguments.text(className)
          names = classes.first { $0.schema.name == named }?.schema.properties.map(\.name) ?? []
        }
        // A shell cannot be offered what does not fit on a line, and shows it as it is.
        for name in names where !name.unicodeScalars.contains(where: \.isUnseen) {
          out.text.append(text: name)
          out.text.append(UInt8(ascii: "\n"))
        }
      }
    }
    return .success
  }
}
