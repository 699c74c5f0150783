// The table in which the SDKs keep a realm's schema version. Layer: Schema.

/// What the table is called, and what stands in it: one object with a number.
enum SchemaVersionTable {
  static let name = "metadata"
  static let property = "version"
  /// What is kept where no version was set.
  static let notVersioned: Int64 = -1
}
