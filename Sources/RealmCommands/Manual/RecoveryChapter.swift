// What the man page of the command tells about damaged files, with a worked example. Layer: RealmCommands, Manual.

import Arguments

extension ManualChapter {
  static let recovery = ManualChapter(
    "RECOVERY", command: "recover",
    [
      """
      A realm that an app can no longer open is often damaged in only one place. 'check' lists all damage; 'recover' \
      writes a sound realm from the rest.
      """,
      """
      $ realm-cli check broken.realm: 'broken.realm: damaged – 1 place of damage', exit status 9. \
      $ realm-cli recover broken.realm saved.realm: 'broken.realm: damaged – 744 objects whole, 256 in part, 0 lost; \
      Person: 744 whole, 256 in part – name (lost in 256); damage: Person.name – expected a leaf of short texts, found …'. So \
      one leaf of names was damaged: 256 persons have no name in saved.realm, where the property is optional now; nothing \
      else is missing. 'realm-cli Person where name == nil' on saved.realm shows them.
      """,
      """
      To see what can be recovered: 'recover --dry-run broken.realm'. If even the format is lost, give \
      --format-version, with the number that other files of the same app have ('realm-cli info'). An encrypted file \
      needs its key, and OUT gets the same one unless --decrypt or a new key is given; encrypted pages that fail \
      their check are lost, the others are not; --unverified reads them anyway, and the report lists the values that \
      come from them. Their size (--page-size) is 4096 bytes in every format.
      """,
      """
      Partial objects are reported by property: 'lost in' counts values that cannot be read, 'cut in' lists, sets and \
      dictionaries that lost elements, 'links to nothing' links to objects that did not come back, 'older in' values taken \
      from the previous version because the current ones are lost. Objects keep their object keys, except those \
      whose key is lost.
      """,
      """
      An object comes back when its own bytes and those that describe its class can be read, and there is evidence that it \
      was not deleted: a table leads to it; or the version's list of free space does not contain it; or, where that list is \
      lost, it lies after the end of the previous version, where only the last commit wrote. Rows without this evidence are \
      left alone, since deleted objects look the same. A class is described by its names, types and columns; if every \
      version of these is lost, only numbers without a meaning remain. Other losses are inferred: a table from its place in \
      the list, its columns from the order in which they were created, its rows from their form.
      """,
    ],
    rows: [])
}
