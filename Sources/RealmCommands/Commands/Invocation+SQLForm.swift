// `--for` and `--dates`: which library a file of SQLite is for. Layer: RealmCommands, Commands.

import Arguments
import RealmEngine
import RealmSQL

extension Option {
  static let library = Option(
    "for", takes: .oneOf(SQLLibrary.allCases.map(\.rawValue)), "LIBRARY",
    "the library that opens the file: \(SQLLibrary.allCases.map(\.rawValue).joined(separator: ", "))")
  static let exportedDates = Option(
    "dates", takes: .oneOf(SQLForm.Dates.allCases.map(\.rawValue)), "FORM",
    "how dates are written for it: text, seconds or milliseconds since 1970")
}

extension Invocation {
  /// The form that the options ask for, or that of a library.
  func sqlForm(_ named: SQLLibrary? = nil) throws(Diagnostic) -> SQLForm {
    let dates = arguments.text(.exportedDates).flatMap(SQLForm.Dates.init(rawValue:))
    guard let library = named ?? arguments.text(.library).flatMap(SQLLibrary.init(rawValue:)) else {
      if dates != nil { throw Diagnostic.usage("--dates needs the name of a library") }
      return .plain
    }
    guard let form = SQLForm(library, dates: dates) else {
      let known = SQLForm.dates(of: library).map(\.rawValue).joined(separator: " or ")
      throw Diagnostic.usage("\(library.rawValue) reads dates as \(known)")
    }
    return form
  }
}
