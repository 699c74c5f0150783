// What the man page of the command tells about SQL. Layer: RealmCommands, Manual.

import Arguments

extension ManualChapter {
  static let sql = ManualChapter(
    "SQL", command: "sql",
    [
      """
      Statements that begin with select, with, values or pragma, at the prompt, in scripts and after 'realm-cli sql', are \
      SQLite's SQL. They only read. At the prompt they go on until ';'. Inside 'begin' they see what is not committed yet.
      """,
      """
      Each class is a table. A link holds the primary key of its target, or its object key where the target's class has \
      none; such a class shows the object key as the column _key, which all other classes have as a hidden column. Booleans are \
      0 and 1; dates are texts such as 2020-01-31T10:00:00Z, which SQLite's date functions take; decimals, object ids \
      and UUIDs are texts; NaN is NULL. As texts, a date with a fraction of a second comes before its whole second: order and \
      compare such dates by julianday(x), and with datetime(x) on both sides where one comes from a function.
      """,
      """
      A list, set or dictionary is a table CLASS_NAME with the columns owner, position (from 0) or key, and value. An embedded \
      class is a table with the column owner, and owner_class, owner_property, position and key where they are needed. \
      Hidden columns named as the property hold the same as JSON: select dogs from Person.
      """,
      """
      Names that differ only in case get a number: name_2. Conditions, orders and limits on the properties of one table \
      are handed to the query engine; 'explain query plan' shows which.
      """,
    ],
    rows: [
      Explanation(
        "realm_type(x)",
        "the type of a value in the realm: uuid, date, bool, list …; x is a column, and no group, DISTINCT or UNION stands between"
      ),
      Explanation(
        "realm_link('Person 7')",
        "what links to that object hold; 'Dog @17' names it by object key, 'old.Dog @17' in another file"),
      Explanation(
        "geo_within(place, region)",
        "whether a GeoJSON point, or [longitude, latitude], lies in geoBox(…), geoCircle(…) or geoPolygon(…)"),
      Explanation(
        "x regexp PATTERN, regexp(pattern, x)",
        "whether PATTERN, a regular expression as of MATCHES in conditions, is found in the text x"),
      Explanation(
        "concat(x, …), concat_ws(separator, x, …), string_agg(x, separator)",
        "texts one after the other, without nulls; string_agg those of a group"),
      Explanation("median(x), stddev(x)", "of the numbers of a group; stddev is that of a sample"),
      Explanation(
        "decimal_sum(x), decimal_cmp(x, y)",
        "the sum of decimals, to 34 digits; whether one is less (-1), the same (0) or greater (1)"),
      Explanation("--arg VALUE, --param NAME=VALUE", "values for ?1, ?2 … and :NAME"),
      Explanation("--as NAME=FILE", "what stands before the tables of a file: NAME.Person"),
      Explanation(
        "--attach-sqlite FILE", "a database of SQLite beside the realms; its name is that of the file"),
      Explanation(
        "--timeout SECONDS, --memory SIZE",
        "what a statement may take; with --memory it uses no temporary files"),
    ])
}
