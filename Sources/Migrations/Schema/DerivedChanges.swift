// What follows from a target schema without being written out: what the SDKs do on their own. Layer: Migrations, Schema.
// Invariant: nothing that could lose data is derived unless `removed` names it.

import RealmEngine
import RealmSession

/// The derived changes of a step, and what keeps the rest from being derived.
struct DerivedChanges {
  private(set) var changes: [SchemaChange] = []
  private(set) var refusals: [(message: String, hint: String)] = []

  init(from schema: SchemaDescription, to target: SchemaDescription, removed: Set<String>) {
    for change in schema.changes(to: target) {
      switch change {
      case .classAdded, .indexChanged: changes.append(change)
      case .classRemoved(let old):
        take(
          change, if: removed.contains(old.name), "class '\(old.name)' is not in the schema",
          "name it in 'removed', or its new name in a rename_class step")
      case .propertyRemoved(let name, let property):
        take(
          change, if: removed.contains("\(name).\(property.name)"),
          "'\(name).\(property.name)' is not in the schema",
          "name it in 'removed', or its new name in a rename_property step")
      case .propertyAdded(let name, let property):
        take(
          change, if: !property.type.needsValue, "'\(name).\(property.name)' is new and required",
          "write add_property with a 'value' in 'up'")
      case .kindChanged(let name, _, let to):
        refuse(
          "class '\(name)' becomes \(to.name)",
          "write make_\(to == .embedded ? "embedded" : "object") in 'up'")
      case .primaryKeyChanged(let name, _, let to):
        refuse("the primary key of '\(name)' becomes \(to ?? "none")", "write change_primary_key in 'up'")
      case .typeChanged(let name, let property, let from, let to):
        let word =
          switch TypeConversion(from: from, to: to) {
          case .makesOptional: "make_optional"
          case .makesRequired: "make_required"
          case .computes, .unknown: "change_type"
          }
        refuse("'\(name).\(property)' becomes \(to.word), from \(from.word)", "write \(word) in 'up'")
      }
    }
  }

  private mutating func take(_ change: SchemaChange, if isFine: Bool, _ message: String, _ hint: String) {
    if isFine { changes.append(change) } else { refuse(message, hint) }
  }

  private mutating func refuse(_ message: String, _ hint: String) { refusals.append((message, hint)) }

  /// What a synced realm may not take: it takes additions, and indexes, which stay local.
  var firstRemoval: SchemaChange? {
    changes.first {
      switch $0 {
      case .classAdded, .propertyAdded, .indexChanged: false
      default: true
      }
    }
  }

  /// Classes come before what may link to them, and go last. Gives what each change did, in the order of `changes`.
  func run(_ transaction: WriteTransaction) throws(EngineError) -> [OperationReport] {
    var reports = Array(repeating: OperationReport(), count: changes.count)
    let added = changes.compactMap { if case .classAdded(let new) = $0 { new } else { nil } }
    if !added.isEmpty { try transaction.addClasses(added) }
    for (change, index) in zip(changes, changes.indices) {
      let before = try transaction.view().objectCount
      switch change {
      case .propertyAdded(let name, let property): try transaction.addProperty(name, property)
      case .propertyRemoved(let name, let property): try transaction.removeProperty(name, property.name)
      case .indexChanged(let name, let property, _, let to): try transaction.setIndex(name, property, to)
      default: continue
      }
      reports[index].account(for: try transaction.view().objectCount - before)
    }
    for (change, index) in zip(changes, changes.indices) {
      guard case .classRemoved(let old) = change else { continue }
      let before = try transaction.view().objectCount
      try transaction.removeClass(old.name)
      reports[index].account(for: try transaction.view().objectCount - before)
    }
    return reports
  }
}
