"""Tests of the Python package over the fixtures: `tests/python/run` builds and installs it first."""

import datetime
import decimal
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

import evalgraph as eg
from evalgraph import jsonld, pyshacl
from evalgraph._limits import SharedLimits

FIXTURES = Path(os.environ["EVALGRAPH_FIXTURES"])
PHYSICS = FIXTURES / "karenina" / "p1-physics.jsonld"
TEXTS = "SELECT ?text (STRLEN(?text) AS ?length) { ?q a s:Question ; s:text ?text } ORDER BY ?text"
#: A query that takes hours.
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n_ ?o . ?p ?q ?r . ?t ?u ?v . ?w ?x ?y }"
XSD = "http://www.w3.org/2001/XMLSchema#"


def values(text):
    """The values of the objects in a text of Turtle."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.ttl"
        file.write_text(f"PREFIX x: <{XSD}> <urn:s> <urn:p> {text} .", encoding="utf-8")
        return [row.o for row in eg.read(file).select("SELECT ?o { <urn:s> <urn:p> ?o }")]


def rows_in_child(data, answers):
    answers.put(len(data.select(TEXTS)))
    answers.put(len(eg.read(PHYSICS)))


def count_of_texts(data):
    return len(data.select(TEXTS))


class Reading(unittest.TestCase):
    def test_files_are_read_as_paths_and_texts(self):
        data = eg.read(PHYSICS, str(FIXTURES / "train" / "support-desk.json"))
        self.assertEqual(sorted(Path(file).name for file in data.files.values()), ["p1-physics.jsonld", "support-desk.json"])
        self.assertGreater(len(data), 100)
        self.assertIn("quads of 2 files", repr(data))

    def test_a_file_that_cannot_be_read_is_a_syntax_error_with_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bad.jsonld"
            file.write_text('{"@context": {},\n "name": }', encoding="utf-8")
            with self.assertRaises(eg.ParseError) as caught:
                eg.read(file)
        error = caught.exception
        self.assertIsInstance(error, SyntaxError)
        self.assertEqual((error.filename, error.lineno), (str(file), 2))
        self.assertIn('"name": }', error.text)
        self.assertTrue(error.code.startswith("json::"))
        self.assertEqual(error.findings[0].line, 2)

    def test_a_missing_file_and_an_unknown_option_are_named(self):
        with self.assertRaises(eg.EvalgraphError) as caught:
            eg.read("there-is-no-such-file.jsonld")
        self.assertEqual(caught.exception.code, "input::not-found")
        with self.assertRaisesRegex(TypeError, "the option `stricter` does not exist"):
            eg.read(PHYSICS, stricter=True)
        with self.assertRaisesRegex(ValueError, "is not a format of RDF"):
            eg.read(PHYSICS, format="docx")

    def test_a_limit_of_size_holds(self):
        with self.assertRaises(eg.EvalgraphError):
            eg.read(PHYSICS, max_size="1kB")
        with self.assertRaisesRegex(ValueError, "`parsecs` is not a unit"):
            eg.read(PHYSICS, max_size="2 parsecs")


class Importing(unittest.TestCase):
    def test_the_import_waits_for_no_module_that_it_does_not_need(self):
        slow = ("dataclasses", "decimal", "inspect", "json", "typing", "rdflib")
        script = f"import sys; before = set(sys.modules); import evalgraph; print([m for m in {slow!r} if m in set(sys.modules) - before])"
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout.strip(), "[]")
        self.assertEqual(eg.CallLimits.__name__, "CallLimits")
        with self.assertRaises(AttributeError):
            eg.Limits


class Querying(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = eg.read(PHYSICS)

    def test_rows_are_a_sequence(self):
        rows = self.data.select(TEXTS)
        self.assertEqual(rows.columns, ["text", "length"])
        self.assertEqual([row.length for row in rows], [len(row["text"]) for row in rows])
        self.assertEqual(rows[-1], rows[len(rows) - 1])
        self.assertEqual(rows[0].asdict(), {"text": rows[0][0], "length": rows[0][1]})
        self.assertEqual(rows.to_dicts(), [row.asdict() for row in rows])
        for index in (len(rows), -len(rows) - 1):
            with self.assertRaises(IndexError):
                rows[index]
        with self.assertRaises(KeyError):
            rows[0]["title"]
        with self.assertRaises(AttributeError):
            rows[0].title

    def test_values_are_those_of_python_and_terms_otherwise(self):
        found = values(
            '"a" , 1 , 1.50 , 1e0 , true , "a"@en , <urn:i> , "yes"^^x:boolean , "2026-01-02T03:04:05Z"^^x:dateTime ,'
            ' "2026-01-02"^^x:date , "7"^^x:unsignedShort , "-7"^^x:negativeInteger , "300"^^x:byte ,'
            ' "INF"^^x:double , "2026-01-02T03:04:05.1234567"^^x:dateTime , "a"^^<urn:own>'
        )
        utc = datetime.timezone.utc
        for expected in (
            "a", 1, decimal.Decimal("1.50"), 1.0, True, eg.Literal("a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "en"),
            eg.Iri("urn:i"), eg.Literal("yes", XSD + "boolean"), datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=utc),
            datetime.date(2026, 1, 2), float("inf"), eg.Literal("2026-01-02T03:04:05.1234567", XSD + "dateTime"),
            eg.Literal("a", "urn:own"), 7, -7, eg.Literal("300", XSD + "byte"),
        ):
            self.assertTrue(any(type(one) is type(expected) and one == expected for one in found), (expected, found))
        self.assertEqual(len(found), 16)

    def test_exact_rows_have_terms_only(self):
        row = self.data.select(TEXTS).exact()[0]
        self.assertEqual(row.length.datatype, XSD + "integer")
        self.assertEqual(row.text.datatype, XSD + "string")

    def test_each_form_of_query_has_its_method(self):
        self.assertIs(self.data.ask("ASK { ?q a s:Question }"), True)
        self.assertGreater(len(self.data.construct("CONSTRUCT { ?q a s:Thing } WHERE { ?q a s:Question }")), 3)
        self.assertIs(self.data.query("ASK { ?q a <urn:none> }"), False)
        with self.assertRaisesRegex(TypeError, "select.. takes a query with SELECT"):
            self.data.select("ASK { ?q a s:Question }")

    def test_bound_values_are_terms_and_never_text_of_the_query(self):
        text = self.data.select(TEXTS)[0].text
        query = "SELECT ?q { ?q s:text ?text }"
        self.assertEqual(len(self.data.select(query, bind={"text": text})), 1)
        for value in ('" } DROP ALL #', "\\", "'", "\n", "?x"):
            self.assertEqual(len(self.data.select(query, bind={"text": value})), 0)
        with self.assertRaises(eg.EvalgraphError):
            self.data.select(query, bind={"title": "x"})
        with self.assertRaises(ValueError):
            self.data.select(query, bind={"text": eg.Iri("a b")})

    def test_named_queries_take_parameters(self):
        self.assertIn("progress", [row.name for row in eg.queries()])
        self.assertGreater(len(self.data.named("keywords")), 0)
        with self.assertRaises(eg.EvalgraphError):
            self.data.named("there-is-none")

    def test_a_fault_in_a_query_has_its_place(self):
        with self.assertRaises(eg.QueryError) as caught:
            self.data.select("SELECT ?x {\n ?x ?y }")
        self.assertEqual((caught.exception.lineno, caught.exception.offset), (2, 8))

    def test_a_time_limit_holds(self):
        begin = time.monotonic()
        with self.assertRaises(eg.Timeout) as caught:
            self.data.select(ENDLESS, timeout=0.2)
        self.assertIsInstance(caught.exception, TimeoutError)
        self.assertLess(time.monotonic() - begin, 5)

    def test_each_call_takes_limits_and_no_other_options(self):
        for call in (eg.read, eg.validate, eg.check):
            call(PHYSICS, timeout=100, max_memory="8GiB")
            with self.assertRaisesRegex(TypeError, "the option `seconds` does not exist"):
                call(PHYSICS, seconds=1)
            with self.assertRaisesRegex(ValueError, "timeout is a number of seconds"):
                call(PHYSICS, timeout=-1)
        graph = eg.Graph.parse("<urn:a> <urn:b> [] .", timeout=None)
        self.assertTrue(graph.isomorphic(graph, timeout=100))
        self.assertIn("_:c14n0", graph.canonical(max_memory=8 << 30))
        with self.assertRaisesRegex(TypeError, "the options are bind, timeout, max_memory"):
            self.data.ask("ASK {}", limit=1)
        self.assertGreater(len(self.data.named("keywords", timeout=100)), 0)

    def test_an_update_that_takes_too_long_changes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            store = eg.Store.create(folder)
            store.load(PHYSICS)
            count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
            before, where = store.select(count)[0].n, ENDLESS[ENDLESS.index("{") :]
            with self.assertRaises(eg.Timeout):
                store.update(f"DELETE {{ ?a ?b ?c }} WHERE {where}", timeout=0.2)
            self.assertEqual(store.select(count)[0].n, before)

    def test_control_c_ends_a_query(self):
        # In a process of its own, since the signal goes to the main thread.
        program = (
            "import signal, sys, evalgraph as eg\n"
            # A process in the background of a shell ignores the signal.
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            f"data = eg.read({str(PHYSICS)!r})\n"
            "print('ready', flush=True)\n"
            f"try: data.select({ENDLESS!r})\n"
            "except KeyboardInterrupt: sys.exit(7)\n"
        )
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.wait(20), 7)
        child.stdout.close()

    def test_threads_share_a_dataset(self):
        found = []
        work = lambda: found.append([tuple(row) for row in self.data.select(TEXTS)])
        threads = [threading.Thread(target=work) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 16)
        self.assertTrue(all(one == found[0] for one in found))

    def test_a_forked_process_goes_on(self):
        self.data.select(TEXTS)
        fork = multiprocessing.get_context("fork")
        answers = fork.Queue()
        child = fork.Process(target=rows_in_child, args=(self.data, answers))
        child.start()
        self.assertEqual(answers.get(timeout=60), len(self.data.select(TEXTS)))
        self.assertEqual(answers.get(timeout=60), len(self.data))
        child.join(20)
        self.assertEqual(child.exitcode, 0)

    def test_rows_outlive_their_dataset(self):
        data = eg.read(PHYSICS)
        rows = data.select(TEXTS)
        expected = len(rows)
        del data
        self.assertEqual(len(list(rows)), expected)

    def test_a_notebook_shows_tables_in_which_texts_are_only_texts(self):
        rows = self.data.select("SELECT ('<script>' AS ?html) {}")
        self.assertIn("&lt;script&gt;", rows._repr_html_())
        self.assertNotIn("<script>", rows._repr_html_())
        self.assertIn("<table>", self.data._repr_html_())


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = eg.read(PHYSICS).select(TEXTS)

    def test_polars_reads_rows(self):
        polars = self.needed("polars")
        frame = polars.DataFrame(self.rows)
        self.assertEqual(frame.schema, {"text": polars.String, "length": polars.Int64})
        self.assertEqual(frame.rows(), [tuple(row) for row in self.rows])
        self.assertTrue(frame.equals(self.rows.pl()))

    def test_pyarrow_and_pandas_read_rows(self):
        self.needed("pyarrow")
        self.assertEqual(self.rows.arrow().to_pylist(), self.rows.to_dicts())
        self.needed("pandas")
        self.assertEqual(list(self.rows.df()["length"]), [row.length for row in self.rows])

    def test_duckdb_reads_rows(self):
        duckdb = self.needed("duckdb")
        rows = self.rows
        found = duckdb.sql("SELECT max(length) FROM rows").fetchall()
        self.assertEqual(found, [(max(row.length for row in self.rows),)])

    def test_columns_of_all_types_and_missing_values_are_exact(self):
        self.needed("pyarrow")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.ttl"
            file.write_text(
                f"PREFIX x: <{XSD}> <urn:a> <urn:n> 1.5 ; <urn:t> '2026-01-02T03:04:05Z'^^x:dateTime ; <urn:b> true ;"
                " <urn:f> 1e0 ; <urn:d> '2026-01-02'^^x:date ; <urn:m> 1 . <urn:b> <urn:n> 0.25 ; <urn:m> 'x'@en ."
            )
            names = "ntbfdm"
            optional = " ".join(f"OPTIONAL {{ ?s <urn:{name}> ?{name} }}" for name in names)
            rows = eg.read(file).select(f"SELECT ?s {' '.join('?' + name for name in names)} {{ ?s <urn:n> ?x {optional} }} ORDER BY ?s")
        one, other = rows.arrow().to_pylist()
        self.assertEqual((one["n"], other["n"]), (decimal.Decimal("1.50"), decimal.Decimal("0.25")))
        self.assertEqual((one["b"], one["f"], one["d"]), (True, 1.0, datetime.date(2026, 1, 2)))
        self.assertEqual(one["t"], datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc))
        self.assertEqual([other[name] for name in "tbfd"], [None] * 4)
        self.assertEqual((one["m"], one["m_datatype"], other["m"], other["m_datatype"]), ("1", XSD + "integer", "x", "@en"))

    def test_a_missing_package_is_named(self):
        with unittest.mock.patch.dict(sys.modules, {"polars": None, "pyarrow": None, "pandas": None}):
            for method, package in (("pl", "polars"), ("arrow", "pyarrow"), ("df", "pandas")):
                with self.assertRaisesRegex(ImportError, f"pip install {package}"):
                    getattr(self.rows, method)()

    def test_rows_become_files(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.parquet"
            self.rows.write(file)
            self.assertEqual(file.read_bytes()[:4], b"PAR1")
            with self.assertRaisesRegex(ValueError, "ends in .parquet"):
                self.rows.write(Path(folder) / "rows.docx")

    def needed(self, name):
        try:
            return __import__(name)
        except ImportError:
            self.skipTest(f"{name} is not installed")


class RecordTables(unittest.TestCase):
    TABLES = ("questions", "answers", "results", "ratings", "retrievals", "samples", "runs", "models", "traits", "trait_ranges")

    def test_records_of_all_systems_have_their_file_and_line(self):
        files = [PHYSICS, FIXTURES / "train" / "support-desk.json", FIXTURES / "kwanzaa", FIXTURES / "rlcf" / "export.json"]
        data = eg.read(*files, keep_going=True)
        questions = data.questions()
        self.assertGreater(len(questions), 15)
        for row in questions:
            # The record begins on the line; its text follows before the next record.
            lines = Path(row.file).read_text(encoding="utf-8").splitlines()
            self.assertIn("{", lines[row.line - 1], row)
        self.assertEqual([(row.file, row.line) for row in questions], sorted((row.file, row.line) for row in questions))
        found = [row for row in data.questions() if row.file == str(PHYSICS)]
        self.assertEqual(len(found), 4)

    def test_the_columns_and_their_types_are_the_same_for_all_data(self):
        full, empty = eg.read(FIXTURES / "karenina", keep_going=True), eg.read(FIXTURES / "train" / "support-desk.json")
        for name in self.TABLES:
            with self.subTest(table=name):
                self.assertEqual(getattr(full, name)().columns, getattr(empty, name)().columns)
        try:
            import polars
        except ImportError:
            self.skipTest("Polars is not installed")
        schema = {"replicate": polars.Int64, "passed": polars.Boolean, "seconds": polars.Float64, "line": polars.Int64}
        for data in (full, empty):
            found = data.results().pl().schema
            self.assertEqual({name: found[name] for name in schema}, schema)
        both = polars.concat([full.ratings().pl(), empty.ratings().pl()])
        self.assertGreater(len(both), 0)

    def test_a_store_has_tables_too(self):
        with tempfile.TemporaryDirectory() as folder:
            store = eg.Store.create(folder)
            store.load(PHYSICS)
            rows = store.snapshot().questions()
            lines = [row.line for row in eg.read(PHYSICS).questions()]
            self.assertEqual([row.line for row in rows], lines)
            self.assertNotIn(None, lines)

    def test_limits_hold_and_other_options_do_not_exist(self):
        data = eg.read(PHYSICS)
        with self.assertRaises(eg.Timeout):
            data.questions(timeout=0)
        with self.assertRaisesRegex(TypeError, "the option `lines` does not exist"):
            data.questions(lines=True)


class OtherProcesses(unittest.TestCase):
    def test_a_dataset_is_pickled_by_its_files(self):
        data = pickle.loads(pickle.dumps(eg.read(PHYSICS, plain=True)))
        self.assertEqual(len(data), len(eg.read(PHYSICS, plain=True)))
        self.assertLess(len(pickle.dumps(data)), 1000)

    def test_a_dataset_whose_files_have_changed_is_not_unpickled(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.ttl"
            file.write_text("<urn:a> a <urn:b> .", encoding="utf-8")
            pickled = pickle.dumps(eg.read(file))
            self.assertEqual(len(pickle.loads(pickled)), len(eg.read(file)))
            file.write_text("<urn:a> a <urn:b> , <urn:c> .", encoding="utf-8")
            with self.assertRaisesRegex(eg.EvalgraphError, "a file has changed"):
                pickle.loads(pickled)

    def test_a_file_that_was_changed_after_it_was_read_is_not_taken_for_what_was_read(self):
        catalog = "SELECT ?s { GRAPH <urn:evalgraph:graph:catalog> { ?s ?p ?o } }"
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "a.jsonld"
            text = PHYSICS.read_text(encoding="utf-8")
            file.write_text(text, encoding="utf-8")
            self.assertGreater(len(eg.read(file).select(catalog)), 0)
            data = eg.read(file)
            file.write_text(text + "\n", encoding="utf-8")
            for use in (lambda: pickle.loads(pickle.dumps(data)), lambda: data.select(catalog), data.questions):
                with self.assertRaises(eg.EvalgraphError) as caught:
                    use()
                self.assertEqual(caught.exception.code, "input::changed")
            self.assertEqual(len(data.select(TEXTS)), 4)

    def test_stores_graphs_rows_and_terms_are_pickled(self):
        with tempfile.TemporaryDirectory() as folder:
            store = eg.Store.create(folder)
            self.assertEqual(repr(pickle.loads(pickle.dumps(store))), repr(store))
            with self.assertRaisesRegex(TypeError, "pickle the Store"):
                pickle.dumps(store.snapshot())
        graph = eg.Graph.parse('<urn:a> <urn:p> "x"@en , _:b .')
        self.assertTrue(graph.isomorphic(pickle.loads(pickle.dumps(graph))))
        row = eg.read(PHYSICS).select(TEXTS)[0]
        again = pickle.loads(pickle.dumps(row))
        self.assertEqual((again, again.text), (row, row.text))
        for term in (eg.Iri("urn:a"), eg.BNode("b"), eg.Literal("1", "urn:d")):
            self.assertEqual(pickle.loads(pickle.dumps(term)), term)

    def test_a_spawned_process_reads_what_it_is_given(self):
        data = eg.read(PHYSICS)
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            self.assertEqual(pool.map(count_of_texts, [data, data]), [len(data.select(TEXTS))] * 2)


class Checking(unittest.TestCase):
    def test_findings_have_lines(self):
        checked = eg.validate(PHYSICS)
        self.assertFalse(checked.conforms)
        self.assertFalse(checked)
        first = checked.findings[0]
        self.assertEqual((Path(first.file).name, first.severity), (PHYSICS.name, "violation"))
        self.assertGreater(first.line, 1)
        self.assertIn("sarif", checked.text("sarif"))

    def test_shapes_and_schema_org_are_asked_too(self):
        self.assertEqual(len(eg.read(PHYSICS).validate("karenina").findings), len(eg.validate(PHYSICS, shapes=["karenina"]).findings))
        self.assertIsInstance(eg.check(PHYSICS).conforms, bool)
        with self.assertRaises(TypeError):
            eg.validate(PHYSICS, shapes=["karenina"], profile="seed")

    def test_a_conversion_reports_losses_with_lines(self):
        converted = eg.convert(PHYSICS, to="train")
        self.assertEqual(list(converted.files), ["train.json"])
        self.assertTrue(all(row.code == "convert::loss" for row in converted.losses))
        self.assertGreater(len(converted.losses), 0)
        with tempfile.TemporaryDirectory() as folder:
            (path,) = converted.write(folder)
            self.assertEqual(path.read_text(encoding="utf-8"), converted.files["train.json"])
        with self.assertRaisesRegex(ValueError, "is not a form; there are"):
            eg.convert(PHYSICS, to="docx")


class Comparing(unittest.TestCase):
    OTTER, HERON = FIXTURES / "runs" / "otter", FIXTURES / "runs" / "heron"

    def test_runs_are_compared_sample_by_sample(self):
        compared = eg.compare(self.OTTER, self.HERON)
        first = compared.rows[0]
        self.assertEqual((first.metric, first.group, first.verdict, first.pairs), ("accuracy", "all", "worse", 39))
        self.assertAlmostEqual(first.difference, -15 / 39)
        self.assertLess(first.low, first.difference)
        self.assertEqual({row.group for row in compared.rows}, {"all", "task"})
        self.assertEqual((len(compared.flips), compared.flips[0].gain), (25, -1.0))
        self.assertTrue(compared.flips[0].side_file.endswith("harbour_samples.jsonl"))
        (alone,) = compared.unpaired
        self.assertEqual((alone.sample, alone.line), ("t24", 40))
        self.assertTrue(compared.has_regression())
        self.assertFalse(compared.has_regression(0.9))
        self.assertFalse(eg.compare(self.HERON, self.OTTER).has_regression())

    def test_a_comparison_is_written_for_people(self):
        compared = eg.compare(FIXTURES / "runs" / "two-models.csv", by="model", baseline="Example-AI/Otter")
        self.assertIn("B against A", compared.text())
        self.assertTrue(compared.markdown(shown=2).startswith("# Comparison of runs"))
        self.assertIn("default-src 'none'", compared.html())
        self.assertIn("Example-AI/Otter, example/otter", repr(compared))

    def test_what_cannot_be_compared_is_an_error(self):
        with self.assertRaisesRegex(eg.EvalgraphError, "no results of models"):
            eg.compare(self.OTTER, PHYSICS)
        with self.assertRaisesRegex(ValueError, "`input`, `model` or `run`"):
            eg.compare(self.OTTER, by="judge")


class Storing(unittest.TestCase):
    def test_a_store_keeps_files_and_updates(self):
        count = "SELECT (COUNT(*) AS ?n) { ?s s:keywords ?k }"
        with tempfile.TemporaryDirectory() as folder:
            store = eg.Store.create(folder)
            self.assertEqual(store.load(PHYSICS)[0].code, "store::loaded")
            before, whole = store.snapshot(), store.select(count)[0].n
            self.assertGreater(whole, 0)
            store.update("DELETE { ?s s:keywords ?k } WHERE { ?s s:keywords ?k }")
            self.assertEqual(eg.Store.open(folder).select(count)[0].n, 0)
            # A snapshot is of its moment.
            self.assertEqual(before.select(count)[0].n, whole)
            with self.assertRaises(eg.EvalgraphError):
                eg.Store.create(folder)

    def test_a_store_is_validated(self):
        with tempfile.TemporaryDirectory() as folder:
            store = eg.Store.create(folder)
            store.load(FIXTURES / "karenina" / "s0-cell-biology.jsonld")
            checked = store.validate("karenina-spec")
            self.assertFalse(checked.conforms)
            self.assertIsNotNone(checked.findings[0].line)
            with self.assertRaisesRegex(ValueError, "use Store.validate"):
                store.snapshot().validate("karenina-spec")

    def test_a_folder_without_a_store_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(eg.EvalgraphError) as caught:
            eg.Store.open(folder)
        self.assertEqual(caught.exception.code, "store::missing")


class Graphs(unittest.TestCase):
    def test_graphs_are_read_written_and_compared(self):
        graph = eg.Graph.parse("<urn:a> <urn:b> [], 'x'@en .")
        other = eg.Graph.parse(b"<urn:a> <urn:b> _:z .\n<urn:a> <urn:b> \"x\"@en .\n", "nt")
        self.assertTrue(graph.isomorphic(other))
        self.assertEqual(graph.canonical(), other.canonical())
        self.assertEqual(len(eg.Graph.parse(graph.serialize("nq"), "nq")), 2)
        self.assertIn((eg.Iri("urn:a"), eg.Iri("urn:b"), eg.Literal("x", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "en"), None), list(graph))
        self.assertFalse(graph.isomorphic(eg.Graph.parse("<urn:a> <urn:b> <urn:c> .")))

    def test_a_text_that_is_not_rdf_has_its_place(self):
        with self.assertRaises(eg.ParseError) as caught:
            eg.Graph.parse("<urn:a> <urn:b>\n  oops .")
        self.assertEqual(caught.exception.lineno, 2)
        with self.assertRaisesRegex(ValueError, "not `json-ld`"):
            eg.Graph.parse("{}", "json-ld")


class JsonLd(unittest.TestCase):
    DOCUMENT = {"@context": {"@vocab": "http://schema.org/"}, "@id": "urn:a", "name": "Ada"}
    EXPANDED = [{"@id": "urn:a", "http://schema.org/name": [{"@value": "Ada"}]}]
    CONTEXT = {"name": "http://schema.org/name"}
    N_QUADS = '<urn:a> <http://schema.org/name> "Ada" .\n'

    def test_the_operations_give_what_the_specification_says(self):
        self.assertEqual(jsonld.expand(self.DOCUMENT), self.EXPANDED)
        compacted = {"@context": self.CONTEXT, "@id": "urn:a", "name": "Ada"}
        self.assertEqual(jsonld.compact(self.EXPANDED, self.CONTEXT), compacted)
        self.assertEqual(jsonld.flatten(self.DOCUMENT), self.EXPANDED)
        self.assertEqual(jsonld.frame(self.DOCUMENT, {"@context": self.CONTEXT, "@id": "urn:a"}), compacted)
        self.assertEqual(jsonld.to_rdf(self.DOCUMENT, {"format": "application/n-quads"}), self.N_QUADS)
        self.assertEqual(jsonld.from_rdf(self.N_QUADS), self.EXPANDED)

    def test_a_dataset_is_a_dictionary_and_comes_back(self):
        dataset = jsonld.to_rdf({"@graph": [self.DOCUMENT, {"@id": "_:b", "urn:p": {"@value": 'a"\n', "@language": "en"}}], "@id": "urn:g"})
        self.assertEqual(sorted(dataset), ["@default", "urn:g"])
        literal = {"type": "literal", "value": 'a"\n', "datatype": "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "language": "en"}
        self.assertIn(literal, [triple["object"] for triple in dataset["urn:g"]])
        self.assertEqual(jsonld.to_rdf(jsonld.from_rdf(dataset)), dataset)

    def test_canonical_quads_have_canonical_labels(self):
        options = {"algorithm": "URDNA2015"}
        one, other = {"@id": "_:x", "urn:p": {"@id": "_:y"}}, {"@id": "_:b1", "urn:p": {"@id": "_:b0"}}
        self.assertEqual(jsonld.normalize(one, options), jsonld.normalize(other, options))
        text = jsonld.normalize(one, {**options, "format": "application/n-quads"})
        self.assertRegex(text, "^_:c14n[01] <urn:p> _:c14n[01] [.]\n$")
        with self.assertRaisesRegex(NotImplementedError, "URGNA2012"):
            jsonld.normalize(one)

    def test_a_loader_finds_documents_and_contexts(self):
        asked = []

        def loader(url, options):
            asked.append(url)
            if url.endswith("missing"):
                raise KeyError(url)
            document = self.DOCUMENT if url.endswith("document") else {"@context": self.CONTEXT}
            return {"document": document, "documentUrl": url}

        options = {"documentLoader": loader}
        self.assertEqual(jsonld.expand("http://example.org/document", options), self.EXPANDED)
        with_context = {"@context": "http://example.org/context", "@id": "urn:a", "name": "Ada"}
        self.assertEqual(jsonld.expand(with_context, options), self.EXPANDED)
        self.assertEqual(asked, ["http://example.org/document", "http://example.org/context"])
        jsonld.set_document_loader(loader)
        try:
            self.assertEqual(jsonld.expand(with_context), self.EXPANDED)
        finally:
            jsonld.set_document_loader(None)
        with self.assertRaises(jsonld.JsonLdError) as caught:
            jsonld.expand("http://example.org/missing", options)
        self.assertEqual(caught.exception.code, "loading document failed")
        self.assertIsInstance(caught.exception.cause, KeyError)

    def test_errors_have_the_codes_of_the_specification(self):
        for document, code in (
            ({"@id": 1}, "invalid @id value"),
            ({"@context": {"@version": 2}}, "invalid @version value"),
            ({"@context": "http://example.org/"}, "loading remote context failed"),
        ):
            with self.assertRaises(jsonld.JsonLdError) as caught:
                jsonld.expand(document)
            self.assertEqual(caught.exception.code, code)
        with self.assertRaisesRegex(NotImplementedError, "`skipExpansion`"):
            jsonld.compact(self.EXPANDED, {}, {"skipExpansion": True})


class Shacl(unittest.TestCase):
    DATA = "@prefix ex: <urn:x:> . ex:a a ex:T ; ex:p 1 , 2 ."
    SHAPES = (
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <urn:x:> . ex:S a sh:NodeShape ; sh:targetClass ex:T ;"
        " sh:property [ sh:path ex:p ; sh:maxCount 1 ; sh:severity sh:Warning ] ."
    )

    def test_a_validation_has_the_triple_of_pyshacl_and_findings(self):
        conforms, graph, text = triple = pyshacl.validate(self.DATA, shacl_graph=self.SHAPES)
        self.assertIs(conforms, False)
        self.assertIn("Conforms: False\nResults (1):\nValidation Result in MaxCountConstraintComponent", text)
        self.assertGreater(len(graph), 5)
        self.assertEqual(triple.findings[0].focus, "urn:x:a")
        self.assertIn(b"MaxCountConstraintComponent", pyshacl.validate(self.DATA, shacl_graph=self.SHAPES, serialize_report_graph=True)[1])

    def test_warnings_may_be_allowed_and_nodes_chosen(self):
        self.assertTrue(pyshacl.validate(self.DATA, shacl_graph=self.SHAPES, allow_warnings=True)[0])
        self.assertTrue(pyshacl.validate(self.DATA, shacl_graph=self.SHAPES, focus_nodes=["urn:x:b"])[0])
        self.assertFalse(pyshacl.validate(self.DATA, shacl_graph=self.SHAPES, use_shapes=["urn:x:S"])[0])

    def test_files_and_relative_iris_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "both.ttl"
            file.write_text(f"<> a <urn:Document> .\n{self.DATA}\n{self.SHAPES}", encoding="utf-8")
            self.assertEqual(pyshacl.validate(file).findings[0].line, 2)
            self.assertFalse(pyshacl.validate(str(file), shacl_graph=file, data_graph_format="turtle")[0])

    def test_graphs_of_rdflib_are_read_and_returned(self):
        try:
            import rdflib
        except ImportError:
            self.skipTest("rdflib is not installed")
        data, shapes = (rdflib.Graph().parse(data=text) for text in (self.DATA, self.SHAPES))
        conforms, graph, _ = pyshacl.validate(data, shacl_graph=shapes)
        self.assertFalse(conforms)
        found = list(graph.objects(None, rdflib.URIRef("http://www.w3.org/ns/shacl#focusNode")))
        self.assertEqual(found, [rdflib.URIRef("urn:x:a")])

    def test_what_only_pyshacl_does_is_refused_by_name(self):
        for option in ({"inference": "rdfs"}, {"max_validation_depth": 3}, {"made_up": True}):
            (name,) = option
            with self.assertRaisesRegex(NotImplementedError, f"`{name}`"):
                pyshacl.validate(self.DATA, shacl_graph=self.SHAPES, **option)
        with self.assertRaises(eg.ParseError):
            pyshacl.validate("<urn:a> oops", shacl_graph=self.SHAPES)


class FrontLimits(unittest.TestCase):
    def test_the_fronts_take_limits(self):
        for call in (
            lambda **limits: jsonld.expand({"@id": "urn:a", "@type": "urn:b"}, limits),
            lambda **limits: jsonld.from_rdf("<urn:a> <urn:b> <urn:c> .", limits),
            lambda **limits: pyshacl.validate(Shacl.DATA, shacl_graph=Shacl.SHAPES, **limits),
        ):
            call(timeout=60, max_memory="64GiB")
            with self.assertRaisesRegex(ValueError, "timeout is a number of seconds"):
                call(timeout=-1)
            with self.assertRaisesRegex(ValueError, "`parsecs` is not a unit"):
                call(max_memory="2 parsecs")
        with self.assertRaises(eg.Timeout):
            pyshacl.validate(Shacl.DATA, shacl_graph=Shacl.SHAPES, timeout=0)

    def test_the_steps_of_a_call_share_its_time(self):
        limits = SharedLimits(60, "1GiB")
        first = limits.left()
        time.sleep(0.01)
        self.assertLess(limits.left()["timeout"], first["timeout"])
        self.assertEqual(SharedLimits(0, None).left(), {"timeout": 0.0, "max_memory": None})
        self.assertIsNone(SharedLimits(None, None).left()["timeout"])


class Translating(unittest.TestCase):
    def test_queries_become_sql_or_are_refused(self):
        self.assertIn("FROM triples", eg.sql("SELECT ?q { ?q a s:Question }", "duckdb"))
        with self.assertRaises(eg.EvalgraphError) as caught:
            eg.sql("SELECT (NOW() AS ?now) {}", "duckdb")
        self.assertEqual(caught.exception.code, "sql::unsupported")
        with self.assertRaisesRegex(ValueError, "a dialect is"):
            eg.sql("ASK {}", "oracle")


if __name__ == "__main__":
    unittest.main()
