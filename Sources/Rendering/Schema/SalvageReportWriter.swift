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
    if untold > 0 { lines.append("  and \(counted(untold, "more place", "more places")) of damage") }
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
      DocumentEntry.text("recovered", output), .text("verdict", salvage.isSound ? "sound" : "damaged"),
      .number("file_format", salvage.format), .flag("encrypted", salvage.file.image.isEncrypted),
      .list(
        "versions",
        salvage.versions.map {
          .mapping([.number("version", $0.number), .text("found", $0.origin.word)])
        }),
    ]
    entries += Self.entries(total)
    entries.append(.list("classes", salvage.classes.map(Self.document)))
    entries.append(
      .list("lost_pages", salvage.file.lostPages.map { .integer(Int64($0)) }))
    entries.append(
      .list("unverified_pages", salvage.file.unverifiedPages.map { .integer(Int64($0)) }))
    entries.append(.list("unverified", salvage.classes.flatMap(Self.unverified)))
    entries.append(.number("damage_count", salvage.log.count))
    entries.append(
      .list(
        "damage",
        salvage.log.damages.map {
          .mapping([.text("place", $0.place), .text("location", $0.location), .text("reason", $0.reason)])
        }))
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
        .text("class", item.name), .text("property", property.name), .number("values", found.0.unverified),
        .list("keys", keys),
      ])
    }
  }

  private static func entries(_ counts: SalvageCounts) -> [DocumentEntry] {
    [
      DocumentEntry.number("sound", counts.sound), .number("partial", counts.partial),
      .number("set_aside", counts.setAside), .number("older", counts.older),
      .number("rekeyed", counts.orphans), .number("known_lost", counts.knownLost),
      .flag("may_be_more", counts.isLostUncertain),
    ]
  }

  private static func document(_ item: SalvagedClass) -> DocumentNode {
    var entries = [DocumentEntry.text("class", item.name)] + Self.entries(item.counts)
    let properties = zip(item.schema.properties, item.counts.allProperties).filter { !$0.1.isNothing }
    entries.append(
      .list(
        "properties",
        properties.map { property, lost in
          .mapping([
            .text("name", property.name), .number("lost", lost.values), .number("cut", lost.parts),
            .number("links_to_nothing", lost.links), .number("older", lost.older),
            .number("unverified", lost.unverified),
          ])
        }))
    return .mapping(entries)
  }
}
