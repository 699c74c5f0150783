// What imported JSON calls and spells in another way than the realm does. Layer: RealmSession, Documents.

import RealmEngine

extension ObjectReader {
  /// What a source calls and spells in its own way.
  struct Dialect {
    /// Where a key goes that stands for something else than its name says.
    enum Target {
      case property(Int)
      /// Names of properties, from the object inwards.
      case inner([String])
      case ignored
    }

    /// Whether names that properties have may mean others.
    let renamesProperties: Bool
    /// Nil for a key that means nothing.
    let target: (String, ClassSchema) throws -> Target?
    /// The date that a text or a number spells in a property of that name.
    let date: (String, Span<UInt8>) -> Timestamp?
    /// Whether a text is its own bytes where data is wanted, as in SQLite; elsewhere it is base64.
    let hasPlainData: Bool
    /// Whether numbers are texts in a property, because some have more digits than any number holds.
    let isText: (ClassSchema, Property) -> Bool
    /// Object keys of a source mean these.
    let former: FormerObjects
  }

  /// The objects that were there before others came.
  final class FormerObjects {
    private let transaction: WriteTransaction
    private var realm: ReadTransaction?
    /// Whether a link has said an object key that none of them has, of a class whose objects a source names by primary keys.
    private(set) var areMissed = false

    init(_ transaction: WriteTransaction) { self.transaction = transaction }

    func note(_ link: ObjectLink, to schema: ClassSchema) throws(EngineError) {
      guard !areMissed, schema.primaryKey != nil else { return }
      if realm == nil { realm = try transaction.beginning() }
      areMissed = try realm?.table(link.table)?.find(link.key) == nil
    }
  }
}
