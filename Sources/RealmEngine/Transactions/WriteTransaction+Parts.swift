// A transaction that leaves a part of a realm, on its way to a file of its own. Layer: Transactions.

extension WriteTransaction {
  /// Removes all that a realm holds beside the objects of its classes and the schema version.
  package func removeAllButObjects() throws(EngineError) {
    try change { () throws(EngineError) in try group.removeAllButObjects() }
  }

  /// Erases all objects but `chosen` and what comes along with them. Cost: reads all links, and what else of the objects that go
  /// others hold of them.
  package func keep(
    _ chosen: [TableKey: ObjectKeyList], following: LinkFollowing
  ) throws(EngineError) {
    try change { () throws(EngineError) in try group.keep(chosen, following) }
  }
}
