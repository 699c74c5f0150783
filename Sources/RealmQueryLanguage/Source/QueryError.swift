// What is wrong with a predicate, an expression or a statement, and where. Layer: Source.
// The parsers throw the syntax codes; whoever binds the syntax to a schema throws the others. Only the first
// error of a text is reported.

/// One complaint about a source text.
package struct QueryError: Error, Hashable, Sendable {
  package let code: Code
  /// One line without a final full stop; it names the offending text itself.
  package let message: String
  /// The offending bytes, in offsets of the whole source text.
  package let range: SourceRange
  /// What to write instead, as a clause of its own: `write NOT name IN {…}`.
  package let hint: String?
  /// The nearest valid name, which could replace the text of `range`.
  package let suggestion: String?

  package init(
    _ code: Code, _ message: String, at range: SourceRange, hint: String? = nil, suggestion: String? = nil
  ) {
    self.code = code
    self.message = message
    self.range = range
    self.hint = hint
    self.suggestion = suggestion
  }

  package var messageWithSuggestion: String {
    suggestion.map { "\(message) (did you mean '\($0)'?)" } ?? message
  }

  /// The message with its suggestion and hint, as one line.
  package var sentence: String {
    var text = messageWithSuggestion
    if let hint { text += "; \(hint)" }
    return text
  }
}

extension QueryError {
  /// The catalogue of complaints. The raw value is what `--json` reports.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    // Found in the text alone.
    case encoding = "E-UTF8"
    case character = "E-CHAR"
    case unclosedString = "E-QUOTE"
    case escape = "E-ESC"
    case typographicQuote = "E-SMARTQ"
    case base64 = "E-B64"
    case number = "E-NUM"
    case date = "E-DATE"
    case uuid = "E-UUID"
    case objectID = "E-OID"
    case expectation = "E-EXPECT"
    case chain = "E-CHAIN"
    case bareOperand = "E-BARE"
    case parenthesis = "E-PAREN"
    case options = "E-OPTS"
    case negatedOperator = "E-NOTIN"
    case listSyntax = "E-LISTSYN"
    case ordering = "E-ORDER"
    case depth = "E-DEPTH"
    case unsupported = "E-UNSUP"

    // Found when names and types meet a schema and arguments.
    case property = "E-PROP"
    case step = "E-STEP"
    case backlink = "E-BACKLINK"
    case index = "E-INDEX"
    case operation = "E-OP"
    case aggregate = "E-AGG"
    case subquery = "E-SUBQ"
    case type = "E-TYPE"
    case orderingType = "E-ORDERTYPE"
    case quantifier = "E-QUANT"
    case membership = "E-IN"
    case between = "E-BETWEEN"
    case nullBound = "E-NULL"
    case constant = "E-CONST"
    case lists = "E-LISTS"
    case arithmetic = "E-ARITH"
    case object = "E-OBJ"
    case typeName = "E-TYPENAME"
    case fullText = "E-FTS"
    case geospatial = "E-GEO"
    case sorting = "E-SORT"
    case argument = "E-ARG"
    case classLookup = "E-CLASS"
  }
}

/// Something that is accepted but probably not meant.
package struct QueryWarning: Hashable, Sendable {
  /// One line without a final full stop.
  package let message: String
  package let range: SourceRange
  /// Only people want to know it: the query means what it says.
  package let isAdvice: Bool

  package init(_ message: String, at range: SourceRange, isAdvice: Bool = false) {
    self.message = message
    self.range = range
    self.isAdvice = isAdvice
  }
}
