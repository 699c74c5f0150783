// See page.h. Every file of Page/ stands here.
#include "page.h"

#include <string.h>

// Compilers know `#embed` in every C, and say that a newer one has it.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_js[] = {
#embed "Page/file/file.js"
};
static const uint8_t treemap_js[] = {
#embed "Page/file/treemap.js"
};
static const uint8_t grid_js[] = {
#embed "Page/grid/grid.js"
};
static const uint8_t query_line_js[] = {
#embed "Page/grid/query-line.js"
};
static const uint8_t results_js[] = {
#embed "Page/grid/results.js"
};
static const uint8_t rows_js[] = {
#embed "Page/grid/rows.js"
};
static const uint8_t summary_js[] = {
#embed "Page/grid/summary.js"
};
static const uint8_t icon_svg[] = {
#embed "Page/icon.svg"
};
static const uint8_t index_html[] = {
#embed "Page/index.html"
};
static const uint8_t edits_js[] = {
#embed "Page/object/edits.js"
};
static const uint8_t object_js[] = {
#embed "Page/object/object.js"
};
static const uint8_t page_css[] = {
#embed "Page/page.css"
};
static const uint8_t page_js[] = {
#embed "Page/page.js"
};
static const uint8_t realms_js[] = {
#embed "Page/realms/realms.js"
};
static const uint8_t diagram_js[] = {
#embed "Page/schema/diagram.js"
};
static const uint8_t schema_js[] = {
#embed "Page/schema/schema.js"
};
static const uint8_t api_js[] = {
#embed "Page/shared/api.js"
};
static const uint8_t dom_js[] = {
#embed "Page/shared/dom.js"
};
static const uint8_t values_js[] = {
#embed "Page/shared/values.js"
};

static const char script[] = "text/javascript; charset=utf-8";

static const page_file files[] = {
    {"file/file.js", script, file_js, sizeof file_js},
    {"file/treemap.js", script, treemap_js, sizeof treemap_js},
    {"grid/grid.js", script, grid_js, sizeof grid_js},
    {"grid/query-line.js", script, query_line_js, sizeof query_line_js},
    {"grid/results.js", script, results_js, sizeof results_js},
    {"grid/rows.js", script, rows_js, sizeof rows_js},
    {"grid/summary.js", script, summary_js, sizeof summary_js},
    {"icon.svg", "image/svg+xml", icon_svg, sizeof icon_svg},
    {"index.html", "text/html; charset=utf-8", index_html, sizeof index_html},
    {"object/edits.js", script, edits_js, sizeof edits_js},
    {"object/object.js", script, object_js, sizeof object_js},
    {"page.css", "text/css; charset=utf-8", page_css, sizeof page_css},
    {"page.js", script, page_js, sizeof page_js},
    {"realms/realms.js", script, realms_js, sizeof realms_js},
    {"schema/diagram.js", script, diagram_js, sizeof diagram_js},
    {"schema/schema.js", script, schema_js, sizeof schema_js},
    {"shared/api.js", script, api_js, sizeof api_js},
    {"shared/dom.js", script, dom_js, sizeof dom_js},
    {"shared/values.js", script, values_js, sizeof values_js},
};

const page_file *page_file_at(const char *path) {
  for (size_t number = 0; number < sizeof files / sizeof *files; number++)
    if (strcmp(files[number].path, path) == 0) return &files[number];
  return NULL;
}
