// The page's files, which are inside the program. Layer: ServerPage.
// SwiftPM names them by what they are called, whatever folder they lie in: no two have the same name.

/// A file of the page.
package struct PageFile: Sendable {
  package let type: String
  package let content: [UInt8]

  private init(_ type: String, _ content: [UInt8]) { (self.type, self.content) = (type, content) }

  /// The file at a path below Page/.
  package static func named(_ path: String) -> PageFile? {
    let (script, style) = ("text/javascript; charset=utf-8", "text/css; charset=utf-8")
    return switch path {
    case "file/file.js": PageFile(script, PackageResources.file_js)
    case "file/treemap.js": PageFile(script, PackageResources.treemap_js)
    case "grid/grid.js": PageFile(script, PackageResources.grid_js)
    case "grid/query-line.js": PageFile(script, PackageResources.query_line_js)
    case "grid/results.js": PageFile(script, PackageResources.results_js)
    case "grid/rows.js": PageFile(script, PackageResources.rows_js)
    case "grid/summary.js": PageFile(script, PackageResources.summary_js)
    case "icon.svg": PageFile("image/svg+xml", PackageResources.icon_svg)
    case "index.html": PageFile("text/html; charset=utf-8", PackageResources.index_html)
    case "object/edits.js": PageFile(script, PackageResources.edits_js)
    case "object/object.js": PageFile(script, PackageResources.object_js)
    case "page.css": PageFile(style, PackageResources.page_css)
    case "page.js": PageFile(script, PackageResources.page_js)
    case "realms/realms.js": PageFile(script, PackageResources.realms_js)
    case "schema/diagram.js": PageFile(script, PackageResources.diagram_js)
    case "schema/schema.js": PageFile(script, PackageResources.schema_js)
    case "shared/api.js": PageFile(script, PackageResources.api_js)
    case "shared/dom.js": PageFile(script, PackageResources.dom_js)
    case "shared/values.js": PageFile(script, PackageResources.values_js)
    default: nil
    }
  }
}
