// What is wrong with a predicate, an expression or a statement, and where. Layer: Source.
// The parsers throw the syntax codes; whoever binds the syntax to a schema throws the others. Only the first
// error of a text is reported.

package import ByteText

/// One complaint about a source text.
package struct QueryError: Error, Hashable, Sendable {
  package let code: Code
  /// One line without a final full stop; it names the offending text itself.
  package let message: String
  /// The offending bytes, in offsets of the whole source text.
  package let range: SourceRange
  /// What to write instead, as a clause of its own: `write NOT name IN {…}`.
  package let hint: String?
  /// The parameter that the hint is about.
  package let parameter: ParameterHint?
  /// The nearest valid name, which could replace the text of `range`.
  package let suggestion: String?

  package init(
    _ code: Code, _ message: String, at range: SourceRange, hint: String? = nil, suggestion: String? = nil,
    parameter: ParameterHint? = nil
  ) {
    self.code = code
    self.message = message
    self.range = range
    self.hint = hint ?? parameter?.text
    self.parameter = parameter
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
  /// The catalogue of complaints, by the words by which programs tell them apart.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    // Found in the text alone.
    case encoding
    case character
    case unclosedString = "unclosed-string"
    case escape
    case typographicQuote = "typographic-quote"
    case base64
    case number
    case date
    case uuid
    case objectID = "object-id"
    case expectation = "syntax"
    case chain
    case bareOperand = "bare-operand"
    case parenthesis
    case options
    case negatedOperator = "negated-operator"
    case listSyntax = "list-syntax"
    case ordering
    case depth
    case unsupported

    // Found when names and types meet a schema and arguments.
    case property = "unknown-property"
    case step
    case backlink
    case index
    case operation
    case aggregate
    case subquery
    case type
    case orderingType = "ordering-type"
    case quantifier
    case membership
    case between
    case nullBound = "null-bound"
    case constant
    case lists
    case arithmetic
    case object
    case typeName = "type-name"
    case fullText = "full-text"
    case geospatial
    case sorting
    case argument
    case classLookup = "unknown-class"
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
