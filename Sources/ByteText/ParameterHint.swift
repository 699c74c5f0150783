// What to do where a query or statement asks for a value that nobody gave. Layer: ByteText.

/// How a value is given for a parameter.
package enum ParameterHint: Hashable, Sendable {
  case named(String)
  /// The next one of those without names.
  case numbered

  /// For a command line, whose reader may also be at the prompt.
  package var text: String {
    switch self {
    case .named(let name): "give it with --param \(name)=VALUE, at the prompt with \(dotCommand)"
    case .numbered: "give the values in order with --arg, at the prompt with \(dotCommand)"
    }
  }

  /// For the prompt alone.
  package var textAtPrompt: String { "give it with \(dotCommand)" }

  private var dotCommand: String {
    switch self {
    case .named(let name): ".param set \(name) VALUE"
    case .numbered: ".param set 0 VALUE"
    }
  }
}
