// The API's description, written from the table of endpoints. Layer: RealmServer, API.

import TextFormats

extension Endpoint {
  static let openAPI = Endpoint(path: "openapi.json", summary: "Describe this API") { _ in
    .json(
      .mapping([
        DocumentEntry("openapi", .string("3.1.0")),
        DocumentEntry(
          "info",
          .mapping([
            DocumentEntry("title", .string("realm-cli serve")), DocumentEntry("version", .string("1")),
          ])),
        DocumentEntry("servers", .sequence([.mapping([DocumentEntry("url", .string("/api/v1"))])])),
        DocumentEntry(
          "paths",
          .mapping(
            all.map { endpoint in
              DocumentEntry(
                "/\(endpoint.path)",
                .mapping([DocumentEntry(endpoint.method == "GET" ? "get" : "post", endpoint.operation)]))
            })),
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
      DocumentEntry("summary", .string(summary)),
      DocumentEntry(
        "parameters",
        .sequence(
          inPath.map { $0.document(in: "path") }
            + parameters.filter { own in !inPath.contains { $0.name == own.name } }.map {
              $0.document(in: "query")
            })),
    ]
    if let body {
      entries.append(
        DocumentEntry(
          "requestBody", Self.content("application/json", body, [DocumentEntry("required", .bool(true))])))
    }
    let success = DocumentEntry(
      "200", Self.content(type, shape.schema, [DocumentEntry("description", .string(summary))]))
    let others = Self.refusals.map { refusal in
      DocumentEntry(
        "\(refusal.status)", .mapping([DocumentEntry("description", .string(refusal.meaning))]))
    }
    entries.append(DocumentEntry("responses", .mapping([success] + others)))
    return .mapping(entries)
  }

  private static func content(
    _ type: String, _ schema: DocumentNode, _ others: [DocumentEntry]
  ) -> DocumentNode {
    .mapping(
      others + [
        DocumentEntry(
          "content",
          .mapping([DocumentEntry(type, .mapping([DocumentEntry("schema", schema)]))]))
      ])
  }
}

extension Endpoint.Parameter {
  fileprivate func document(in place: String) -> DocumentNode {
    let type = DocumentEntry("type", .string("string"))
    let schema: [DocumentEntry] =
      switch kind {
      case .text: [type]
      case .choice(let words): [type, DocumentEntry("enum", .sequence(words.map { .string($0) }))]
      case .integer: [DocumentEntry("type", .string("integer"))]
      case .count(let most):
        [
          DocumentEntry("type", .string("integer")), .number("minimum", 0),
          DocumentEntry("maximum", .integer(Int64(most))),
        ]
      }
    return .mapping([
      DocumentEntry("name", .string(name)), DocumentEntry("in", .string(place)),
      DocumentEntry("required", .bool(isRequired)), DocumentEntry("description", .string(summary)),
      DocumentEntry("schema", .mapping(schema)),
    ])
  }
}
