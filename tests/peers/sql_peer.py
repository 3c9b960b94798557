"""Engines of SQL as a process: an engine, the folder of an export and a statement a line, the answer a line, all JSON (see README.md).

The answer is the names of the columns and the rows. A cell is a text, null, or an object with a number or a boolean. With a
number of runs, the answer is the number of rows, and the least CPU of a run of DuckDB in seconds.
"""

import json
import os
import sys
import time


def cell(value):
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return {"boolean": value}
    if isinstance(value, int):
        return {"integer": str(value)}
    if isinstance(value, float):
        return {"double": repr(value)}
    return {"other": str(value)}


def statements(folder, engine):
    """The statements of the views, each of which ends with a semicolon at the end of a line."""
    with open(os.path.join(folder, f"views.{engine}.sql")) as views:
        return [statement for statement in views.read().split(";\n") if statement.strip()]


class DuckDB:
    def __init__(self):
        import duckdb

        self.connect = lambda: duckdb.connect(config={"threads": 1})

    def views(self, folder):
        self.connection = self.connect()
        for statement in statements(folder, "duckdb"):
            self.connection.execute(statement)

    def answer(self, statement):
        cursor = self.connection.execute(statement)
        return [column[0] for column in cursor.description], cursor.fetchall()

    def measured(self, statement, runs):
        """All columns are computed, and become a table in memory."""
        times = []
        for _ in range(runs):
            before = time.process_time()
            self.connection.execute(f"CREATE OR REPLACE TEMPORARY TABLE measured AS {statement}")
            times.append(time.process_time() - before)
        return self.connection.execute("SELECT count(*) FROM measured").fetchone()[0], min(times)


class DataFusion:
    def __init__(self):
        import datafusion

        self.context = datafusion.SessionContext

    def views(self, folder):
        self.session = self.context()
        for statement in statements(folder, "datafusion"):
            self.session.sql(statement).collect()

    def answer(self, statement):
        frame = self.session.sql(statement)
        names = frame.schema().names
        rows = []
        for batch in frame.collect():
            columns = [batch.column(place).to_pylist() for place in range(len(names))]
            rows.extend(zip(*columns))
        return names, rows


class Spark:
    def __init__(self):
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(os.environ.get("EVALGRAPH_SPARK", "local[2]"))
        for key, value in {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.log.level": "OFF",
            # Plans of large statements need more than the gigabyte that a session has.
            "spark.driver.memory": "4g",
            # The data are small, and most of the time goes into planning.
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.codegen.wholeStage": "false",
        }.items():
            builder = builder.config(key, value)
        self.session = builder.getOrCreate()
        self.defined = set()

    def views(self, folder):
        for statement in statements(folder, "spark"):
            # The functions are the same in each folder.
            if statement not in self.defined or "parquet.`./" in statement or " VIEW " in statement:
                self.session.sql(statement.replace("parquet.`./", f"parquet.`{folder}/"))
                self.defined.add(statement)

    def answer(self, statement):
        frame = self.session.sql(statement)
        return frame.columns, [list(row) for row in frame.collect()]


ENGINES = {"duckdb": DuckDB, "datafusion": DataFusion, "spark": Spark}


def main():
    engines, seen = {}, {}
    for line in sys.stdin:
        question = json.loads(line)
        name, folder = question["engine"], question["folder"]
        try:
            os.chdir(folder)
            if name not in engines:
                engines[name] = ENGINES[name]()
            if seen.get(name) != folder:
                engines[name].views(folder)
                seen[name] = folder
            if "runs" in question:
                rows, seconds = engines[name].measured(question["statement"], question["runs"])
                reply = {"rows": rows, "seconds": seconds}
            else:
                names, rows = engines[name].answer(question["statement"])
                reply = {"columns": names, "rows": [[cell(value) for value in row] for row in rows]}
        except BaseException as error:
            reply = {"error": f"{type(error).__name__}: {error}"[:4000]}
        print(json.dumps(reply), flush=True)


main()
