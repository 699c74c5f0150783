// Setting what stands inside of a property: in its embedded object, or under a key of its dictionary. Layer: Migration.

extension WriteTransaction {
  /// Sets the value at the end of a way from a property of an object. Throws `.constraint` where an embedded object on the
  /// way is missing.
  func set(
    _ property: Property, _ inner: [String], of link: ObjectLink, _ value: NewValue
  ) throws(EngineError) {
    guard let step = inner.first else { return try update(link, [(property.name, value)]) }
    let table = try group.table(link.table)
    let stored = try group.storedValue(table, property, link.key)
    if property.collection == .dictionary {
      guard case .dictionary(var entries) = stored else { return }
      let key = ByteString(step)
      if let index = entries.firstIndex(where: { $0.key == key }) {
        entries[index].value = value
      } else {
        entries.append((key, value))
      }
      return try update(link, [(property.name, .dictionary(entries))])
    }
    guard case .single(.link(let child)) = stored else {
      throw EngineError(
        .constraint, "\(table.schema.name).\(property.name) is null, and so has no '\(step)'",
        at: "object \(link.key.value)",
        hint: "set the whole object: { \(step): … }, or say where it is not null")
    }
    guard let next = try group.table(child.table).schema.property(named: step) else {
      throw EngineError(.unknownProperty, "\(table.schema.name).\(property.name) has no property '\(step)'")
    }
    try set(next, Array(inner.dropFirst()), of: child, value)
  }
}
