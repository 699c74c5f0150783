// Changes of many objects at once: loading into empty classes, and links of many objects. Layer: Transactions.

extension WriteTransaction {
  /// Begins to fill classes. `finish` of the load makes the objects part of the transaction; until then nothing else
  /// may be changed, and an error means that the transaction is lost.
  package func beginLoad(allowsAnyDictionaryKey: Bool = false) throws(EngineError) -> BulkLoad {
    try checkSound()
    group.allowsAnyDictionaryKey = allowsAnyDictionaryKey
    return BulkLoad(group)
  }

  /// Throws `.constraint` when `value` cannot stand in the property; whether what it links to exists is not asked.
  package func checkForBulk(
    _ value: NewValue, _ property: Property, in schema: ClassSchema
  ) throws(EngineError) { try group.checkForBulk(value, for: property, in: schema) }

  /// Sets a property that links to one object each, or to none.
  package func setLinks(
    _ key: TableKey, _ property: Property, _ links: [(owner: ObjectKey, target: ObjectKey?)]
  ) throws(EngineError) {
    let isRising = zip(links, links.dropFirst()).allSatisfy { $0.owner < $1.owner }
    let links = isRising ? links : links.sorted { $0.owner < $1.owner }
    try setLinks(
      key, property, of: CompressedIntegers(links.lazy.map(\.owner.value)),
      slots: CompressedIntegers(links.lazy.map { $0.target.map { $0.value + 1 } ?? 0 }))
  }

  /// Sets links of owners that rise, by their keys. `slots`: the key of what each links to plus one, or 0.
  package func setLinks(
    _ key: TableKey, _ property: Property, of owners: CompressedIntegers, slots: CompressedIntegers
  ) throws(EngineError) {
    guard !owners.isEmpty else { return }
    try change { () throws(EngineError) in
      let replacement = LinkReplacement(of: try group.table(key), in: BulkLoad(group))
      try replacement.put(slots, in: property, of: owners)
      try replacement.finish()
    }
  }
}
