// Words that could mean anything mean one thing each in the names of types.

import Testing

@Suite("Names of types")
struct NameTests {
  /// What a word means, and the types that bear it for this. Another type with the word either means it so and is added,
  /// or gets a better name.
  private static let meanings: [Substring: (meaning: String, types: Set<Substring>)] = [
    "Word": (
      "what somebody typed or a text holds between blanks",
      [
        "Word", "Words", "WordCursor", "ShellWord", "TypeWord", "IndexWord", "PolicyWord", "CollectionWord",
        "StatementWords", "SQLWords", "FullTextWords", "IndexedWords", "WordCutter", "WordSum",
        "OtherCommandWords",
      ]
    ),
    "Run": ("something that was decided is carried out once", ["PlanRun", "OperationRun"]),
    "Place": (
      "where something stands in a file, a realm or a text",
      [
        "Place", "FilePlace", "BlockPlace", "CollectionPlace", "ValuePlace", "SalvagePlace", "PlaceNames",
        "DocumentPlace", "StatementPlace", "SQLPlace", "NamePlace", "PlaceFinder",
      ]
    ),
    "Part": (
      "one of the different things that make up a whole",
      ["Part", "RealmPart", "IndexPart", "OldTableParts", "DecimalTextParts"]
    ),
    "Piece": ("nothing yet: share, slice, partition and segment say more", []),
  ]

  private static let declarators: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The words of a name, each in the singular: `OldTableParts` gives Old, Table, Part.
  private static func words(of name: Substring) -> [Substring] {
    var words: [Substring] = []
    for index in name.indices where name[index].isUppercase {
      let rest = name[name.index(after: index)...].prefix { !$0.isUppercase }
      let word = name[index..<rest.endIndex]
      words.append(word.hasSuffix("s") ? word.dropLast() : word)
    }
    return words
  }

  private static func declaredTypes(_ file: SourceFile) -> [Substring] {
    let words = file.words.map(\.word)
    return zip(words, words.dropFirst()).filter { declarators.contains($0.0) }.map(\.1)
  }

  @Test("a word in a type's name has its one meaning", arguments: SourceTree.sources)
  func oneMeaning(file: SourceFile) {
    for type in Self.declaredTypes(file) {
      for word in Self.words(of: type) {
        guard let (meaning, types) = Self.meanings[word] else { continue }
        #expect(types.contains(type), "\(file.path): \(type), but '\(word)' means \(meaning)")
      }
    }
  }

  @Test("the types that bear such a word are there")
  func known() {
    let declared = Set(SourceTree.sources.flatMap(Self.declaredTypes))
    for (word, entry) in Self.meanings {
      let missing = entry.types.subtracting(declared)
      #expect(missing.isEmpty, "\(word): \(missing.sorted())")
    }
  }
}
