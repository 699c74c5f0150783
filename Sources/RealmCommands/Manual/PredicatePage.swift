// realm-predicate(7): the language of conditions and of computed values. Layer: RealmCommands, Manual.

import Arguments
import RealmEngine

extension ManualPage {
  /// Made by `realm-cli __man realm-predicate`.
  static let predicates = ManualPage(
    "realm-predicate", section: 7,
    summary: "conditions on objects, and computed values",
    chapters: [
      introduction, values, properties, comparisons, texts, collections, dates, order, expressions, functions,
      results, arguments, errors, differences, examples,
      ManualChapter("SEE ALSO", ["realm-cli(1), realm-statements(7)"]),
    ])

  private static let introduction = ManualChapter(
    "DESCRIPTION",
    [
      """
      Conditions select objects of a class: after 'where' in statements, and as PREDICATE of commands such as query. \
      They are the Realm Query Language of the SDKs and also accept NSPredicate syntax. Keywords may be in any case; \
      names of classes and properties are case-sensitive.
      """,
      """
      Comparisons are joined by 'and' (&&), 'or' (||) and 'not' (!), with parentheses where needed; 'not' binds \
      closest, then 'and'. TRUEPREDICATE and FALSEPREDICATE stand for all objects and none.
      """,
    ])

  private static let values = ManualChapter(
    "VALUES",
    rows: [
      Explanation("'Ada', \"Ada\"", "text; \\' \\\" \\\\ \\n \\t \\r \\u00e9 inside"),
      Explanation("30, -1, 0x1f", "whole numbers of 64 bits; larger ones become decimals"),
      Explanation("1.5, 1e3, 2.5f, infinity, nan", "numbers with a fraction; f marks a float"),
      Explanation("true, false", "booleans"),
      Explanation("null", "no value; nil is the same"),
      Explanation(
        "2020-01-31@12:30:00, 2020-01-31T12:30:00Z, 2020-01-31", "dates, in UTC unless they say otherwise"),
      Explanation("T1580473800:0", "a date as seconds and nanoseconds since 1970"),
      Explanation("uuid(…), oid(…)", "a UUID; an object id of 24 hexadecimal digits"),
      Explanation("binary('…'), binary(B64\"…\")", "data"),
      Explanation("obj('Person', 7)", "the object of a class with this primary key"),
      Explanation("{1, 2, 3}", "a list"),
    ])

  private static let properties = ManualChapter(
    "PROPERTIES",
    [
      """
      A path of names leads through links and embedded objects: owner.address.city. A path through a null link gives \
      null. '@links.Dog.owner' leads backwards, to the dogs whose owner is this object; '@links.@count' counts \
      everything that links here. A word of the language that is the name of a property is written with '#': #in == 1. \
      A blank in a name is written with a backslash: first\\ name; any name may stand in backquotes: `first name`.
      """
    ],
    rows: [
      Explanation(
        "tags[0], tags[first], tags[last], tags[size]",
        "an element of a list (null if there is none), and the number of elements"),
      Explanation("attrs['color'], attrs.@keys, attrs.@values", "values and keys of a dictionary"),
      Explanation("dogs.@count", "the number of elements; also the length of a text or data in bytes"),
      Explanation("dogs.@min.age, @max, @sum, @avg", "of numbers in a collection or of linked objects"),
      Explanation("extra.@type == 'string'", "the type of a mixed value"),
      Explanation("@key, owner.@key", "the object key"),
    ])

  private static let comparisons = ManualChapter(
    "COMPARISONS",
    [
      """
      Numbers of all types compare by value. No number or date is smaller or larger than null, so 'age < 3' leaves out \
      objects without an age; null equals only null. Among texts null comes before all others: name < 'B' finds it, too. \
      Arithmetic (+ - * /) may stand on both sides; a minus sign behind a name \
      needs a blank before it.
      """
    ],
    rows: [
      Explanation("==, !=", "equal, different; = and <> are the same"),
      Explanation("<, <=, >, >=", "smaller, larger"),
      Explanation("in {1, 2}", "equal to one of them, or to an element of a list property"),
      Explanation("between {1, 5}", "from 1 to 5, both included"),
      Explanation(
        "location geoWithin geoCircle([12.5, 41.9], 0.1)",
        "inside a region; also geoBox and geoPolygon, of which one larger than half of the globe means its outside"
      ),
    ])

  private static let texts = ManualChapter(
    "TEXTS",
    [
      """
      Texts compare byte by byte. [c] after an operator ignores the case of Latin letters, [d] ignores accents, [cd] \
      both, and the case of other letters: name ==[cd] 'etoile'.
      """
    ],
    rows: [
      Explanation("beginswith, endswith, contains", "a part of a text"),
      Explanation("like 'A*d?'", "a pattern: * stands for any characters, ? for one"),
      Explanation(
        "matches '[A-D].*'",
        "a regular expression that must match the whole text; matches[c] ignores case. Without back-references "
          + "and look-around, so that it always runs in linear time"),
      Explanation(
        "text 'realm -cloud'", "words in a property with a full-text index; a minus sign excludes one"),
    ])

  private static let collections = ManualChapter(
    "COLLECTIONS",
    [
      """
      A comparison with several values holds when it holds for one of them: 'dogs.age > 3' means any dog. 'any', \
      'all' and 'none' in front say it: 'all dogs.age > 3' holds for people without dogs too. Whole lists compare with \
      lists: scores == {1, 2}, and scores < {1, 2} holds where both have as many elements and each pair does, so that two \
      empty lists pass. 'tags != "red"' means that some tag is another; 'none tags == "red"' that no tag is red.
      """
    ],
    rows: [
      Explanation(
        "subquery(dogs, $d, $d.age > 3 and $d.breed == 'Corgi').@count > 0",
        "several conditions on the same element")
    ])

  private static let dates = ManualChapter(
    "DATES",
    ["Dates have nanoseconds. '2020-01-01' is midnight UTC: born >= 2020-01-01 and born < 2021-01-01."])

  private static let order = ManualChapter(
    "ORDER",
    ["After the condition, in the order in which they apply:"],
    rows: [
      Explanation("sort(name asc, age desc)", "put in order; null first, through a link to nothing last"),
      Explanation(
        "distinct(name)", "only the first object of each name; through a link to nothing none, as in the SDKs"
      ),
      Explanation("limit(10)", "at most ten objects"),
    ])

  private static let expressions = ManualChapter(
    "COMPUTED VALUES",
    [
      """
      A value may be computed anywhere: on both sides of a comparison, after 'select', 'by', 'set' and the words sum, \
      avg, min and max, in sort(…) and distinct(…), in --sort, --distinct and --select, and in migrations. The \
      operators, from loosest to tightest: c ? a : b, 'or', 'and', 'not', comparisons, ??, + -, * / %, a minus sign. \
      ?? gives the first value that is not null; + also joins texts; % is the remainder of a division.
      """,
      """
      Null makes null of arithmetic, of functions of single values and of < <= > >= between single values; a condition \
      that is null does not hold. In conditions ints wrap around, and what is divided by zero or does not convert is null, \
      as in the SDKs. Everywhere else this is an error that names the object.
      """,
      """
      No text is made that no property can hold (16 MB), nor, at once, more than 8 million elements in lists or 1 GiB in \
      texts: that is an error, in conditions too.
      """,
      """
      In a PREDICATE, which is the SDKs' own language, % and a minus sign before a property are only accepted among the \
      arguments of a function, + adds only numbers, and sort and distinct take properties only.
      """,
    ],
    rows: [
      Explanation("lower(name) == 'ada' and age / 2 > 3", "a condition"),
      Explanation("Person select upper(name), age * 2 as twice", "columns"),
      Explanation("Person sort(dogs.@count desc, length(name))", "an order"),
      Explanation("count Person by year(born)", "groups"),
      Explanation("sum(scores), scores.@sum", "the same: nulls and NaN are passed over"),
      Explanation("nick ?? name", "the nick, or the name if there is none"),
      Explanation("age < 18 ? 'child' : 'adult'", "one of two values"),
    ])

  private static let functions = ManualChapter(
    "FUNCTIONS",
    [
      "All but now, uuid, objectId and fail give the same for the same arguments. Texts count characters, from 0."
    ],
    rows: (ExpressionFunction.all.map { ($0.usage, $0.summary) } + ExpressionFunction.specialForms)
      .map { Explanation($0.usage, $0.summary) })

  private static let results = ManualChapter(
    "RESULTS",
    [
      """
      Results of functions for null, for empty values, for invalid or too large numbers, and for letters outside \
      ASCII. An error names the object, and is null in a condition. d marks a decimal.
      """
    ],
    rows: ExpressionFunction.results.map { Explanation($0.call, $0.result) })

  private static let arguments = ManualChapter(
    "ARGUMENTS",
    [
      """
      $0, $1 and so on stand for values that are given beside the condition: by --arg on the command line, by .param \
      at the prompt. A value from elsewhere given this way can never be taken for a part of the condition.
      """
    ])

  private static let errors = ManualChapter(
    "ERRORS",
    [
      """
      A condition that means nothing is refused, with the place in it, also where the SDKs quietly find nothing or \
      everything: an unknown property, types that cannot be compared, a list where a value is needed. The exit status \
      is then 7.
      """
    ])

  private static let differences = ManualChapter(
    "DIFFERENCES",
    [
      """
      Conditions find what the SDKs find, except where the SDKs are plainly wrong; there, a condition means what it says. \
      The differences that you are most likely to meet:
      """
    ],
    rows: [
      Explanation("name == 'O\\'Neil'", "backslashes in texts are decoded; the SDKs keep them"),
      Explanation("age < 010", "less than ten; in the SDKs less than eight"),
      Explanation(
        "born < 1890-01-01@00:00:00",
        "dates of all years; in the SDKs only those whose seconds fit in 32 bits"),
      Explanation("age / 0 > 5", "no object: the quotient is null; in the SDKs a huge number"),
      Explanation("tags[9] == null", "an object with fewer elements does not match; in the SDKs some do"),
      Explanation("scores != {1, 2}", "the lists differ; in the SDKs some pair of elements differs"),
      Explanation(
        "dogs.age between {3, 5}", "one dog of that age; in the SDKs one over 2 and perhaps another below 6"),
      Explanation("attrs['k'] == null", "also objects without any entries; not in the SDKs"),
      Explanation("attrs['k'].@size == 1", "the size of the value; in the SDKs that of the dictionary"),
      Explanation("none attrs['k'] == 'x'", "'none' also works before a single value; the SDKs ignore it"),
      Explanation("age in {1, 2} limit(3)", "three objects; in the SDKs all"),
    ])

  private static let examples = ManualChapter(
    "EXAMPLES",
    examples: [
      Example("age > 30 and name beginswith[c] 'a'", "people over thirty whose name begins with an A"),
      Example("address.city == 'Paris' sort(name asc) limit(10)", "the first ten in Paris"),
      Example("any dogs.breed == 'Corgi'", "owners of a corgi"),
      Example("@links.Person.bestFriend.@count > 1", "best friend of several people"),
      Example("born == null or born < 1990-01-01", "born before 1990, or on an unknown date"),
    ])
}
