// What the write side calls before the first change of a small file: what `check` calls damaged is not written on.
// Layer: RealmInspection.

package import RealmFiles

/// Files with no more data are inspected whole before they are changed: it takes no longer than a commit does.
let inspectedSizeMax = 1 << 18

/// Inspects a small file and throws `.damaged` with the first damage that is found. Cost: reads the file. Of a file without a
/// version, however large, only the header is looked at: nothing else says that what stands behind it may be written over.
package func refuseDamage(in file: RealmFile) throws(EngineError) {
  guard file.nodeLimit <= inspectedSizeMax || file.topOffset == nil else { return }
  let report = try FileInspection.inspect(file, perKindMax: 1)
  guard let first = report.findings.first(where: { $0.severity == .damage }) else { return }
  throw EngineError(
    .damaged, of: file.path, "is damaged: \(first.place) – \(first.words)",
    at: "offset \(first.offset)",
    hint: EngineError.damageHint)
}
