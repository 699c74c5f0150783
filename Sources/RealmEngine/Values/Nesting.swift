// How deep values may stand in each other. Layer: Values.

/// Objects and collections that stand in each other.
package enum Nesting {
  /// More levels than any SDK makes by hand, and fewer than the stack holds: what stands deeper is neither written nor
  /// printed.
  package static let levelsMax = 500
  /// Collections that stand in each other in a mixed property, the outermost included, as the SDKs allow.
  package static let collectionsMax = 100
}
