// Which names a language takes, and what becomes of others. Layer: RealmModels, Naming.

/// The identifiers of one language.
struct NameRules: Sendable {
  /// Names that no property may have: keywords, and members that every object has.
  let reserved: Set<String>
  /// Types that the code itself uses.
  let reservedTypes: Set<String>
  /// Names that only classes may not have: words that a member may be called by, and what classes would hide.
  var hiddenByClasses: Set<String> = []
  /// Types that a member of their name hides from the code of a class that names them.
  enum HiddenTypes: Sendable {
    /// Types and members are told apart.
    case none
    /// Those of objects that link to the class, which are named in expressions.
    case ofInverses
    case all
  }
  var hiddenTypes = HiddenTypes.none
  /// Whether letters beyond ASCII are refused.
  var isASCII = false
  /// Whether a leading underscore hides a name from other files.
  var dropsLeadingUnderscores = false
  /// Whether properties begin with a capital letter.
  var capitalizesProperties = false
  /// Whether a name that is changed is lost, because nothing can say what it stands for.
  var mapsNothing = false
  /// Whether the inverse side of a set can be declared.
  var hasInversesOfSets = true
  /// Whether embedded objects declare what holds them, as others declare what links to them.
  var hasInversesOfEmbedding = false
  /// Names that a property, or a table of a library, takes beside its own.
  var companions: @Sendable (String) -> [String] = { _ in [] }
  /// A file beside those of the classes; another one of its name would replace it where cases are not told apart.
  var otherFile: String?
  /// Beginnings that give a property another meaning.
  var reservedStarts: [String] = []

  /// Words between blanks.
  init(_ reserved: String, types: String, classes: String = "") {
    func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
    self.reserved = words(reserved)
    reservedTypes = words(types)
    hiddenByClasses = words(classes)
  }

  /// A property with the name of a type would hide it from the others of its class.
  func name(_ stored: String) -> String {
    let name = identifier(stored)
    let plain = name.drop { $0 == "_" }
    let isCased = capitalizesProperties && plain.first?.isLetter ?? false
    return legal(isCased ? String(plain).capitalizedFirst : name)
  }

  private func legal(_ name: String) -> String {
    let isReserved = reserved.contains(name) || reservedTypes.contains(name) || hasReservedStart(name)
    return isReserved ? name + "_" : name
  }

  /// For each class the names that none of its members may have, its own among them. `targets`: the classes that its links lead to.
  func hiddenNames(_ names: [String], linkingTo targets: [Set<Int>]) -> [Set<String>] {
    // A member with the name of its class is a constructor in some languages.
    var hidden: [Set<String>] = names.map { [$0] }
    for (origin, targets) in targets.enumerated() {
      for target in targets {
        if hiddenTypes != .none { hidden[target].insert(names[origin]) }
        if hiddenTypes == .all { hidden[origin].insert(names[target]) }
      }
    }
    return hidden
  }

  /// A package whose parts may be words of the language, each as `quoted` makes it a name.
  func package(_ name: String, _ quoted: (String) -> String) -> String {
    name.split(separator: ".").map { reserved.contains(String($0)) ? quoted(String($0)) : String($0) }
      .joined(separator: ".")
  }

  func className(_ stored: String) -> String {
    let name = legal(identifier(stored))
    let isHidden = hiddenByClasses.contains(name) || name.lowercased() == otherFile?.lowercased()
    return isHidden ? name + "_" : name
  }

  /// Whether a property would take part in a convention: `newsletter` does not, `newValue` does.
  private func hasReservedStart(_ name: String) -> Bool {
    reservedStarts.contains { start in
      guard name.hasPrefix(start) else { return false }
      return name.dropFirst(start.count).first.map { !$0.isLowercase } ?? true
    }
  }

  /// Letters, digits and underscores, beginning with none of the digits.
  private func identifier(_ stored: String) -> String {
    var name = String.UnicodeScalarView()
    for scalar in stored.unicodeScalars {
      if name.isEmpty, scalar.isDigit, !dropsLeadingUnderscores { name.append("_") }
      if name.isEmpty, scalar.isDigit { name.append("n") }
      if name.isEmpty, scalar == "_", dropsLeadingUnderscores { continue }
      name.append(isLegal(scalar) ? scalar : "_")
    }
    if dropsLeadingUnderscores { name = String.UnicodeScalarView(name.drop { $0 == "_" }) }
    return name.contains { $0 != "_" } ? String(name) : "unnamed"
  }

  private func isLegal(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == "_" || scalar.isDigit || scalar.properties.isAlphabetic }
    // Languages that read 16 bits at a time do not see letters beyond them.
    return !isASCII && scalar.value <= 0xFFFF && scalar.isLetter
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }
}
