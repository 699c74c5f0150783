// What the tab key does to a line. Layer: RealmCommands, Shell.

/// What completion does at the cursor, and what it shows where there are several ways to go on.
package struct LineCompletion: Equatable, Sendable {
  /// Characters before the cursor that `insertion` replaces.
  package var replacedCount = 0
  package var insertion: [UInt8] = []
  package var choices: [String] = []
}
