// What is different between two versions of a class, object by object. Layer: RealmCommands, Differences.
// Memory grows with what differs: of objects that are the same nothing is kept but their number.

import ByteText
import RealmEngine
import Rendering

/// An object that both sides have, with other values.
struct ChangedObject {
  let left: ObjectKey
  let right: ObjectKey
  /// Numbers of the class's compared properties.
  let properties: [Int]
}

/// The objects of a class that differ.
struct ClassDifference {
  var removed: [ObjectKey] = []
  var added: [ObjectKey] = []
  var changed: [ChangedObject] = []
  var sameCount = 0

  var isEmpty: Bool { removed.isEmpty && added.isEmpty && changed.isEmpty }
}

/// Two realms whose objects are compared.
struct RealmDifference {
  let left: ReadTransaction
  let right: ReadTransaction
  let pairs: ClassPairs
  let scope: DifferenceScope
  private let comparison: RealmComparison
  private let writers: (left: JSONWriterPattern, right: JSONWriterPattern)

  init(
    _ left: ReadTransaction, _ right: ReadTransaction, _ scope: DifferenceScope, isOneFile: Bool
  ) throws(EngineError) {
    self.left = left
    self.right = right
    self.scope = scope
    pairs = ClassPairs(left, right, scope)
    let forms = pairs.forms(scope)
    writers = (
      JSONWriterPattern(JSONWriter(left, style: .typed, isCanonical: true, form: forms.left)),
      JSONWriterPattern(JSONWriter(right, style: .typed, isCanonical: true, form: forms.right))
    )
    comparison = try RealmComparison(left: left, right: right, classes: pairs.common, isOneFile: isOneFile)
  }

  /// Classes of both sides that have objects of their own and are asked for.
  var classes: [ComparedClass] {
    pairs.common.filter { $0.right.schema.kind != .embedded && scope.includes($0.name) }
  }

  /// What differs of a class.
  func difference(of compared: ComparedClass) throws(EngineError) -> ClassDifference {
    var result = ClassDifference()
    var onlyLeft: [ObjectKey] = []
    var onlyRight: [ObjectKey] = []
    try comparison.table(compared).forEachRun(
      { PairComparer(self, compared) },
      { (run, comparer) throws(EngineError) -> ConfirmedBlocks in try ConfirmedBlocks(run, comparer) },
      { run throws(EngineError) in
        result.changed += run.changed
        result.sameCount += run.sameCount
        onlyLeft += run.onlyLeft
        onlyRight += run.onlyRight
        return true
      })
    (result.removed, result.added) = (onlyLeft, onlyRight)
    if compared.hasIdentity { try matchIdentities(compared, &result) }
    if scope.matchesContent, !compared.hasIdentity { try matchContents(compared, &result) }
    return result
  }

  /// Finds objects that have the same primary key under another object key.
  private func matchIdentities(
    _ compared: ComparedClass, _ result: inout ClassDifference
  ) throws(EngineError) {
    guard !result.removed.isEmpty, !result.added.isEmpty, let leftKey = compared.left.schema.primaryKey,
      let rightKey = compared.right.schema.primaryKey
    else { return }
    var known: [Value: ObjectKey] = [:]
    for key in result.removed {
      known[try compared.left.value(of: leftKey, key).owned()] = key
    }
    var comparer = PairComparer(self, compared)
    var added: [ObjectKey] = []
    for key in result.added {
      guard let other = known.removeValue(forKey: try compared.right.value(of: rightKey, key)) else {
        added.append(key)
        continue
      }
      let properties = try comparer.changedProperties(
        try compared.left.required(other), try compared.right.required(key))
      if properties.isEmpty {
        result.sameCount += 1
      } else {
        result.changed.append(ChangedObject(left: other, right: key, properties: properties))
      }
    }
    let removed = Set(known.values)
    result.removed.removeAll { !removed.contains($0) }
    result.added = added
  }

  /// Finds objects with the same values among those that differ under their keys.
  private func matchContents(
    _ compared: ComparedClass, _ result: inout ClassDifference
  ) throws(EngineError) {
    var comparer = PairComparer(self, compared)
    let removed = (result.removed + result.changed.map(\.left)).sorted()
    let added = (result.added + result.changed.map(\.right)).sorted()
    var known: [[UInt8]: [ObjectKey]] = [:]
    for key in removed.reversed() {
      let digest = try comparer.digest(compared.left.required(key), isLeft: true)
      known[digest, default: []].append(key)
    }
    result.added = []
    result.changed = []
    for key in added {
      let digest = try comparer.digest(compared.right.required(key), isLeft: false)
      if known[digest]?.popLast() == nil { result.added.append(key) } else { result.sameCount += 1 }
    }
    result.removed = known.values.joined().sorted()
  }

  /// Compares the texts of objects, for one thread.
  struct PairComparer {
    private let compared: ComparedClass
    private var left: JSONWriter
    private var right: JSONWriter
    private let defaults: [[UInt8]]

    init(_ realms: RealmDifference, _ compared: ComparedClass) {
      self.compared = compared
      (left, right) = (realms.writers.left.make(), realms.writers.right.make())
      defaults = compared.properties.map { ValueFormat.defaultText(of: $0.right) }
    }

    /// The numbers of the properties whose values differ.
    mutating func changedProperties(
      _ leftObject: ObjectPosition, _ rightObject: ObjectPosition
    ) throws(EngineError) -> [Int] {
      var changed: [Int] = []
      for index in compared.properties.indices {
        let (before, after) = try texts(index, leftObject, rightObject)
        if before != after { changed.append(index) }
      }
      return changed
    }

    /// What a property was and is, in the form that is compared.
    mutating func texts(
      _ index: Int, _ leftObject: ObjectPosition, _ rightObject: ObjectPosition
    ) throws(EngineError) -> ([UInt8], [UInt8]) {
      let property = compared.properties[index]
      var before = defaults[index]
      if let leftProperty = property.left {
        before = try left.comparedText(of: leftProperty, leftObject)
      }
      return (before, try right.comparedText(of: property.right, rightObject))
    }

    /// A digest of all values of an object.
    mutating func digest(_ object: ObjectPosition, isLeft: Bool) throws(EngineError) -> [UInt8] {
      let digest = SHA256Digest()
      for (index, property) in compared.properties.enumerated() {
        var text = defaults[index]
        if !isLeft {
          text = try right.comparedText(of: property.right, object)
        } else if let leftProperty = property.left {
          text = try left.comparedText(of: leftProperty, object)
        }
        var line = ByteBuffer()
        line.append(text)
        line.append(UInt8(ascii: "\n"))
        digest.update(line)
      }
      return digest.finish()
    }
  }
}

/// A run of blocks whose candidates were looked at closely.
private struct ConfirmedBlocks: Sendable {
  var changed: [ChangedObject] = []
  var sameCount: Int
  let onlyLeft: [ObjectKey]
  let onlyRight: [ObjectKey]

  init(_ run: ComparedBlocks, _ own: RealmDifference.PairComparer) throws(EngineError) {
    var comparer = own
    sameCount = run.sameCount
    onlyLeft = run.onlyLeft
    onlyRight = run.onlyRight
    for (left, right) in run.candidates {
      let properties = try comparer.changedProperties(left, right)
      if properties.isEmpty {
        sameCount += 1
      } else {
        changed.append(ChangedObject(left: left.key, right: right.key, properties: properties))
      }
    }
  }
}

extension Table {
  /// The object with a key that was just met.
  func required(_ key: ObjectKey) throws(EngineError) -> ObjectPosition {
    guard let position = try find(key) else {
      throw EngineError(damage: "\(schema.name) no longer has object \(key.value)")
    }
    return position
  }

  /// A single value of an object.
  func value(of property: Property, _ key: ObjectKey) throws(EngineError) -> Value {
    let position = try required(key)
    return try position.block.leaf(property).value(position.row, in: snapshot)
  }
}
