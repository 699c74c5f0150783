// The API's description, written from the table of endpoints. Layer: RealmServer, API.

import TextFormats

extension Endpoint {
  static let openAPI = Endpoint(path: "openapi.json", summary: "Describe this API") { _ in
    .json(
      .mapping([
        .text("openapi", "3.1.0"),
        .object("info", [.text("title", "realm-cli serve"), .text("version", "1")]),
        .list("servers", [.mapping([.text("url", "/api/v1")])]),
        .object(
          "paths",
          all.map { endpoint in
            DocumentEntry.object(
              "/\(endpoint.path)",
              [DocumentEntry(endpoint.method == "GET" ? "get" : "post", endpoint.operation)])
          }),
      ]))
  }

  private static let refusals: [(status: Int, meaning: String)] = [
    (400, "the request or its query is wrong"), (403, "it comes from elsewhere, or nothing may be changed"),
    (404, "there is no such realm, class, object or file"), (405, "the address takes another method"),
    (409, "it was refused, or the file is in use"), (415, "a change is not JSON"),
    (413, "the request is larger than 24 MB"), (422, "the file cannot be read"),
    (503, "too many requests run or wait"),
  ]

  private var operation: DocumentNode {
    let inPath = segments.filter { $0.hasPrefix("{") }.map {
      Parameter(name: String($0.dropFirst().dropLast()), isRequired: true, summary: "")
    }
    var entries = [
      DocumentEntry.text("summary", summary),
      .list(
        "parameters",
        inPath.map { $0.document(in: "path") }
          + parameters.filter { own in !inPath.contains { $0.name == own.name } }.map {
            $0.document(in: "query")
          }),
    ]
    if let body {
      entries.append(
        DocumentEntry("requestBody", Self.content("application/json", body, [.flag("required", true)])))
    }
    let success = DocumentEntry("200", Self.content(type, shape.schema, [.text("description", summary)]))
    let others = Self.refusals.map { refusal in
      DocumentEntry.object("\(refusal.status)", [.text("description", refusal.meaning)])
    }
    entries.append(.object("responses", [success] + others))
    return .mapping(entries)
  }

  private static func content(
    _ type: String, _ schema: DocumentNode, _ others: [DocumentEntry]
  ) -> DocumentNode {
    .mapping(others + [DocumentEntry.object("content", [.object(type, [DocumentEntry("schema", schema)])])])
  }
}

extension Endpoint.Parameter {
  fileprivate func document(in place: String) -> DocumentNode {
    let type = DocumentEntry.text("type", "string")
    let schema: [DocumentEntry] =
      switch kind {
      case .text: [type]
      case .choice(let words): [type, .list("enum", words.map { .string($0) })]
      case .integer: [DocumentEntry.text("type", "integer")]
      case .count(let most):
        [
          DocumentEntry.text("type", "integer"), .number("minimum", 0), .number("maximum", most),
        ]
      }
    return .mapping([
      .text("name", name), .text("in", place), .flag("required", isRequired), .text("description", summary),
      .object("schema", schema),
    ])
  }
}
