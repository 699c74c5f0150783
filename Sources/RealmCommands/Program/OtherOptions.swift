// Options of other programs, and what to write here instead. Layer: RealmCommands, Program.

import Arguments

extension OtherOption {
  static let all = [
    OtherOption(["columns", "fields", "cols", "properties", "projection"], means: ["select"]),
    OtherOption(["order-by", "orderby", "order", "sort-by", "sortby"], means: ["sort"]),
    OtherOption(["top", "first", "head", "max-rows", "rows", "max-count"], means: ["limit"]),
    OtherOption(["skip", "start"], means: ["offset"]),
    OtherOption(["group-by", "groupby", "group"], means: ["by"]),
    OtherOption(["out", "outfile", "out-file", "output-file", "to-file"], means: ["output"]),
    OtherOption(["format", "output-format", "type"], means: ["mode"]),
    OtherOption(["pretty", "as-json"], means: ["json"]),
    OtherOption(["headers", "with-header"], means: ["header"]),
    OtherOption(["no-headers", "noheaders", "no-header", "skip-header"], means: ["no-header", "noheader"]),
    OtherOption(["separator", "sep", "delim", "field-separator"], means: ["delimiter", "separator"]),
    OtherOption(["null-value", "nulls"], means: ["nullvalue", "null"]),
    OtherOption(["execute", "eval", "statement", "sql"], means: ["command"]),
    OtherOption(["script", "input-file"], means: ["file"]),
    OtherOption(["rw", "readwrite", "read-write", "writable"], means: ["write"]),
    OtherOption(["ro", "read-only"], means: ["readonly"]),
    OtherOption(["overwrite", "replace", "clobber"], means: ["force"]),
    OtherOption(["dryrun", "simulate", "what-if", "whatif"], means: ["dry-run"]),
    OtherOption(["confirm", "assume-yes", "no-confirm"], means: ["yes"]),
    OtherOption(["silent"], means: ["quiet"]),
    OtherOption(["debug", "trace"], means: ["verbose"]),
    OtherOption(["total", "count-only"], means: ["count"]),
    OtherOption(["plan", "query-plan", "analyze"], means: ["explain"]),
    OtherOption(["set-values", "values"], means: ["set", "data"]),
    OtherOption(["object", "json-data", "document"], means: ["data"]),
    OtherOption(
      ["key", "password", "pass", "passphrase", "encryption-key", "secret", "hex-key"],
      advice:
        "no option takes the key itself, which others could see: use --key-file, --key-env or --key-command"),
    OtherOption(
      ["where", "filter", "predicate", "query", "condition"],
      advice: "the condition has no option, it follows the class: realm-cli query FILE CLASS 'age > 3'"),
    OtherOption(["class", "table", "object-type"], advice: "the class has no option, it follows the file"),
    OtherOption(
      ["db", "database", "realm", "path", "input"], advice: "the file has no option: write its name"),
  ]
}
