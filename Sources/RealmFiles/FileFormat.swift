// Which file formats there are. Layer: RealmFiles.

/// The numbers of file formats.
package enum FileFormat {
  /// The newest that this program knows, and the only one it writes.
  package static let newest = 24
  /// From this one on tables are made of clusters, and the top array has its present form.
  package static let firstWithClusters = 10
  /// The last whose tables are columns.
  package static let lastWithColumns = 9

  /// Whether an engine that was released writes `format`; 0 stands in files without any snapshot.
  package static func isReleased(_ format: Int) -> Bool {
    (2...11).contains(format) || (20...newest).contains(format)
  }
}
