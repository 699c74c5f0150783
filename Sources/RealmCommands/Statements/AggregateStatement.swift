// `count Person where …`, `max age of Person where …`: one value. Layer: RealmCommands, Statements.

import RealmEngine
import RealmQueryLanguage
import Rendering

extension StatementSession {
  func count(_ selection: Selection, of source: [UInt8], to out: inout OutputBuffer) throws {
    try realm.read(to: &out) { realm, out in
      let query = try bind(selection, of: source, in: realm)
      invocation.warn(about: query)
      let count = try QueryExecutor(query, in: realm).count()
      try settings.render.write(.int(Int64(count)), in: realm, to: &out)
    }
  }

  func aggregate(
    _ function: Aggregate, _ path: PropertyReference, _ selection: Selection, of source: [UInt8],
    to out: inout OutputBuffer
  ) throws {
    try realm.read(to: &out) { realm, out in
      let query = try bind(selection, of: source, in: realm)
      invocation.warn(about: query)
      let aggregate = try QueryText.bind(source) { () throws(BindingFailure) in
        try QueryAggregate(
          function, of: path, source: source, over: query, in: realm, arguments: settings.arguments)
      }
      let value = try aggregate.value(try QueryExecutor(query, in: realm), in: realm)
      try settings.render.write(value, in: realm, to: &out)
    }
  }
}
