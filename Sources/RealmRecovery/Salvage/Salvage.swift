// What can be saved of a damaged file: its versions, the classes they make up together, and a count of it all. Layer: RealmRecovery, Salvage.
// Invariants: a newer version's objects win; an older one lends only what the newer has lost; what a sound version says is
// not there does not come back.

package import RealmEngine

/// How a file whose header does not say is to be read.
package struct SalvageChoices: Sendable {
  /// Nil: as the header says, or as tables look.
  package var format: Int?

  package init(format: Int? = nil) { self.format = format }
}

/// A plan for saving a file's objects.
package final class Salvage {
  package let file: SalvageFile
  package let log = SalvageLog()
  package private(set) var classes: [SalvagedClass] = []
  /// Of the newest version that has one.
  package private(set) var schemaVersion: Int64?
  /// The file format that was read; nil where none was found out.
  package private(set) var format: Int?
  /// The versions that were found, the newest first.
  package var versions: [(origin: SalvageOrigin, number: Int64)] { known.map { ($0.origin, $0.number) } }
  private var known: [SalvagedVersion] = []
  private var isEmptyRealm = false

  /// Reads all that the newest version leads to, and what else there is where that is not everything. Throws where nothing of
  /// a realm is left.
  package init(_ file: SalvageFile, _ choices: SalvageChoices = SalvageChoices()) throws(EngineError) {
    self.file = file
    let places = SalvagePlace.named(in: file, log: log)
    if try takesNewer(places, choices) { return }
    var rest = places[...]
    while known.isEmpty, let place = rest.popFirst() { try add(place, choices, log) }
    isEmptyRealm = try findsNothing()
    if isEmptyRealm { return }
    if known.first?.origin == .current {
      try gather(isLast: false)
      if isSound { return }
    } else {
      try search(choices)
    }
    // Where other versions are damaged too, that is not what anybody asked for.
    let aside = SalvageLog()
    let newest = known.first
    while let place = rest.popFirst() { try add(place, choices, aside) }
    guard !known.isEmpty else { throw file.strangerError() }
    if let newest, known.count > 1 { try readAgain(newest) }
    try gather(isLast: true)
  }

  /// A commit writes its slot of the header and then selects it. So a whole version in the other slot that is newer than the
  /// selected one is what the realm had become when the selector was lost, or the commit broke off right before its end.
  private func takesNewer(_ places: [SalvagePlace], _ choices: SalvageChoices) throws(EngineError) -> Bool {
    let aside = SalvageLog()
    guard places.count == 2, let current = try number(places[0], choices, aside),
      let other = try number(places[1], choices, aside), other > current,
      try isOlder(places[0], than: places[1], choices)
    else { return false }
    try add(places[1].with(.newer), choices, aside)
    try gather(isLast: false)
    if !known.isEmpty, aside.count == 0, classes.allSatisfy(\.counts.isSound) {
      let found = "version \(current), and \(other) in the other slot"
      log.note(
        .damaged(at: FileHeader.size - 1, expected: "the newest version selected", found: found), "the header"
      )
      return true
    }
    known = []
    classes = []
    format = nil
    return false
  }

  /// Whether the tables of a version can be read and have come no further than those of another, whatever the numbers are.
  private func isOlder(
    _ place: SalvagePlace, than other: SalvagePlace, _ choices: SalvageChoices
  ) throws(EngineError) -> Bool {
    let format = choices.format ?? place.format
    guard format >= FileFormat.firstWithClusters else { return true }
    let search = NodeSearch(try snapshot(format, limit: place.limit))
    guard let own = search.tableList(of: place.top) else { return false }
    return search.tableList(of: other.top).map { !own.isNewer(than: $0) } ?? true
  }

  /// The version's number, as its top array says.
  private func number(
    _ place: SalvagePlace, _ choices: SalvageChoices, _ log: SalvageLog
  ) throws(EngineError) -> Int64? {
    try log.reading("the \(place.origin.word) version") { () throws(EngineError) in
      let snapshot = try snapshot(choices.format ?? place.format, limit: place.limit)
      return try snapshot.refsNode(place.top).taggedOrZero(GroupSlot.version)
    }
  }

  /// Reads the newest version once more, with the names and columns that the others lend.
  private func readAgain(_ newest: SalvagedVersion) throws(EngineError) {
    guard let topRef = newest.topRef else { return }
    let others = Array(known.dropFirst())
    known[0] = try SalvagedVersion(
      topRef, newest.origin, in: newest.fileSnapshot, known: others, log: log)
  }

  /// Looks for the newest version where nothing leads to it: by its top array, and at last by its tables.
  private func search(_ choices: SalvageChoices) throws(EngineError) {
    let stated = choices.format ?? SalvagePlace.statedFormat(file)
    let all = try snapshot(stated ?? FileFormat.newest, limit: file.image.size & ~7)
    let least = known.first?.number ?? 0
    var isFound = false
    for top in try NodeSearch(all).tops().prefix(Self.foundMax) where known.isEmpty || top.version > least {
      let isOld = stated.map { $0 < FileFormat.firstWithClusters } ?? top.isOld
      let format = stated ?? (isOld ? FileFormat.lastWithColumns : FileFormat.newest)
      let place = SalvagePlace(top: top.ref, origin: .found, format: format, limit: file.image.size & ~7)
      let named = known
      known = []
      try add(place, choices, log)
      known += named
      isFound = known.count > named.count
      if isFound { break }
    }
    if stated ?? FileFormat.newest >= FileFormat.firstWithClusters {
      try searchTables(all, acceptsLoose: !isFound)
    }
    guard known.isEmpty, stated ?? 0 < FileFormat.firstWithClusters else { return }
    try searchOldTables(try snapshot(stated ?? FileFormat.lastWithColumns, limit: all.fileLimit))
  }

  /// Looks for the list of tables that formats 2–9 have, or for tables.
  private func searchOldTables(_ all: Snapshot) throws(EngineError) {
    let version = try SalvagedVersion(searching: all, try NodeSearch(all).oldTableList(), log: log)
    guard !version.tables.isEmpty else { return }
    known = [version]
    format = format ?? all.format
  }

  /// Looks for the newest list of tables, or where there is none and `acceptsLoose`, for tables; for newer ones than a version
  /// has that is known.
  private func searchTables(_ all: Snapshot, acceptsLoose: Bool) throws(EngineError) {
    let search = NodeSearch(all)
    // What there is to compare with comes first: a search among many arrays that look like lists has an end.
    let other = known.first.flatMap { search.tableList(of: $0.topRef) }
    var list = try search.newestTableList()
    if let other {
      if acceptsLoose, !(list?.isNewer(than: other) ?? false) { list = try search.looseTables() }
      guard list?.isNewer(than: other) ?? false else { return }
    }
    let version = try SalvagedVersion(searching: all, list, known: known, log: log)
    guard !version.tables.isEmpty else { return }
    format = format ?? all.format
    known.insert(version, at: 0)
  }

  /// Top arrays that are tried, the newest first.
  private static let foundMax = 8

  private func add(_ place: SalvagePlace, _ choices: SalvageChoices, _ log: SalvageLog) throws(EngineError) {
    let stated = try formatOfTables(place, log)
    let format = choices.format ?? stated
    let version = try log.reading("the \(place.origin.word) version") { () throws(EngineError) in
      try SalvagedVersion(
        place.top, place.origin, in: try snapshot(format, limit: place.limit), known: known, log: log)
    }
    guard let version else { return }
    self.format = self.format ?? format
    known.append(version)
  }

  /// The format that a version is to be read as: engines before clusters never made tables as later ones do.
  private func formatOfTables(_ place: SalvagePlace, _ log: SalvageLog) throws(EngineError) -> Int {
    guard place.format < FileFormat.lastWithColumns else { return place.format }
    let later = NodeSearch(try snapshot(FileFormat.newest, limit: place.limit))
    guard later.tableList(of: place.top) != nil else { return place.format }
    log.note(
      EngineError(.damaged, "it says format \(place.format), but its tables are those of a later one"),
      "the header")
    return FileFormat.newest
  }

  /// Whether the header says that nothing was ever stored, and nothing is.
  private func findsNothing() throws(EngineError) -> Bool {
    guard let header = file.header, header.form == .empty, header.topRefs.0 == header.topRefs.1 else {
      return false
    }
    let limit = file.image.size & ~7
    let search = NodeSearch(try snapshot(FileFormat.newest, limit: limit))
    guard try search.tops().isEmpty, try search.tableRoots().isEmpty else { return false }
    return try NodeSearch(try snapshot(FileFormat.lastWithColumns, limit: limit)).oldTableList() == nil
  }

  /// Puts the classes together and counts what comes of them. `isLast`: with rows that nothing leads to.
  private func gather(isLast: Bool) throws(EngineError) {
    schemaVersion = known.lazy.compactMap(\.schemaVersion).first
    classes = []
    try gatherClasses()
    for item in classes { try item.mendKeys() }
    if isLast, let newest = known.first {
      try OrphanSearch(newest, classes)?.run()
    }
    for item in classes { item.lend() }
    for item in classes { try PrimaryKeySalvage(item)?.run() }
    try survey()
  }

  private func snapshot(_ format: Int, limit: Int) throws(EngineError) -> Snapshot {
    guard FileFormat.isReleased(format) else {
      throw EngineError(.formatTooNew, "there is no file format \(format)")
    }
    return Snapshot(image: file.image, fileLimit: limit, format: format)
  }

  private func gatherClasses() throws(EngineError) {
    var names: [String] = []
    for version in known {
      for name in version.names where version.tables[name]?.schema.isClass ?? false && !names.contains(name) {
        names.append(name)
      }
      // What a whole list does not name is not there, whatever older versions had.
      if version.isListWhole { break }
    }
    for name in names {
      let tables = known.compactMap { version in version.tables[name].map { (version: version, table: $0) } }
      classes.append(SalvagedClass(tables[0].table.schema.name, tables))
      if let schema = classes.last?.schema { noteLongNames(schema) }
    }
  }

  /// Names that no realm of the newest format can hold are shortened there.
  private func noteLongNames(_ schema: ClassSchema) {
    func note(_ name: String, _ sizeMax: Int, _ place: String) {
      guard name.utf8.count > sizeMax else { return }
      let found = "\(name.utf8.count), which is shortened"
      log.note(
        EngineError(.damaged, "expected a name of at most \(sizeMax) bytes, found one of \(found)"), place)
    }
    note(schema.name, ClassDefinition.nameSizeMax, schema.name)
    for property in schema.properties {
      note(property.name, PropertyDefinition.nameSizeMax, "\(schema.name).\(property.name)")
    }
  }

  /// Reads every object once, so that all that is lost is counted and said.
  private func survey() throws(EngineError) {
    let reader = SalvageReader(classes)
    for (index, item) in classes.enumerated() where !item.isEmbedded {
      try reader.forEachObject(of: index) { _, _ in }
    }
    for index in classes.indices { try reader.forEachSetAside(of: index) { _ in } }
    try LostObjectSearch(classes: classes).run()
    for item in classes { item.countLost() }
  }

  /// Of all classes together.
  package var totals: SalvageCounts {
    let totals = SalvageCounts()
    for item in classes { totals.add(item.counts) }
    // Nobody knows what a version had that cannot be read.
    if known.first?.isLatest == false || known.isEmpty, !isEmptyRealm { totals.isLostUncertain = true }
    return totals
  }

  /// Whether all that the file holds comes back as it is there.
  package var isSound: Bool {
    log.count == 0 && file.lostPages.isEmpty && file.unverifiedPages.isEmpty
      && classes.allSatisfy(\.counts.isSound)
      && known.first?.origin == .current || isEmptyRealm
  }
}

/// Where a version's top array stands.
struct SalvagePlace {
  let top: Ref
  let origin: SalvageOrigin
  let format: Int
  /// Bytes that nodes may occupy.
  let limit: Int

  func with(_ origin: SalvageOrigin) -> SalvagePlace {
    SalvagePlace(top: top, origin: origin, format: format, limit: limit)
  }

  /// The format that the header still states; nil where it is gone.
  static func statedFormat(_ file: SalvageFile) -> Int? {
    guard let header = file.header else { return nil }
    return [header.selectedSlot, 1 - header.selectedSlot].lazy.map { header.format(slot: $0) }.first {
      FileFormat.isReleased($0)
    }
  }

  /// The places that header and footer name, the current version first.
  static func named(in file: SalvageFile, log: SalvageLog) -> [SalvagePlace] {
    guard let header = file.header else {
      log.note(EngineError(.damaged, "the magic T-DB is missing", at: "offset 16"), "the header")
      return []
    }
    if header.form == .streaming {
      let limit = file.image.size - FileHeader.footerSize
      guard let ref = try? file.image.footerRef, let top = Ref(Int64(truncatingIfNeeded: ref)) else {
        log.note(EngineError(.damaged, "the footer is missing", at: "offset \(max(0, limit))"), "the footer")
        return []
      }
      return [SalvagePlace(top: top, origin: .current, format: header.format(slot: 0), limit: limit)]
    }
    var places: [SalvagePlace] = []
    for slot in [header.selectedSlot, 1 - header.selectedSlot] {
      let isCurrent = slot == header.selectedSlot
      let ref = header.topRef(slot: slot)
      guard let top = Ref(Int64(truncatingIfNeeded: ref)), top.offset < file.image.size else {
        if isCurrent, ref != 0 {
          log.note(
            .damaged(at: 8 * slot, expected: "the place of the current version", found: "\(ref)"),
            "the header")
        }
        continue
      }
      places.append(
        SalvagePlace(
          top: top, origin: isCurrent ? .current : .previous, format: header.format(slot: slot),
          limit: file.image.size))
    }
    return places
  }
}
