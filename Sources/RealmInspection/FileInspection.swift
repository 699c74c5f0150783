// The face of an inspection: a file in, a report out (F-1 to F-5, F-14, F-15). Layer: RealmInspection.

import ByteText
package import RealmFiles

/// What an inspection found out about one file.
package struct InspectionReport: Sendable {
  package let path: FilePath
  package let format: Int
  package let isEncrypted: Bool
  package let fileSize: Int
  /// Bytes that nodes and free blocks share; 0 in a file without a snapshot.
  package let logicalSize: Int
  package let version: Int64
  package private(set) var findings: [Finding]
  /// How many findings of each kind there are, also of those that are not in `findings`.
  package private(set) var counts: [FindingKind: Int]
  package let statistics: InspectionStatistics
  /// Whether the inspection was given up because too much was wrong.
  package let isIncomplete: Bool
  /// Whether the upgrade of a file of formats 2 to 9 has begun and did not come to an end. What its tables hold shows
  /// only when they are read.
  package let isUpgradeInterrupted: Bool

  package func count(of severity: Severity) -> Int { severityCounts[severity] ?? 0 }
  fileprivate private(set) var severityCounts: [Severity: Int]

  /// Adds what showed when the file was read.
  package mutating func add(_ finding: Finding) {
    findings.append(finding)
    counts[finding.kind, default: 0] += 1
    severityCounts[finding.severity, default: 0] += 1
  }

  /// Whether every engine can work with the file.
  package var isSound: Bool { count(of: .damage) == 0 }
}

package enum FileInspection {
  private static let topSizes = [3, 5, 7, 9, 10, 11, 12]
  static let firstClusterFormat = 10

  /// Walks the whole file and reports everything that contradicts the format. Cost: reads every node once, and
  /// every indexed value once more. Throws what keeps the file from being opened at all: not a realm, no key, a
  /// format from the future.
  package static func inspect(
    _ path: FilePath, key: EncryptionKey? = nil, snapshot: SnapshotChoice = .current, perKindMax: Int = 20
  ) throws(EngineError) -> InspectionReport {
    let log = FindingLog(perKindMax: perKindMax)
    do throws(EngineError) {
      let file = try RealmFile.open(path, key: key, snapshot: snapshot)
      return try inspect(file, log, workers: ParallelWork.workerCount)
    } catch {
      guard error.kind == .damaged else { throw error }
      return unopenable(path, error)
    }
  }

  /// The report of a realm whose header or footer is so damaged that there is nothing to walk.
  package static func unopenable(_ path: FilePath, _ error: EngineError) -> InspectionReport {
    let log = FindingLog(perKindMax: 1)
    let mark = "offset "
    let offset = error.place.flatMap { $0.hasPrefix(mark) ? Int($0.dropFirst(mark.count)) : nil }
    let place = offset == nil ? error.place.map { " – \($0)" } ?? "" : ""
    log.record(.selectedSlot, .damage) {
      Finding(
        kind: .selectedSlot, severity: .damage, offset: offset ?? 0, place: RealmPart.header.rawValue,
        expected: Finding.openable, found: error.message + place)
    }
    return report(log, path: path)
  }

  /// Inspects an open file. `workers`: threads that share the work.
  package static func inspect(
    _ file: RealmFile, perKindMax: Int = 20, workers: Int = ParallelWork.workerCount
  ) throws(EngineError) -> InspectionReport {
    try inspect(file, FindingLog(perKindMax: perKindMax), workers: workers)
  }

  private static func inspect(
    _ file: RealmFile, _ log: FindingLog, workers: Int
  ) throws(EngineError) -> InspectionReport {
    let report = try inspectParts(file, log, workers: workers)
    if let failure = log.failure { throw failure }
    return report
  }

  private static func inspectParts(
    _ file: RealmFile, _ log: FindingLog, workers: Int
  ) throws(EngineError) -> InspectionReport {
    guard file.format <= FileFormat.newest else {
      throw EngineError(
        .formatTooNew, "file format \(file.format) is newer than this program knows (\(FileFormat.newest))",
        hint: "a newer realm-cli may check it")
    }
    let names = PlaceNames()
    let header = Walk(
      image: file.image, limit: file.nodeLimit, format: file.format, names: names, coverage: nil, log: log)
    try inspectHeader(file, header)
    guard let topOffset = file.topOffset else { return report(log, file: file) }
    guard FileFormat.isReleased(file.format) else {
      header.report(
        .selectedSlot, at: 20, expected: "a format that some engine wrote", found: "\(file.format)")
      return report(log, file: file)
    }
    return try inspectSnapshot(file, topOffset, header, log, workers: workers)
  }

  private static func inspectHeader(_ file: RealmFile, _ walk: Walk) throws(EngineError) {
    walk.place = Place(.header)
    if file.image.size % 8 != 0 {
      walk.report(.headerSize, at: 0, expected: "a multiple of 8 bytes", found: "\(file.image.size)")
    }
    if file.header.form == .empty { reportForgottenSnapshot(file, walk) }
    let bytes = try file.image.bytes(0, FileHeader.size)
    let isStreaming = file.header.form == .streaming
    if isStreaming && (file.header.topRef(slot: 1) != 0 || file.header.flags != 0) {
      walk.report(
        .selectedSlot, at: 8, expected: "slot 1 and the flags to be 0 in a file that was written in one go",
        found: "\(file.header.topRef(slot: 1)) and \(file.header.flags)")
    } else if bytes[22] != 0 || bytes[23] & 0xFE != 0 {
      walk.report(
        .headerReserved, at: 22, expected: "0 in what is reserved", found: "\(bytes[22]) and \(bytes[23])")
    }
  }

  /// A realm is empty when neither slot and no footer names a snapshot: an engine writes over what these name.
  private static func reportForgottenSnapshot(_ file: RealmFile, _ walk: Walk) {
    let named = [file.header.topRef(slot: 1 - file.header.selectedSlot), (try? file.image.footerRef) ?? 0]
    let ref = named.lazy.map { Int(clamping: $0) }.first { ref in
      guard let top = walk.peek(ref), top.isSlots, topSizes.contains(top.count), case .tagged = top.slot(2)
      else { return false }
      return true
    }
    guard let ref else { return }
    walk.report(
      .selectedSlot, at: 8 * file.header.selectedSlot,
      expected: "the snapshot at \(ref) to be selected, or no snapshot at all", found: "an empty realm")
  }

  private static func inspectSnapshot(
    _ file: RealmFile, _ topOffset: Int, _ header: Walk, _ log: FindingLog, workers: Int
  ) throws(EngineError) -> InspectionReport {
    header.place = Place(.top)
    guard let top = header.node(topOffset) else { return report(log, file: file) }
    guard top.isSlots, topSizes.contains(top.count) else {
      header.report(
        .topArray, at: topOffset, expected: "3, 5, 7, 9, 10, 11 or 12 slots of refs", found: top.words)
      return report(log, file: file)
    }
    guard case .tagged(let size) = top.slot(2), size >= FileHeader.size, size <= Int64(file.nodeLimit),
      size & 7 == 0
    else {
      header.report(
        .logicalSize, at: topOffset,
        expected: "the size of the data in whole 8 bytes, at most the \(file.nodeLimit) that are there",
        found: size(top.slot(2)))
      return report(log, file: file)
    }
    let data = Data(file: file, topOffset: topOffset, size: Int(size))
    let isLarge = data.size >= sharedSizeMin && file.format >= firstClusterFormat
    if isLarge, log.isEmpty,
      let report = try inspect(
        data, header.names, FindingLog(perKindMax: log.perKindMax), sharedBy: workers)
    {
      return report
    }
    return try inspect(data, header.names, log, sharedBy: nil) ?? report(log, file: file)
  }

  /// Less data is walked before other threads have begun.
  private static let sharedSizeMin = 1 << 18

  /// The data of one version.
  private struct Data {
    let file: RealmFile
    let topOffset: Int
    let size: Int
  }

  /// Walks one version from its top array down. Nil: what several threads have found must be told by one.
  private static func inspect(
    _ data: Data, _ names: PlaceNames, _ log: FindingLog, sharedBy workers: Int?
  ) throws(EngineError) -> InspectionReport? {
    guard let coverage = CoverageMap(size: data.size) else {
      throw EngineError(.other, "no address space to inspect \(data.size) bytes")
    }
    let file = data.file
    let walk = Walk(
      image: file.image, limit: data.size, format: file.format, names: names, coverage: coverage, log: log)
    walk.place = Place(.top)
    ProgressCounter.expect(walk.limit)
    guard let top = walk.node(data.topOffset) else { return report(log, file: file) }
    let shared = workers.map { SharedInspection(walk, coverage, top, workers: $0) }
    let inspection = SnapshotInspection(walk, shared: shared)
    if file.format >= firstClusterFormat { inspection.run(top) } else { inspection.runOld(top) }
    guard shared == nil || !inspection.mustBeTold && log.failure == nil else { return nil }
    return report(
      log, file: file, walk: walk, version: version(top), isUpgradeInterrupted: inspection.hasConvertedTables)
  }

  private static func size(_ slot: RawSlot) -> String {
    if case .tagged(let size) = slot { "\(size)" } else { slot.words }
  }

  private static func version(_ top: RawNode) -> Int64 {
    if case .tagged(let version) = top.slot(6) { version } else { 0 }
  }

  private static func report(
    _ log: FindingLog, path: FilePath? = nil, file: RealmFile? = nil, walk: Walk? = nil, version: Int64 = 0,
    isUpgradeInterrupted: Bool = false
  ) -> InspectionReport {
    InspectionReport(
      path: file?.path ?? path ?? FilePath(""), format: file?.format ?? 0,
      isEncrypted: file?.image.isEncrypted ?? false, fileSize: file?.fileSize ?? 0,
      logicalSize: walk?.limit ?? 0, version: version, findings: log.findings, counts: log.countsByKind,
      statistics: walk?.statistics ?? InspectionStatistics(), isIncomplete: log.isFull,
      isUpgradeInterrupted: isUpgradeInterrupted, severityCounts: log.countsBySeverity)
  }
}
