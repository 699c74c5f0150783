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
      one leaf of names was damaged: 256 persons have no name in saved.realm, where the property is optional now; all else \
      is there. 'realm-cli Person where name == nil' on saved.realm shows them.
      """,
      """
      To see what can be recovered: 'recover --dry-run broken.realm'. If even the format is lost, give \
      --format-version, with the number that other files of the same app have ('realm-cli info'). An encrypted file \
      needs its key, and OUT gets the same one unless --decrypt or a new key is given; encrypted pages that fail \
      their check are lost, the others are not; --unverified reads them all the same, and the report tells which values \
      come from them. Their size (--page-size) is 4096 bytes in every format.
      """,
      """
      What came in part is told by property: 'lost in' values that cannot be read, 'cut in' lists, sets and dictionaries of \
      which some elements are lost, 'links to nothing' links to objects that did not come back, 'older in' values that are \
      those of the version before, because the current ones are lost. Objects keep their object keys, except those \
      whose key is lost.
      """,
      """
      An object comes back when its own bytes and those that describe its class can be read, and something tells that it was \
      not deleted: a table leads to it; or the version's list of free space does not have it; or, where that list is \
      lost, it stands behind the end of the version before, where only the last commit wrote. Rows that nothing leads to and \
      that none of these tells are left alone, since a deleted object looks like them. A class is described by its names, \
      types and columns; where they are lost with every version that had them, numbers remain of which nobody knows what \
      they mean. What is lost of a table is otherwise found out: the table by its place in the list, its columns by the \
      order in which they were made, its rows by their form.
      """,
    ],
    rows: [])
}
