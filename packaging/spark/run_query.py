#!/usr/bin/env python3
"""Answers a query over a folder of `evalgraph export parquet` with Spark.

    spark-submit run_query.py FOLDER --name overview                        # prints a row a line, as JSON
    spark-submit run_query.py FOLDER --sql query.sql --output answer.csv    # SQL of `evalgraph query --sql spark`

FOLDER and PATH are any paths that Spark reads: file:///lake, hdfs://…, s3a://…. Each variable has two columns: its
value, and its type (`iri`, `blank`, a datatype, or a language after `@`). An absent value has no type.
"""

import argparse
import json
import subprocess
import sys

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession


def arguments():
    parser = argparse.ArgumentParser(description="Answers a query over a folder of `evalgraph export parquet`.")
    parser.add_argument("folder", metavar="FOLDER", help="folder of the export")
    query = parser.add_mutually_exclusive_group(required=True)
    query.add_argument("--sql", metavar="FILE", help="SQL of `evalgraph query --sql spark -o FILE`, on this machine")
    query.add_argument("--name", help="named query, of which the program makes SQL")
    parser.add_argument("--param", metavar="NAME=TERM", action="append", default=[], help="a parameter, for --name")
    parser.add_argument("--program", default="evalgraph", help="the program, for --name (default: evalgraph)")
    parser.add_argument("--output", metavar="PATH", help="folder for the rows: CSV if it ends with .csv, else Parquet")
    parser.add_argument("--overwrite", action="store_true", help="replace what is at the output path")
    given = parser.parse_args()
    if given.sql and given.param:
        parser.error("--param is for --name: a file of SQL has its parameters already")
    return given


def statement(given):
    """The SQL of the query."""
    if given.sql:
        with open(given.sql, encoding="utf-8") as file:
            return file.read().rstrip().removesuffix(";")
    command = [given.program, "query", "--sql=spark", f"--name={given.name}"]
    command += [f"--param={one}" for one in given.param]
    made = subprocess.run(command, capture_output=True, encoding="utf-8")
    if made.returncode != 0:
        raise ValueError(made.stderr.strip() or f"{given.program} has ended with status {made.returncode}")
    return made.stdout


def define_views(spark, folder):
    """Defines the functions and the views of the folder. Each statement ends with a semicolon at the end of a line."""
    folder = folder.rstrip("/")
    text = spark.read.text(f"{folder}/views.spark.sql", wholetext=True).head()[0]
    quoted = folder.replace("`", "``")
    for one in filter(str.strip, text.split(";\n")):
        spark.sql(one.replace("parquet.`./", f"parquet.`{quoted}/"))


def main():
    given = arguments()
    try:
        sql = statement(given)
        spark = SparkSession.builder.appName("evalgraph query").getOrCreate()
        define_views(spark, given.folder)
        rows = spark.sql(sql)
        if given.output:
            writer = rows.write.mode("overwrite" if given.overwrite else "errorifexists")
            is_csv = given.output.rstrip("/").endswith(".csv")
            writer.csv(given.output, header=True, escape='"') if is_csv else writer.parquet(given.output)
        else:
            for row in rows.toLocalIterator():
                print(json.dumps(row.asDict(), ensure_ascii=False, default=str))
    except (PySparkException, ValueError, OSError) as error:
        sys.exit(f"error: {str(error).split('JVM stacktrace:')[0].strip()}")


if __name__ == "__main__":
    main()
