// Setting what stands inside of a property: in its embedded object, or under a key of its dictionary. Layer: Filling.

extension WriteTransaction {
  /// Sets the value at the end of a way from a property of an object. Throws `.constraint` where an embedded object on the
  /// way is missing.
  func set(
    _ property: Property, _ inner: [String], of link: ObjectLink, _ value: NewValue
  ) throws(EngineError) {
    guard let step = inner.first else { return try update(link, [(property.name, value)]) }
    let table = try group.table(link.table)
    let stored = try group.storedValue(table, property, link.key)
    let place = "\(table.schema.name).\(property.name)"
    if property.collection == .dictionary {
      guard case .dictionary(var entries) = stored else { return }
      let key = ByteString(step)
      guard inner.count == 1 else {
        let element = entries.first { $0.key == key }?.value ?? .single(.null)
        return try set(inner.dropFirst(), in: element, of: link, at: "\(place).\(step)", value)
      }
      if let index = entries.firstIndex(where: { $0.key == key }) {
        entries[index].value = value
      } else {
        entries.append((key, value))
      }
      return try update(link, [(property.name, .dictionary(entries))])
    }
    try set(inner[...], in: stored, of: link, at: place, value)
  }

  /// The same from an embedded object of `owner` on, which stands at `place`.
  private func set(
    _ steps: ArraySlice<String>, in embedded: NewValue, of owner: ObjectLink, at place: String,
    _ value: NewValue
  ) throws(EngineError) {
    guard let step = steps.first else { return }
    guard case .single(.link(let child)) = embedded else {
      throw EngineError(
        .constraint, "\(place) is null, so '\(step)' cannot be set", at: "object \(owner.key.value)",
        hint: "say where it is not null; 'upsert' and migrations set the whole object: { \(step): … }")
    }
    guard let next = try group.table(child.table).schema.property(named: step) else {
      throw EngineError(.unknownProperty, "\(place) has no property '\(step)'")
    }
    try set(next, Array(steps.dropFirst()), of: child, value)
  }
}
