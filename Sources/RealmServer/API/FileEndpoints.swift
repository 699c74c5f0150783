// What is done with whole files: check, compact, copies of them, and how far that is. Layer: RealmServer, API.

import RealmEngine
import Rendering
import TextFormats

extension Endpoint {
  static let check = Endpoint(
    path: "realms/{realm}/check", summary: "Check the whole file for damage", shape: .open(.text("verdict")),
    takesLong: true
  ) { call in
    let realm = try call.realm
    return .json(
      try realm.running("check", for: call.request) { try call.server.host.check(realm.index) })
  }

  static let compact = Endpoint(
    method: "POST", path: "realms/{realm}/compact",
    summary: "Return unused space in the file to the system; only with -w",
    shape: .open(.text("file"), .text("status")), takesLong: true
  ) { call in
    let realm = try call.realm
    return .json(
      try realm.running("compact", for: call.request) {
        // Until the new file has the name, who leaves takes the wish with him.
        try call.request.unlessLeft { try realm.alone { try call.server.host.compact(realm.index) } }
      })
  }

  static let file = Endpoint(
    path: "realms/{realm}/file",
    summary: "Download a compact copy of the realm, or a file of SQLite made of it",
    parameters: [
      Parameter(
        name: "format", kind: .choice(MadeFile.allCases.map(\.rawValue)), isRequired: true,
        summary: "of the file")
    ], type: "application/octet-stream", takesLong: true
  ) { call in
    guard let form = MadeFile(rawValue: try call.required("format")) else { return nil }
    let realm = try call.realm
    let download = Download(call.request, "copy.\(form.rawValue)", "application/octet-stream")
    // Whoever has the last piece may ask for the next copy.
    return try download.run {
      try realm.running("copy", for: call.request) {
        try call.server.host.make(form, realm.index) { piece throws(EngineError) in
          try download.send(piece.span)
        }
      }
    }
  }

  static let progress = Endpoint(
    path: "realms/{realm}/progress", summary: "Tell how far a check, a copy or a compaction is",
    shape: JSONShape.open(
      .text("job"), .integer("done"), .integer("expected")
    ).orNull
  ) { call in
    guard let (job, done, expected) = try call.realm.progress else { return .json(.null) }
    return .json(
      .mapping([.text("job", job), .number("done", done), .number("expected", expected)]))
  }
}
