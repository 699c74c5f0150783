// A writer that others are made of. Layer: Rendering.
// Invariant: the writer inside never writes, and each that is made of it begins with a budget of its own; so threads may share
// the pattern, though not a writer.

package import RealmEngine

/// Makes writers that are alike. A new writer takes time for each class of its realm, one that is made of another hardly any: so who
/// writes class after class takes no more time for each where there are many.
package struct JSONWriterPattern: @unchecked Sendable {
  private let writer: JSONWriter

  package init(_ writer: JSONWriter) { self.writer = writer }

  /// A writer that has met nothing yet. `table`: whose objects it is to write one after the other.
  package func make(objectsOf table: Table? = nil) -> JSONWriter {
    var made = writer
    made.beginWalk(objectsOf: table)
    return made
  }
}
