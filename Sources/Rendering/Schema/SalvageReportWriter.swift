// What was saved of a damaged file, for people and for programs. Layer: Rendering, Schema.

import ByteText
import RealmEngine
package import RealmRecovery
package import TextFormats

/// Writes the report of one salvage.
package struct SalvageReportWriter {
  private let salvage: Salvage

  /// So many places of damage are told in text.
  private static let toldMax = 20

  package init(_ salvage: Salvage) { self.salvage = salvage }

  // MARK: Text

  package var text: String {
    var lines = ["\(salvage.file.path.displayName.visible): \(verdict)"]
    if let version = salvage.versions.first, version.origin != .current {
      lines.append("  read from \(Self.words(version))")
    }
    lines += salvage.classes.map { "  \(Self.text($0))" }
    lines += salvage.file.lostPages.prefix(Self.toldMax).map {
      "  damage: the encrypted page \($0) fails its check"
    }
    lines += salvage.file.unverifiedPages.prefix(Self.toldMax).map {
      "  unverified: the encrypted page \($0) fails its check, and was read all the same"
    }
    lines += salvage.log.damages.prefix(Self.toldMax).map { damage in
      let location = damage.location.isEmpty ? "" : " – \(damage.location)"
      return "  damage: \(damage.place.visible) – \(damage.reason.visible)\(location)"
    }
    let counts = [
      salvage.log.count, salvage.file.lostPages.count, salvage.file.unverifiedPages.count,
    ]
    let untold = counts.reduce(0) { $0 + max(0, $1 - Self.toldMax) }
    if untold > 0 { lines.append("  and \(untold) more \(untold == 1 ? "place" : "places") of damage") }
    return lines.map { $0 + "\n" }.joined()
  }

  private var verdict: String {
    let total = salvage.totals
    if salvage.isSound { return "nothing lost – \(counted(total.sound, "object")), all of them whole" }
    var parts = ["\(counted(total.sound, "object")) whole"]
    if total.partial > 0 { parts.append("\(total.partial) in part") }
    if total.setAside > 0 { parts.append("\(total.setAside) beside their class") }
    parts.append(Self.lost(total) ?? "0 lost")
    return "damaged – " + parts.joined(separator: ", ")
  }

  /// How many objects did not come back; nil for none.
  private static func lost(_ counts: SalvageCounts) -> String? {
    if counts.isLostUncertain {
      return counts.knownLost == 0 ? "an unknown number lost" : "at least \(counts.knownLost) lost"
    }
    return counts.knownLost == 0 ? nil : "\(counts.knownLost) lost"
  }

  private static func words(_ version: (origin: SalvageOrigin, number: Int64)) -> String {
    let name = version.number > 0 ? "version \(version.number)" : "a version without a number"
    return switch version.origin {
    case .previous: "\(name), the one before the current one, which is lost"
    case .newer: "\(name), which is whole and newer than the one that the header selects"
    case .current, .found: "\(name), which was found by its shape"
    }
  }

  private static func text(_ item: SalvagedClass) -> String {
    let counts = item.counts
    var parts = ["\(counts.sound) whole"]
    if counts.partial > 0 { parts.append("\(counts.partial) in part") }
    if counts.setAside > 0 { parts.append("\(counts.setAside) in a class Recovered_\(item.name)") }
    if counts.older > 0 { parts.append("\(counts.older) as they were in an older version") }
    if counts.orphans > 0 { parts.append("\(counts.orphans) with new object keys") }
    if let lost = lost(counts) { parts.append(lost) }
    let properties = zip(item.schema.properties, counts.allProperties).filter { !$0.1.isNothing }
    let losses = properties.map { "\($0.0.name) (\(words($0.1)))" }
    let text = "\(item.name): " + parts.joined(separator: ", ")
    return (losses.isEmpty ? text : text + " – " + losses.joined(separator: ", ")).visible
  }

  private static func words(_ lost: SalvageCounts.Lost) -> String {
    var parts: [String] = []
    if lost.values > 0 { parts.append("lost in \(lost.values)") }
    if lost.parts > 0 { parts.append("cut in \(lost.parts)") }
    if lost.links > 0 { parts.append("\(counted(lost.links, "link")) to nothing") }
    if lost.older > 0 { parts.append("older in \(lost.older)") }
    if lost.unverified > 0 { parts.append("unverified in \(lost.unverified)") }
    return parts.joined(separator: ", ")
  }

  // MARK: JSON

  /// `output` nil: nothing was written.
  package func entries(output: String?) -> [DocumentEntry] {
    let total = salvage.totals
    var entries = [
      DocumentEntry("recovered", output.map { .string($0) } ?? .null),
      DocumentEntry("verdict", .string(salvage.isSound ? "sound" : "damaged")),
      DocumentEntry("file_format", salvage.format.map { .integer(Int64($0)) } ?? .null),
      DocumentEntry("encrypted", .bool(salvage.file.image.isEncrypted)),
      DocumentEntry(
        "versions",
        .sequence(
          salvage.versions.map {
            .mapping([
              DocumentEntry("version", .integer($0.number)), DocumentEntry("found", .string($0.origin.word)),
            ])
          })),
    ]
    entries += Self.entries(total)
    entries.append(DocumentEntry("classes", .sequence(salvage.classes.map(Self.document))))
    entries.append(
      DocumentEntry("lost_pages", .sequence(salvage.file.lostPages.map { .integer(Int64($0)) })))
    entries.append(
      DocumentEntry(
        "unverified_pages", .sequence(salvage.file.unverifiedPages.map { .integer(Int64($0)) })))
    entries.append(DocumentEntry("unverified", .sequence(salvage.classes.flatMap(Self.unverified))))
    entries.append(DocumentEntry("damage_count", .integer(Int64(salvage.log.count))))
    entries.append(
      DocumentEntry(
        "damage",
        .sequence(
          salvage.log.damages.map {
            .mapping([
              DocumentEntry("place", .string($0.place)), DocumentEntry("location", .string($0.location)),
              DocumentEntry("reason", .string($0.reason)),
            ])
          })))
    return entries
  }

  /// The values that come from unverified pages, an entry for each property; object keys in runs, each with its first and last.
  private static func unverified(_ item: SalvagedClass) -> [DocumentNode] {
    zip(item.schema.properties, zip(item.counts.allProperties, item.counts.unverifiedKeys)).compactMap {
      property, found in
      guard found.0.unverified > 0 else { return nil }
      let keys = found.1.runs.map { run in
        DocumentNode.sequence([.integer(run.lowerBound), .integer(run.upperBound)])
      }
      return .mapping([
        DocumentEntry("class", .string(item.name)), DocumentEntry("property", .string(property.name)),
        DocumentEntry("values", .integer(Int64(found.0.unverified))), DocumentEntry("keys", .sequence(keys)),
      ])
    }
  }

  private static func entries(_ counts: SalvageCounts) -> [DocumentEntry] {
    [
      DocumentEntry("sound", .integer(Int64(counts.sound))),
      DocumentEntry("partial", .integer(Int64(counts.partial))),
      DocumentEntry("set_aside", .integer(Int64(counts.setAside))),
      DocumentEntry("older", .integer(Int64(counts.older))),
      DocumentEntry("rekeyed", .integer(Int64(counts.orphans))),
      DocumentEntry("known_lost", .integer(Int64(counts.knownLost))),
      DocumentEntry("may_be_more", .bool(counts.isLostUncertain)),
    ]
  }

  private static func document(_ item: SalvagedClass) -> DocumentNode {
    var entries = [DocumentEntry("class", .string(item.name))] + Self.entries(item.counts)
    let properties = zip(item.schema.properties, item.counts.allProperties).filter { !$0.1.isNothing }
    entries.append(
      DocumentEntry(
        "properties",
        .sequence(
          properties.map { property, lost in
            .mapping([
              DocumentEntry("name", .string(property.name)),
              DocumentEntry("lost", .integer(Int64(lost.values))),
              DocumentEntry("cut", .integer(Int64(lost.parts))),
              DocumentEntry("links_to_nothing", .integer(Int64(lost.links))),
              DocumentEntry("older", .integer(Int64(lost.older))),
              DocumentEntry("unverified", .integer(Int64(lost.unverified))),
            ])
          })))
    return .mapping(entries)
  }
}
