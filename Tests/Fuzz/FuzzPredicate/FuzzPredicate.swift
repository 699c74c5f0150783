// Feeds arbitrary bytes to every parser of the query language; what parses must print, and parse again to a
// tree that prints the same. A crash, a hang or a difference is a finding.

import RealmQueryLanguage

@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzPredicate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let source = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  check(source) { source throws(QueryError) in try Predicate(parsing: source).description }
  check(source) { source throws(QueryError) in try Expression(parsing: source).description }
  check(source) { source throws(QueryError) in try PropertyReference(parsing: source).description }
  complain(source) { source throws(QueryError) in _ = try Assignment.list(parsing: source) }
  complain(source) { source throws(QueryError) in _ = try SortKey.list(parsing: source) }
  complain(source) { source throws(QueryError) in _ = try SelectItem.list(parsing: source) }
  complain(source) { source throws(QueryError) in _ = try Expression(argument: source) }
  complain(source) { source throws(QueryError) in _ = try TypeSyntax(parsing: source) }
  _ = tokens(of: source)
  checkScript(source)
  return 0
}

/// What prints must parse again and print the same.
private func check(_ source: [UInt8], _ canonical: ([UInt8]) throws(QueryError) -> String) {
  complain(source) { source throws(QueryError) in
    let text = try canonical(source)
    do throws(QueryError) {
      let again = try canonical(Array(text.utf8))
      precondition(again == text, "printed as «\(text)», then as «\(again)»")
    } catch {
      preconditionFailure("printed as «\(text)», which is refused: \(error.sentence)")
    }
  }
}

/// A complaint must lie within the text and be shown without trouble.
private func complain(_ source: [UInt8], _ parse: ([UInt8]) throws(QueryError) -> Void) {
  do throws(QueryError) {
    try parse(source)
  } catch {
    precondition(error.range.end <= source.count, "complaint outside the text: \(error)")
    _ = error.sentence
  }
}

/// Every statement of a script parses or is complained about, and the scanner comes to the end.
private func checkScript(_ source: [UInt8]) {
  _ = StatementScanner.ending(of: source)
  var scanner = StatementScanner()
  while case .statement(let range) = scanner.next(in: source, isAtEnd: true) {
    complain(source) { source throws(QueryError) in _ = try Statement(parsing: source, in: range) }
  }
}
