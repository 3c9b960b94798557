"""Readers of tables as a process: a reader and a file a line, the columns a line, both JSON (see README.md).

A column is its name, the type that the reader gives it, and its values as texts; an absent value is null.
"""

import datetime
import decimal
import json
import os
import sys

import duckdb
import openpyxl
import pandas
import polars
import pyarrow
import pyarrow.ipc
import pyarrow.parquet


def text(value):
    if value is None or value is pandas.NaT or value is pandas.NA:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc)
        return value.isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    return repr(value) if isinstance(value, float) else str(value)


def of_table(table):
    fields = zip(table.schema, table.columns)
    return [[field.name, str(field.type), [text(value) for value in column.to_pylist()]] for field, column in fields]


def of_pandas(frame):
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    columns = of_table(table)
    return [[name, str(frame[name].dtype), values] for name, _, values in columns]


def of_polars(frame):
    return [[name, str(kind), [text(value) for value in frame[name].to_list()]] for name, kind in frame.schema.items()]


def of_duckdb(query, **tables):
    connection = duckdb.connect()
    for name, table in tables.items():
        connection.register(name, table)
    relation = connection.sql(query)
    kinds = [str(kind) for kind in relation.types]
    # Its own way to values of Python asks for a package of time zones.
    columns = of_table(relation.to_arrow_table())
    return [[name, kind, values] for (name, _, values), kind in zip(columns, kinds)]


def of_openpyxl(file):
    sheet = openpyxl.load_workbook(file).worksheets[0]
    names, *rows = sheet.iter_rows()
    columns = []
    for at, name in enumerate(names):
        cells = [row[at] for row in rows]
        kinds = {cell.data_type for cell in cells if cell.value is not None}
        columns.append([name.value, "".join(sorted(kinds)), [text(cell.value) for cell in cells]])
    return columns


def of_views(folder, query):
    os.chdir(folder)
    connection = duckdb.connect()
    with open("views.duckdb.sql") as views:
        connection.execute(views.read())
    relation = connection.sql(query)
    kinds = [str(kind) for kind in relation.types]
    columns = of_table(relation.to_arrow_table())
    return [[name, kind, values] for (name, _, values), kind in zip(columns, kinds)]


def answer(reader, file, query):
    match reader:
        case "duckdb views":
            return of_views(file, query)
        case "pyarrow parquet":
            return of_table(pyarrow.parquet.read_table(file))
        case "pyarrow arrow":
            table = pyarrow.ipc.open_file(file).read_all()
            table.validate(full=True)
            return of_table(table)
        case "pandas parquet":
            return of_pandas(pandas.read_parquet(file, dtype_backend="pyarrow"))
        case "pandas arrow":
            return of_pandas(pandas.read_feather(file, dtype_backend="pyarrow"))
        case "polars parquet":
            return of_polars(polars.read_parquet(file))
        case "polars arrow":
            return of_polars(polars.read_ipc(file))
        case "duckdb parquet":
            return of_duckdb(f"SELECT * FROM read_parquet('{file}')")
        case "duckdb arrow":
            return of_duckdb("SELECT * FROM rows", rows=pyarrow.ipc.open_file(file).read_all())
        case "openpyxl xlsx":
            return of_openpyxl(file)
        case "pandas xlsx":
            frame = pandas.read_excel(file, dtype_backend="pyarrow", keep_default_na=False, na_values=[""])
            return of_pandas(frame)
        case "pandas jsonl":
            return of_pandas(pandas.read_json(file, lines=True, dtype=False, dtype_backend="numpy_nullable"))
        case "pandas json":
            return of_pandas(pandas.read_json(file, dtype=False, dtype_backend="numpy_nullable"))
    raise ValueError(f"no reader {reader}")


def main():
    for line in sys.stdin:
        question = json.loads(line)
        try:
            reply = {"columns": answer(question["reader"], question["file"], question.get("query"))}
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


main()
