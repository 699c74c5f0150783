// Which objects a change may have changed, and how.

/// What a change was asked to do, in terms of the lines of dumps.
struct ChangePermission {
  /// May become anything, or nothing, or come into being.
  var objects: Set<String> = []
  /// Any object of these classes may change or come into being.
  var classes: Set<String> = []
  /// Objects of these classes may get more properties.
  var extendedClasses: Set<String> = []
  /// Objects that led to these may lead to them no more; what they owned may be gone.
  var erased: Set<String> = []
  var mayAddObjects = false
  /// Dumps show embedded objects inside those that own them.
  var changesEmbedded = false
  /// The upgrade that came with the change sorts some sets anew.
  var isOrderLost = false

  func allows(_ name: String, from old: String?, to new: String?) -> Bool {
    if objects.contains(name) || erased.contains(name) { return true }
    if classes.contains(where: { name.hasPrefix(Self.prefix(ofClass: $0)) }) { return true }
    guard let old else { return mayAddObjects }
    if changesEmbedded, old.contains("\"$embedded\"") { return true }
    if let new, extendedClasses.contains(where: { name.hasPrefix(Self.prefix(ofClass: $0)) }) {
      return isOrderLost || new.hasPrefix(old.dropLast(2))
    }
    return erased.contains { old.contains(RealmPicture.mention(of: $0)) }
  }

  private static func prefix(ofClass name: String) -> String { RealmPicture.name(ofClass: name) + "," }
}
