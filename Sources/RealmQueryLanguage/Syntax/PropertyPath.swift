// How properties are reached: `a.b[0].@links.Dog.owner`. Layer: Syntax.

/// A name as it was written, without its quoting. Names are equal when their UTF-8 bytes are.
package struct Name: Hashable, Sendable {
  package let text: String
  /// Whether it was written `#name` or `` `name` ``, so that it cannot be a keyword.
  package let isQuoted: Bool
  package let range: SourceRange

  package init(_ text: String, isQuoted: Bool = false, range: SourceRange) {
    self.text = text
    self.isQuoted = isQuoted
    self.range = range
  }
}

/// Steps from an object to a value. Never empty.
package struct PropertyPath: Hashable, Sendable {
  package let steps: [PathStep]
  package let range: SourceRange

  package init(steps: [PathStep], range: SourceRange) {
    self.steps = steps
    self.range = range
  }
}

package typealias PathStep = SyntaxNode<PathStepKind>

package enum PathStepKind: Hashable, Sendable {
  /// A property, a dictionary key, or as the first step the variable of a SUBQUERY (`$d`).
  case name(Name)
  /// `@links.Class.property`: the objects of `Class` whose `property` points here.
  indirect case backlink(className: Name, property: Name)
  /// `@links` alone, which only `.@count` may follow.
  case allBacklinks
  /// `@key`: the object key, always the last step
  case objectKey
  /// `@keys` of a dictionary
  case keys
  /// `@values` of a dictionary
  case values
  /// `[n]`, from 0; Int64.max when more was written than fits.
  case position(Int64)
  /// `[FIRST]`
  case first
  /// `[LAST]`
  case last
  /// `[*]`
  case all
  /// `['key']`, as UTF-8
  case key([UInt8])
  /// `[$0]`, a position or a key
  case argument(ArgumentReference)
  /// `$K0`, always the only step, or `%K`, anywhere: the text of the argument, split at its dots
  case keyPathArgument(ArgumentReference)
}

extension PropertyPath {
  /// What a first name means if the class in scope has no such property.
  package enum KeywordReading: Hashable, Sendable {
    /// `True`, `YES` …; only a path of one step has this reading.
    case bool(Bool)
    /// `SELF`: the object itself, and the steps that follow start from it.
    case wholeObject
  }

  /// The second reading of a path that begins with a word which is a keyword unless a property has its name.
  package var keywordReading: KeywordReading? {
    guard case .name(let name) = steps.first?.kind, !name.isQuoted else { return nil }
    switch Keyword(word: name.text) {
    case .true where steps.count == 1, .yes where steps.count == 1: return .bool(true)
    case .false where steps.count == 1, .no where steps.count == 1: return .bool(false)
    case .wholeObject: return .wholeObject
    default: return nil
    }
  }
}

/// A path and what is asked about its end.
package struct PropertyReference: Hashable, Sendable {
  package let path: PropertyPath
  package let question: PropertyQuestion?
  package let range: SourceRange

  package init(path: PropertyPath, question: PropertyQuestion? = nil, range: SourceRange) {
    self.path = path
    self.question = question
    self.range = range
  }
}

/// What is asked about the end of a path.
package typealias PropertyQuestion = SyntaxNode<PropertyQuestionKind>

package enum PropertyQuestionKind: Hashable, Sendable {
  /// `.@count`, `.@size`, `[SIZE]`
  case count
  /// `.@type`
  case type
  /// `.@max`, or `.@max.property` for a collection of objects
  case aggregate(Aggregate, property: Name?)
}

package enum Aggregate: String, Hashable, Sendable, CaseIterable {
  case min, max, sum, avg
}
