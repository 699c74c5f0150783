#!/usr/bin/env python3
"""What pyarrow and DuckDB read in exported Parquet is what `export --format jsonl` says, value by value.

usage: compare.py PROGRAM FIXTURES [--large]
"""

import base64
import glob
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

PROGRAM, FIXTURES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LARGE = "--large" in sys.argv
checked = 0


def run(*words, data=None):
    result = subprocess.run([PROGRAM, *words], input=data, capture_output=True)
    if result.returncode:
        raise SystemExit(f"{words}: {result.stderr.decode()}")
    return result.stdout


def expect(condition, message):
    global checked
    checked += 1
    if not condition:
        raise SystemExit(f"FAILED: {message() if callable(message) else message}")


DATE = re.compile(r"^(-?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?Z$")


def microseconds(text):
    """Since 1970, of a date in any year, rounded down."""
    if isinstance(text, list):
        seconds, nanoseconds = text
    else:
        year, month, day, hour, minute, second, fraction = DATE.match(text).groups()
        y, m = int(year) - (int(month) <= 2), int(month)
        era, yoe = y // 400, y % 400
        doy = (153 * (m + (-3 if m > 2 else 9)) + 2) // 5 + int(day) - 1
        days = era * 146097 + yoe * 365 + yoe // 4 - yoe // 100 + doy - 719468
        seconds = days * 86400 + int(hour) * 3600 + int(minute) * 60 + int(second)
        nanoseconds = int((fraction or "0").ljust(9, "0"))
    return max(-(1 << 63), min((1 << 63) - 1, (seconds * 1_000_000_000 + nanoseconds) // 1000))


def same_number(left, right, is_float):
    if isinstance(right, str):
        right = float(right.replace("Infinity", "inf"))
    if is_float:
        right = struct.unpack("f", struct.pack("f", right))[0] if math.isfinite(right) else right
    return left == right or (math.isnan(left) and math.isnan(right))


def same(value, told, kind, is_json):
    """`value`: a scalar of pyarrow; `told`: what JSON says."""
    if value is None or not value.is_valid:
        return told is None
    if told is None:
        return is_json and json.loads(value.as_py()) is None
    if pa.types.is_list(kind):
        items = value.values
        return len(items) == len(told) and all(
            same(item, other, kind.value_type, is_json) for item, other in zip(items, told)
        )
    if pa.types.is_map(kind):
        pairs = value.values
        keys = [] if pairs is None else pairs.field(0).to_pylist()
        return sorted(keys) == sorted(told) and all(
            same(pairs.field(1)[index], told[key], kind.item_type, is_json)
            for index, key in enumerate(keys)
        )
    if pa.types.is_struct(kind):
        return set(told) == {field.name for field in kind} and all(
            same(value[field.name], told[field.name], field.type, is_json) for field in kind
        )
    if pa.types.is_timestamp(kind):
        factor = 1000 if kind.unit == "ns" else 1
        return value.value // factor == microseconds(told)
    if pa.types.is_binary(kind):
        return value.as_py() == base64.b64decode(told)
    if pa.types.is_floating(kind):
        return same_number(value.as_py(), told, kind == pa.float32())
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return value.as_py() == told and isinstance(told, bool) == pa.types.is_boolean(kind)
    text = value.as_py()
    return json.loads(text) == told if is_json else text == told


def plain(column):
    """Without the type that JSON has in newer versions of pyarrow."""
    if not isinstance(column.type, pa.BaseExtensionType):
        return column
    return pa.chunked_array([chunk.storage for chunk in column.chunks], type=column.type.storage_type)


def check_statistics(path, table):
    """Statistics, where there are some, are the ends of the column."""
    file = pq.ParquetFile(path)
    expect(file.metadata.format_version == "2.6", f"{path} is format {file.metadata.format_version}")
    start = 0
    for group in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(group)
        part = table.slice(start, rows.num_rows)
        start += rows.num_rows
        for index in range(rows.num_columns):
            column = rows.column(index)
            if "." in column.path_in_schema or not column.is_stats_set:
                continue
            values = plain(part.column(column.path_in_schema))
            stats = column.statistics
            expect(stats.null_count == values.null_count, f"{path} {column.path_in_schema}: nulls")
            if not stats.has_min_max:
                continue
            kind = values.type
            if pa.types.is_timestamp(kind):
                values, kind = values.cast(pa.int64()), pa.int64()
                lowest, highest = stats.min_raw, stats.max_raw
            else:
                lowest, highest = stats.min, stats.max
            if pa.types.is_floating(kind):
                values = values.filter(pc.invert(pc.is_nan(values)))
            if pa.types.is_string(kind) or pa.types.is_binary(kind):
                every = [v.encode() if isinstance(v, str) else v for v in values.to_pylist() if v is not None]
                ends = (min(every), max(every))
                lowest, highest = [v.encode() if isinstance(v, str) else v for v in (lowest, highest)]
            else:
                ends = (pc.min(values).as_py(), pc.max(values).as_py())
            expect((lowest, highest) == ends, f"{path} {column.path_in_schema}: {lowest} {highest} {ends}")
    expect(start == table.num_rows, f"{path}: row groups have {start} of {table.num_rows} rows")


def check_duckdb(path, table):
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    count = connection.execute("select count(*) from read_parquet(?)", [path]).fetchone()[0]
    expect(count == table.num_rows, f"{path}: DuckDB counts {count}")
    simple = [
        field.name
        for field in table.schema
        if not pa.types.is_nested(field.type) and not pa.types.is_timestamp(field.type)
    ]
    if not simple or len(simple) > 100:
        return
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in simple)
    rows = connection.execute(f"select {names} from read_parquet(?)", [path]).fetchall()
    columns = [table.column(name).to_pylist() for name in simple]
    for index, row in enumerate(rows):
        for value, column in zip(row, columns):
            other = column[index]
            equal = value == other or (
                isinstance(value, float) and isinstance(other, float) and math.isnan(value) and math.isnan(other)
            )
            expect(equal, f"{path} row {index}: DuckDB reads {value!r}, pyarrow {other!r}")
    nested = [field.name for field in table.schema if pa.types.is_nested(field.type)]
    for name in nested:
        quoted = '"' + name.replace('"', '""') + '"'
        own = connection.execute(
            f"select count(*) from read_parquet(?) where {quoted} is null", [path]
        ).fetchone()[0]
        expect(own == table.column(name).null_count, f"{path} {name}: nulls in DuckDB")


def check_class(path, lines):
    table = pq.read_table(path)
    schema = pq.ParquetFile(path).schema
    json_leaves = {
        schema.column(index).path.split(".")[0]
        for index in range(len(schema))
        if "JSON" in str(schema.column(index).logical_type)
    }
    told = [json.loads(line) for line in lines.splitlines()]
    expect(table.num_rows == len(told), f"{path}: {table.num_rows} rows, {len(told)} in jsonl")
    for field in table.schema:
        column = plain(table.column(field.name))
        for index, row in enumerate(told):
            if field.name not in row and not row:
                continue
            expect(
                same(column[index], row[field.name], column.type, field.name in json_leaves),
                lambda: f"{path} {field.name} row {index}: {column[index]!r} for {row.get(field.name)!r}",
            )
    check_statistics(path, table)
    check_duckdb(path, table)
    return table


def check_realm(realm, folder, key=(), options=()):
    parquet, jsonl = os.path.join(folder, "parquet"), os.path.join(folder, "jsonl")
    run("export", realm, *key, "--format", "parquet", *options, "-o", parquet)
    run("export", realm, *key, "--format", "jsonl", "-o", jsonl)
    names = sorted(name[:-6] for name in os.listdir(jsonl))
    expect(sorted(name[:-8] for name in os.listdir(parquet)) == names, f"{realm}: {names}")
    for name in names:
        with open(os.path.join(jsonl, name + ".jsonl"), encoding="utf-8") as file:
            lines = file.read()
        check_class(os.path.join(parquet, name + ".parquet"), lines)
    return names


def make(folder, name, schema, rows):
    path = os.path.join(folder, name + ".realm")
    run("create", path)
    run("-w", path, schema)
    data = "\n".join(json.dumps(row) for row in rows)
    run("insert", path, schema.split()[2], "--data", "-", data=data.encode())
    return path


def edges(folder):
    """Values at the ends of their types, and what is large."""
    ends = [
        {"i": 9223372036854775807, "d": "NaN", "f": "Infinity", "s": "", "t": "1582-01-01T00:00:00.000001Z"},
        {"i": -9223372036854775808, "d": -0.0, "f": 0.1, "s": "ä" * 200, "t": "2300-12-31T23:59:59.999999Z"},
        {"i": 0, "d": 1e308, "f": "-Infinity", "s": None, "t": "1969-12-31T23:59:59.5Z"},
        {"i": None, "d": None, "f": "NaN", "s": "x" * 16_777_199, "t": None},
    ]
    schema = "create class E { i: int?, d: double?, f: float?, s: string?, t: date? }"
    yield make(folder, "ends", schema, ends)
    yield make(folder, "none", schema, [])
    yield make(folder, "one", "create class E { i: int }", [{"i": i % 7} for i in range(5000)])
    many = ", ".join(f"c{i}: int?" for i in range(1000))
    yield make(
        folder, "wide", f"create class E {{ {many} }}",
        [{f"c{i}": i * row for i in range(0, 1000, 3)} for row in range(20)],
    )
    yield make(
        folder, "mixed", "create class E { m: mixed, l: list<mixed>, x: dictionary<int?>, y: list<string?> }",
        [
            {"m": [1, [2, ["three", None]], {"a": [True]}], "l": [[1], {"b": 2}, "c"], "x": {"k": None, "j": 4}, "y": [None, "", "z"]},
            {"m": None, "l": [], "x": {}, "y": []},
            {"m": "text", "l": [None], "x": {"": -1}, "y": [None]},
        ],
    )
    yield make(
        folder, "overflow", "create class E { s: string, n: int, l: list<string> }",
        [{"s": f"text {i % 90_000}", "n": i * i, "l": [f"{i}", f"{i % 3}"] * (i % 4)} for i in range(200_000 if LARGE else 9000)],
    )


with tempfile.TemporaryDirectory() as scratch:
    realms = sorted(glob.glob(os.path.join(FIXTURES, "*.realm")))
    key = os.path.join(FIXTURES, "key.hex")
    for realm in realms:
        folder = tempfile.mkdtemp(dir=scratch)
        check_realm(realm, folder, ("--key-file", key) if "encrypted" in realm else ())
    for realm in edges(scratch):
        check_realm(realm, tempfile.mkdtemp(dir=scratch))
    lake = os.path.join(scratch, "lake")
    zoo = os.path.join(FIXTURES, "zoo.realm")
    for options in (("--timestamps", "nanos"), ("--compression", "none")):
        check_realm(zoo, tempfile.mkdtemp(dir=scratch), options=options)
    late = subprocess.run(
        [PROGRAM, "export", os.path.join(scratch, "ends.realm"), "E", "--timestamps", "nanos", "-o", "x.parquet"],
        capture_output=True, cwd=scratch,
    )
    expect(late.returncode == 8 and b"E.t" in late.stderr, f"a date beyond 2262: {late}")
    expect(not os.path.exists(os.path.join(scratch, "x.parquet")), "what failed left a file")
    run("each", zoo, os.path.join(FIXTURES, "evolved.realm"), "--export", "parquet", "-o", lake)
    dogs = duckdb.sql(f"select file, count(*) as n from read_parquet('{lake}/Dog/*.parquet') group by file").fetchall()
    expect(dogs == [(zoo, 60)], f"each --export: {dogs}")
    print(f"{checked} values, statistics and counts agree")
