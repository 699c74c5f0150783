// What the man page of the command tells about the page that `serve` shows. Layer: RealmCommands, Manual.

import Arguments

extension ManualChapter {
  static let serving = ManualChapter(
    "SERVING A PAGE", command: "serve",
    [
      """
      'serve' prints one line, the address of a page for your browser, and serves it until Ctrl-C, or until nobody has \
      asked for the time of --idle-timeout. The page shows classes, rows, objects and what links to them, the schema as a \
      diagram and in the languages of the SDKs, and what takes the space in the file, and follows what other programs commit. \
      Its line takes predicates (realm-predicate(7)), statements that change nothing and SELECT of SQL. The file's page checks \
      it, compacts it (with --write) and saves compact copies and files of SQLite; what a class or a statement shows is saved as \
      CSV, JSON or SQLite. '?' lists the keys. Of several files, a key that is named is used for those that are encrypted.
      """,
      """
      It listens on 127.0.0.1 and ::1 alone, and lets in who has the token in the address, by one of the names of this \
      machine, from the page itself. Only files that were named can be asked for. Values of a file become text, never HTML, \
      and the page loads nothing from elsewhere. Without --write no request changes anything. With it, a change is one \
      transaction, which Undo reverses unless an object that it touched has changed since.
      """,
      """
      For a file on another machine: ssh -t -L 8080:127.0.0.1:8080 HOST realm-cli serve --port 8080 app.realm, then open the \
      printed address. With --socket PATH only the owner of the socket can connect: ssh -L 8080:PATH HOST.
      """,
      """
      Programs find the same under /api/v1, which /api/v1/openapi.json describes. Integers are texts there, since JavaScript \
      holds them only up to 2^53; a value that JSON has no type for says its own: {"$int":"7"}, {"$date":"…"}, {"$link":{…}}.
      """,
    ],
    rows: [])
}
