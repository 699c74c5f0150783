// Types that are told from the first rows of a long source, so that all of it is read once and not twice.
// Layer: RealmSession, Importing. Invariant: the types are those that all rows give. Each row is held against the forecast
// while it is imported; where one says something else, nothing is kept, and the types are told from all rows first.

import ByteText
import RealmEngine
import TextFormats

/// A row says something else than the first rows of its source.
struct ForecastFault: Error {}

extension ImportOptions {
  /// So many rows show what most sources hold.
  private static let sampleRowCountUsual = 1 << 16

  /// Runs an import that may rely on a forecast, and again without one where that is wrong. `body` keeps nothing when it throws.
  package func withForecast<Result>(_ body: (ImportOptions) throws -> Result) throws -> Result {
    var options = self
    options.sampleRowCount = sampleRowCount ?? Self.sampleRowCountUsual
    do { return try body(options) } catch is ForecastFault {
      options.sampleRowCount = nil
      return try body(options)
    }
  }

  /// Whether what is known of the first rows can be known of all: values mean what they say, and nothing is refused on the way.
  var canForetell: Bool {
    creates && mode == .insert && !keepsRejects && dates.isEmpty && nulls.isEmpty && lists.isEmpty
      && types.isEmpty
  }
}

/// What is known of the columns of a source.
enum TypeForecast {
  case cells([TypeGuess])
  case objects(JSONClassGuess)
}

extension Span<UInt8> {
  /// Whether a text that spells an integer has neither a plus sign nor leading zeros, which those of codes have.
  var isPlainInteger: Bool {
    let first = count > 0 && self[0] == UInt8(ascii: "-") ? 1 : 0
    return first < count && (self[first] &- UInt8(ascii: "1") < 9 || count == first + 1)
  }

  /// Whether a text that spells a number is so short that a double keeps all its digits, and has no leading zeros.
  var isPlainDouble: Bool {
    guard count <= ShortNumber.digitsMax else { return false }
    let first = count > 0 && self[0] == UInt8(ascii: "-") ? 1 : 0
    guard first < count, self[first] != UInt8(ascii: "+") else { return false }
    return self[first] != UInt8(ascii: "0") || first + 1 == count || self[first + 1] &- UInt8(ascii: "0") > 9
  }
}
