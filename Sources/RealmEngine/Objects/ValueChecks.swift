// What may stand in a property: types, nulls, limits. Layer: Objects.
// Invariant: a value that passes is written without further refusal, so nothing is half written.

extension Value {
  private static let shortSizeMax = 1 << 16

  /// Whether a value breaks no limit, if only its type is the property's; that shows when the leaf is written.
  package var fitsEverywhere: Bool {
    switch self {
    case .null, .link, .list, .dictionary: false
    case .date(let date): date.isStorable
    case .string(let text), .data(let text): text.count <= Self.shortSizeMax
    default: true
    }
  }
}

extension GroupEditor {
  /// Throws `.constraint` when `value` cannot stand in `property` of the table.
  func check(_ value: NewValue, for property: Property, in schema: ClassSchema) throws(EngineError) {
    let place = "\(schema.name).\(property.name)"
    switch (property.collection, value) {
    case (nil, _): try checkElement(value, property, place)
    case (.list?, .list(let elements)), (.set?, .set(let elements)), (.set?, .list(let elements)):
      for element in elements { try checkElement(element, property, place) }
      if property.index == .general { try checkWords(elements, place) }
    case (.dictionary?, .dictionary(let entries)):
      for entry in entries {
        try checkKey(entry.key, place)
        try checkElement(entry.value, property, place)
      }
    case (let collection?, _):
      throw EngineError(
        .constraint, "\(place) is a \(collection.name), not \(value.kindName)", at: place)
    }
  }

  /// One value of the property's type, or one element of its collection.
  private func checkElement(
    _ value: NewValue, _ property: Property, _ place: String
  ) throws(EngineError) {
    // A list or dictionary of mixed values is the outermost of what is nested in it.
    let depth = property.collection == nil ? 0 : 1
    switch value {
    case .single(let single):
      guard property.type == .mixed else { return try checkSingle(single, property, place) }
      try checkMixed(value, place, depth: depth)
    case .embedded(let values):
      guard property.type == .object, property.collection != .set, let target = property.target else {
        throw mismatch(value.kindName, property, place)
      }
      let table = try table(target)
      guard table.isEmbedded else { throw mismatch(value.kindName, property, place) }
      let schema = table.schema
      for (name, value) in values {
        guard let property = schema.property(named: name) else {
          throw EngineError(.unknownProperty, "\(schema.name) has no property \(name)", at: place)
        }
        try check(value, for: property, in: schema)
      }
    default:
      guard property.type == .mixed, property.collection != .set else {
        throw mismatch(value.kindName, property, place)
      }
      try checkMixed(value, place, depth: depth)
    }
  }

  private func mismatch(_ found: String, _ property: Property, _ place: String) -> EngineError {
    EngineError(
      .constraint,
      "\(place) holds \(property.type.name)\(property.isOptional ? " or null" : ""), not \(found)", at: place)
  }

  private func checkSingle(_ value: Value, _ property: Property, _ place: String) throws(EngineError) {
    switch (property.type, value) {
    case (.object, .null):
      guard property.collection == .list || property.collection == .set else { return }
      throw mismatch("null", property, place)
    case (_, .null):
      guard property.isOptional else { throw mismatch("null", property, place) }
    case (.object, .link(let link)):
      guard link.table == property.target else { throw mismatch("a link to another class", property, place) }
      try checkTarget(link, place)
      let target = try table(link.table)
      guard !target.isEmbedded else {
        throw EngineError(
          .constraint, "an embedded object of \(target.schema.name) has one owner and cannot be linked to",
          at: place)
      }
    case (.date, .date(let date)): try checkDate(date, place)
    case (.string, .string(let text)): try checkSize(text, TextLimits.textSizeMax, place)
    case (.data, .data(let data)): try checkSize(data, TextLimits.dataSizeMax, place)
    case (let type, _) where value.type == type: return
    default: throw mismatch(value.kindName, property, place)
    }
  }

  private func checkSize(_ bytes: ByteString, _ limit: Int, _ place: String) throws(EngineError) {
    guard bytes.count <= limit else {
      throw EngineError(
        .constraint, "\(place) cannot hold \(bytes.count) bytes: the limit is \(limit)", at: place)
    }
  }

  private func checkDate(_ date: Timestamp, _ place: String) throws(EngineError) {
    guard date.isStorable else {
      throw EngineError(
        .constraint,
        "\(place) cannot hold a date of \(date.seconds) seconds and \(date.nanoseconds) nanoseconds",
        at: place, hint: "nanoseconds are less than 1000000000 and have the sign of the seconds")
    }
  }

  /// Checks a value on its way into an empty class: whether a link's target exists shows later.
  func checkForBulk(
    _ value: NewValue, for property: Property, in schema: ClassSchema
  ) throws(EngineError) {
    skipsTargets = true
    defer { skipsTargets = false }
    try check(value, for: property, in: schema)
  }

  private func checkTarget(_ link: ObjectLink, _ place: String) throws(EngineError) {
    if skipsTargets, hasTable(link.table) { return }
    guard hasTable(link.table), try table(link.table).rows.locate(link.key) != nil else {
      throw EngineError(.constraint, "\(place) cannot link to an object that does not exist", at: place)
    }
  }

  /// `depth`: how many collections stand around the value.
  private func checkMixed(_ value: NewValue, _ place: String, depth: Int) throws(EngineError) {
    switch value {
    case .list, .dictionary:
      guard depth < Nesting.collectionsMax else {
        throw EngineError(
          .constraint, "\(place) cannot hold collections nested more than \(Nesting.collectionsMax) deep",
          at: place)
      }
    default: break
    }
    switch value {
    case .single(.link(let link)):
      try checkTarget(link, place)
      guard !(try table(link.table).isEmbedded) else {
        throw EngineError(.constraint, "\(place) cannot link to an embedded object", at: place)
      }
    case .single(.string(let text)): try checkSize(text, TextLimits.textSizeMax, place)
    case .single(.data(let data)): try checkSize(data, TextLimits.dataSizeMax, place)
    case .single(.date(let date)): try checkDate(date, place)
    case .single: return
    case .list(let elements): for element in elements { try checkMixed(element, place, depth: depth + 1) }
    case .dictionary(let entries):
      for entry in entries {
        try checkKey(entry.key, place)
        try checkMixed(entry.value, place, depth: depth + 1)
      }
    case .set, .embedded:
      throw EngineError(.constraint, "a mixed value cannot be \(value.kindName)", at: place)
    }
  }

  /// The keys that the SDKs accept.
  private func checkKey(_ key: ByteString, _ place: String) throws(EngineError) {
    try checkSize(key, TextLimits.textSizeMax, place)
    if allowsAnyDictionaryKey { return }
    let bytes = key.bytes
    guard bytes.count == 0 || bytes[0] != UInt8(ascii: "$"),
      !(0..<bytes.count).contains(where: { bytes[$0] == UInt8(ascii: ".") })
    else {
      throw EngineError(
        .constraint, "\(place): a dictionary key cannot begin with $ or hold a dot: \(key.text)", at: place)
    }
  }

  /// The index of a list spells every text out, up to a limit.
  private func checkWords(_ elements: [NewValue], _ place: String) throws(EngineError) {
    for case .single(.string(let text)) in elements where text.count > IndexData.offsetMax {
      throw NodeStore.wordTooLong.located(place)
    }
  }
}
