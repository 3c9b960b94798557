"""Tests of the store, the parsers and the serializers for rdflib: `tests/python/run` builds and installs the package first."""

import logging
import os
import random
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import rdflib
from rdflib import RDF, XSD, BNode, ConjunctiveGraph, Dataset, Graph, Literal, URIRef
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID
from rdflib.plugins.sparql import prepareQuery, prepareUpdate

import evalgraph as eg
from evalgraph.rdflib import EvalgraphStore

# rdflib tells of literals without a value, which are here on purpose.
logging.getLogger("rdflib.term").setLevel(logging.ERROR)

FIXTURES = Path(os.environ["EVALGRAPH_FIXTURES"])
A, B, C, P, Q, G, H = (URIRef(f"urn:{name}") for name in "abcpqgh")
#: Operations of the comparison with rdflib's own store, and their seed.
OPERATIONS = int(os.environ.get("EVALGRAPH_RDFLIB_OPERATIONS", "2000"))
SEED = int(os.environ.get("EVALGRAPH_RDFLIB_SEED", "20261201"))


class Adding(unittest.TestCase):
    def test_terms_come_back_as_they_were_given(self):
        graph = Graph(store="Evalgraph")
        terms = [
            BNode("123"), BNode("with space"), URIRef("urn:é"), Literal("a"), Literal("a", lang="en"), Literal("a", lang="EN-gb"),
            Literal("01", datatype=XSD.integer, normalize=False), Literal("yes", datatype=XSD.boolean), Literal("", datatype=URIRef("urn:own")),
            Literal(1.5), Literal("<b>x</b>", datatype=RDF.HTML), Literal("two\nlines\t\"\\"), Literal("\x00"),
        ]
        for term in terms:
            graph.add((A, P, term))
        found = list(graph.objects(A, P))
        self.assertCountEqual([term.n3() for term in found], [term.n3() for term in terms])
        self.assertEqual({str(term) for term in found if term == Literal("01", datatype=XSD.integer, normalize=False)}, {"01"})
        for term in terms:
            self.assertIn((A, P, term), graph)
        for row in graph.query("SELECT ?o { ?s ?p ?o }"):
            self.assertIn(row.o, terms)
        self.assertEqual(len(graph.query("SELECT ?o { ?s ?p ?o }")), len(terms))

    def test_a_string_has_no_datatype_and_language_tags_have_no_case(self):
        graph = Graph(store="Evalgraph")
        graph.add((A, P, Literal("a")))
        graph.add((A, P, Literal("a", datatype=XSD.string)))
        graph.add((A, P, Literal("a", lang="en")))
        graph.add((A, P, Literal("a", lang="EN")))
        self.assertEqual(len(graph), 2)

    def test_what_is_not_a_quad_of_rdf_is_refused_and_nothing_is_added(self):
        graph = Graph(store="Evalgraph")
        for triple in ((Literal("a"), P, A), (A, BNode(), A), (A, Literal("p"), A)):
            with self.assertRaises(TypeError):
                graph.add(triple)
        with self.assertRaisesRegex(TypeError, "the predicate of a quad is an IRI, not"):
            graph.store.addN([(A, P, B, graph), (A, Literal("p"), B, graph)])
        with self.assertRaisesRegex(ValueError, "no quoted triples"):
            graph.store.add((A, P, B), graph, quoted=True)
        self.assertEqual(len(graph), 0)
        self.assertEqual(list(graph.triples((Literal("a"), P, None))), [])

    def test_graphs_stay_until_they_are_removed(self):
        dataset = Dataset(store="Evalgraph")
        dataset.graph(G)
        dataset.add((A, P, B, H))
        self.assertEqual({graph.identifier for graph in dataset.graphs()}, {G, H, DATASET_DEFAULT_GRAPH_ID})
        dataset.remove((A, P, B, H))
        self.assertEqual({graph.identifier for graph in dataset.graphs()}, {G, H, DATASET_DEFAULT_GRAPH_ID})
        dataset.remove_graph(H)
        self.assertEqual({graph.identifier for graph in dataset.graphs()}, {G, DATASET_DEFAULT_GRAPH_ID})

    def test_quads_may_change_while_a_program_goes_through_them(self):
        graph = Graph(store="Evalgraph")
        graph.addN((URIRef(f"urn:{number}"), P, Literal(number), graph) for number in range(1000))
        for subject, predicate, object_ in graph:
            graph.remove((subject, predicate, object_))
            graph.add((subject, Q, object_))
        self.assertEqual((len(graph), len(list(graph.triples((None, P, None))))), (1000, 0))

    def test_subscribers_hear_of_changes(self):
        graph, heard = Graph(store="Evalgraph"), []
        for event in (rdflib.store.TripleAddedEvent, rdflib.store.TripleRemovedEvent):
            graph.store.dispatcher.subscribe(event, heard.append)
        graph.addN([(A, P, B, graph)])
        graph.remove((A, P, B))
        self.assertEqual([event.triple for event in heard], [(A, P, B), (A, P, B)])

    def test_prefixes_are_bound_as_in_rdflib(self):
        ours, theirs = Graph(store="Evalgraph", bind_namespaces="none"), Graph(bind_namespaces="none")
        for graph in (ours, theirs):
            graph.bind("x", "urn:x:")
            graph.bind("y", "urn:x:")
            graph.bind("x", "urn:z:")
            graph.bind("y", "urn:w:", override=False)
            graph.bind("v", "urn:v:", replace=True)
        self.assertEqual(sorted(ours.namespaces()), sorted(theirs.namespaces()))


class Querying(unittest.TestCase):
    def test_a_graph_is_its_own_and_a_dataset_has_a_default_graph_or_the_union(self):
        store = EvalgraphStore()
        dataset, union = Dataset(store=store), Dataset(store=store, default_union=True)
        dataset.add((A, P, Literal("default")))
        dataset.add((A, P, Literal("g"), G))
        dataset.add((A, P, Literal("h"), H))
        values = lambda graph, text: sorted(str(row.o) for row in graph.query(text))
        every = "SELECT ?o { ?s ?p ?o }"
        self.assertEqual(values(dataset, every), ["default"])
        self.assertEqual(values(dataset.graph(G), every), ["g"])
        self.assertEqual(values(union, every), ["default", "g", "h"])
        named = "SELECT ?o { GRAPH ?g { ?s ?p ?o } }"
        self.assertEqual(values(dataset, named), ["g", "h"])
        self.assertEqual(values(union, named), ["g", "h"])
        self.assertEqual(values(dataset, "SELECT ?o FROM <urn:g> FROM <urn:h> { ?s ?p ?o }"), ["g", "h"])
        self.assertEqual(values(dataset, "SELECT ?o FROM NAMED <urn:g> { GRAPH ?g { ?s ?p ?o } }"), ["g"])
        self.assertEqual(values(dataset.graph(BNode("none")), every), [])

    def test_each_form_of_query_has_its_result(self):
        graph = Graph(store="Evalgraph")
        graph.add((A, P, BNode("n")))
        graph.add((BNode("n"), Q, Literal("01", datatype=XSD.integer, normalize=False)))
        self.assertTrue(graph.query("ASK { ?s <urn:q> 1 }").askAnswer is False)
        self.assertTrue(graph.query("ASK { ?s <urn:q> ?o FILTER(?o = 1) }").askAnswer)
        rows = graph.query("SELECT ?s ?none (STR(?o) AS ?text) { ?s <urn:q> ?o OPTIONAL { ?s <urn:none> ?none } }")
        self.assertEqual([str(variable) for variable in rows.vars], ["s", "none", "text"])
        self.assertEqual([tuple(row) for row in rows], [(BNode("n"), None, Literal("01"))])
        self.assertEqual(rows.bindings, [{rows.vars[0]: BNode("n"), rows.vars[2]: Literal("01")}])
        self.assertIn(b"bnode", rows.serialize(format="json"))
        made = graph.query("CONSTRUCT { ?o <urn:of> ?s } { ?s <urn:p> ?o }")
        self.assertEqual(list(made), [(BNode("n"), URIRef("urn:of"), A)])
        self.assertEqual(len(graph.query("DESCRIBE <urn:a>").graph), 2)
        self.assertEqual(len(graph.query("CONSTRUCT { ?s ?p ?o } { ?s <urn:none> ?o . ?s ?p ?o }").graph), 0)

    def test_variables_have_values_from_the_start(self):
        graph = Graph(store="Evalgraph")
        graph.add((BNode("b1"), P, BNode("label that no query can write")))
        graph.add((A, P, Literal("x")))
        node = BNode("label that no query can write")
        self.assertEqual([row.s for row in graph.query("SELECT ?s { ?s ?p ?o }", initBindings={"o": node})], [BNode("b1")])
        self.assertEqual([row.s for row in graph.query("SELECT * { ?s ?p ?o }", initBindings={"?o": Literal("x")})], [A])
        self.assertEqual([row.o for row in graph.query("SELECT ?o {}", initBindings={"o": BNode("new")})], [BNode("new")])
        self.assertEqual(len(graph.query("SELECT ?s { ?s ?p ?o }", initBindings={"s": Literal("x"), "unused": A})), 0)
        made = graph.query("CONSTRUCT { ?o <urn:of> ?s } { ?s ?p ?o }", initBindings={"o": node})
        self.assertEqual(list(made), [(node, URIRef("urn:of"), BNode("b1"))])
        self.assertTrue(graph.query("ASK { ?s ?p ?o FILTER(?o = ?x) }", initBindings={"x": node}).askAnswer)

    def test_prefixes_come_from_the_graph_and_the_call(self):
        graph = Graph(store="Evalgraph")
        graph.add((URIRef("https://schema.org/a"), RDF.type, URIRef("urn:x:T")))
        graph.bind("x", "urn:x:")
        # The prefix `schema` is another one in evalgraph's own queries.
        self.assertTrue(graph.query("ASK { schema:a a x:T }").askAnswer)
        self.assertTrue(graph.query("ASK { schema:a a y:T }", initNs={"y": "urn:x:", "schema": "https://schema.org/"}).askAnswer)
        self.assertTrue(graph.query("ASK { <a> a ?t }", base="https://schema.org/").askAnswer)

    def test_prepared_queries_keep_their_prefixes(self):
        graph = Graph(store="Evalgraph")
        graph.add((A, P, B))
        query = prepareQuery("SELECT ?o { ?s x:p ?o }", initNs={"x": "urn:"})
        self.assertEqual([row.o for row in graph.query(query, initBindings={"s": A})], [B])
        graph.update(prepareUpdate("INSERT DATA { x:a x:q x:c }", initNs={"x": "urn:"}))
        self.assertIn((A, Q, C), graph)

    def test_a_fault_has_its_place_and_a_limit_ends_a_query(self):
        graph = Graph(store="Evalgraph")
        graph.addN((URIRef(f"urn:{number}"), P, Literal(number), graph) for number in range(1000))
        with self.assertRaises(eg.QueryError) as caught:
            graph.query("SELECT ?x {\n ?x ?y }")
        self.assertEqual((caught.exception.lineno, caught.exception.offset), (2, 8))
        with self.assertRaises(eg.Timeout):
            graph.query("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }", timeout=0.2)
        with self.assertRaises(eg.QueryError):
            graph.update("INSERT { } WHERE { ?x }")

    def test_updates_change_the_default_graph_and_the_named_ones(self):
        dataset = Dataset(store="Evalgraph")
        dataset.add((A, P, Literal("01", datatype=XSD.integer, normalize=False)))
        dataset.update("INSERT { GRAPH <urn:g> { ?s <urn:q> ?o } } WHERE { ?s <urn:p> ?o } ; INSERT DATA { <urn:b> <urn:p> [] }")
        self.assertEqual(str(next(dataset.graph(G).objects(A, Q))), "01")
        self.assertEqual(len(dataset.default_graph), 2)
        dataset.update("DELETE WHERE { ?s <urn:p> ?o }")
        self.assertEqual((len(dataset.default_graph), len(dataset.graph(G))), (0, 1))
        dataset.update("CREATE GRAPH <urn:h> ; DROP GRAPH <urn:g>")
        self.assertEqual({graph.identifier for graph in dataset.graphs()}, {H, DATASET_DEFAULT_GRAPH_ID})
        dataset.update("DROP GRAPH <urn:h>")
        self.assertEqual({graph.identifier for graph in dataset.graphs()}, {DATASET_DEFAULT_GRAPH_ID})

    def test_an_update_of_one_graph_leaves_the_others(self):
        store = EvalgraphStore()
        one, other = Graph(store=store), Graph(store=store, identifier=DATASET_DEFAULT_GRAPH_ID)
        other.add((A, P, B))
        one.update("INSERT DATA { <urn:a> <urn:p> <urn:b> }")
        one.update("DELETE { ?s ?p ?o } INSERT { ?s ?p <urn:c> } WHERE { ?s ?p ?o }")
        self.assertEqual((list(one), list(other)), ([(A, P, C)], [(A, P, B)]))
        one.update("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", initBindings={"o": C, "unused": A})
        self.assertEqual((len(one), len(other)), (0, 1))

    def test_rdflib_evaluates_what_the_store_refuses(self):
        graph = ConjunctiveGraph(store="Evalgraph")
        graph.update("INSERT DATA { <urn:a> <urn:p> <urn:b> }")
        self.assertEqual(list(graph), [(A, P, B)])
        graph = Graph(store="Evalgraph")
        graph.add((BNode("n"), P, B))
        graph.update("DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", initBindings={"s": BNode("n")})
        self.assertEqual(len(graph), 0)
        with self.assertRaisesRegex(NotImplementedError, "`explain`"):
            graph.store.query("ASK {}", {}, {}, G, explain=True)
        with self.assertRaises(eg.EvalgraphError):
            graph.update("LOAD <http://127.0.0.1:1/none>")


class Comparing(unittest.TestCase):
    """The same operations on rdflib's own store and on ours."""

    def setUp(self):
        self.random = random.Random(SEED)
        names = [URIRef(f"urn:n{number}") for number in range(6)] + [BNode(f"b{number}") for number in range(4)]
        self.subjects = [*names, BNode("x y")]
        self.predicates = [URIRef(f"urn:p{number}") for number in range(4)]
        self.objects = [
            *names, Literal("a"), Literal("a", lang="en"), Literal("a", lang="de"), Literal(1), Literal("01", datatype=XSD.integer, normalize=False),
            Literal("1.0", datatype=XSD.decimal), Literal(2.5), Literal(True), Literal("x", datatype=URIRef("urn:own")), Literal("ü\n"),
            Literal("2026-01-02", datatype=XSD.date), Literal("no", datatype=XSD.integer),
        ]
        self.graphs = [URIRef("urn:g0"), URIRef("urn:g1"), BNode("g2"), DATASET_DEFAULT_GRAPH_ID]
        self.ours, self.theirs = (Dataset(store=store) for store in ("Evalgraph", "default"))

    def triple(self):
        return tuple(self.random.choice(terms) for terms in (self.subjects, self.predicates, self.objects))

    def pattern(self):
        return tuple(term if self.random.random() < 0.5 else None for term in self.triple())

    def of_both(self, work):
        ours, theirs = work(self.ours), work(self.theirs)
        self.assertEqual(ours, theirs)

    def test_random_operations_have_the_same_effect(self):
        choices = [
            (30, self.add), (10, self.add_many), (12, self.remove), (1, self.remove_graph), (1, self.add_graph), (30, self.iterate),
            (10, self.count), (8, self.contexts), (12, self.query), (6, self.bound), (8, self.update),
        ]
        weights, operations = zip(*choices)
        for _ in range(OPERATIONS):
            self.random.choices(operations, weights)[0]()
            self.of_both(lambda dataset: (len(dataset.store), sorted(dataset.store.__len__(Graph(identifier=g)) for g in self.graphs)))
        self.of_both(lambda dataset: {tuple(map(repr, quad)) for quad in dataset})

    def add(self):
        triple, name = self.triple(), self.random.choice(self.graphs)
        self.of_both(lambda dataset: dataset.get_context(name).add(triple) is None)

    def add_many(self):
        quads = [(self.triple(), self.random.choice(self.graphs)) for _ in range(self.random.randrange(20))]
        self.of_both(lambda dataset: dataset.addN((*triple, dataset.get_context(name)) for triple, name in quads) is None)

    def remove(self):
        pattern, name = self.pattern(), self.random.choice([*self.graphs, None])
        if pattern == (None, None, None) and name is None and self.random.random() < 0.8:
            return
        self.of_both(lambda dataset: dataset.store.remove(pattern, name and dataset.get_context(name)))

    def remove_graph(self):
        name = self.random.choice(self.graphs)
        self.of_both(lambda dataset: dataset.remove_graph(dataset.get_context(name)) is None)

    def add_graph(self):
        name = self.random.choice(self.graphs)
        self.of_both(lambda dataset: dataset.graph(name).identifier)

    def iterate(self):
        pattern, name = self.pattern(), self.random.choice([*self.graphs, None])

        def found(dataset):
            triples = dataset.store.triples(pattern, name and dataset.get_context(name))
            if name:
                return sorted(repr(triple) for triple, _ in triples)
            # rdflib's store counts the union as a context without a name.
            contexts = lambda known: sorted(repr(context.identifier) for context in known if context is not None)
            return sorted((repr(triple), contexts(known)) for triple, known in triples)

        self.of_both(found)

    def count(self):
        pattern = self.pattern()
        self.of_both(lambda dataset: (pattern in dataset, len(dataset.default_graph), len(list(dataset.quads(pattern)))))

    def contexts(self):
        triple = self.triple()
        names = lambda contexts: {repr(context.identifier) for context in contexts if context is not None}
        self.of_both(lambda dataset: names(dataset.store.contexts(triple)))
        self.of_both(lambda dataset: names(dataset.store.contexts()))

    def query(self):
        predicate, other = self.random.sample(self.predicates, 2)
        text = self.random.choice([
            f"SELECT ?s ?o {{ ?s {predicate.n3()} ?o }}",
            f"SELECT ?s ?o ?x {{ ?s {predicate.n3()} ?o OPTIONAL {{ ?o {other.n3()} ?x }} }}",
            f"SELECT DISTINCT ?s ?x {{ ?s {predicate.n3()}/{other.n3()} ?x }}",
            f"SELECT ?g ?s {{ GRAPH ?g {{ ?s {predicate.n3()} ?o }} }}",
            f"SELECT ?s (COUNT(?o) AS ?n) {{ ?s ?p ?o }} GROUP BY ?s",
            f"SELECT ?s {{ ?s {predicate.n3()} ?o FILTER NOT EXISTS {{ ?s {other.n3()} ?x }} }}",
            "SELECT ?o { ?s ?p ?o FILTER(ISBLANK(?o)) }",
        ])
        # rdflib finds the graphs of a dataset whose names are blank nodes only sometimes.
        rows = lambda dataset: sorted(repr(tuple(row)) for row in dataset.query(text))
        self.of_both(rows)

    def bound(self):
        subject, _, object_ = self.triple()
        text = "SELECT ?s ?p ?o { ?s ?p ?o }"
        rows = lambda dataset: sorted(repr(tuple(row)) for row in dataset.query(text, initBindings={"s": subject}))
        self.of_both(rows)
        rows = lambda dataset: sorted(repr(tuple(row)) for row in dataset.query(text, initBindings={"o": object_}))
        self.of_both(rows)

    def update(self):
        predicate, other = (predicate.n3() for predicate in self.random.sample(self.predicates, 2))
        subject = self.random.choice(self.subjects[:6]).n3()
        text = self.random.choice([
            f"INSERT {{ {subject} {predicate} 'new'@en , 7 }} WHERE {{}}",
            f"INSERT DATA {{ GRAPH <urn:g1> {{ {subject} {predicate} 1.50 }} }}",
            f"DELETE {{ ?s {predicate} ?o }} INSERT {{ ?s {other} ?o }} WHERE {{ ?s {predicate} ?o }}",
            f"INSERT {{ GRAPH <urn:g0> {{ ?s ?p ?o }} }} WHERE {{ ?s ?p ?o FILTER(?s = {subject}) }}",
            f"DELETE WHERE {{ GRAPH <urn:g1> {{ {subject} ?p ?o }} }}",
            "CLEAR SILENT GRAPH <urn:g0>",
        ])
        self.of_both(lambda dataset: dataset.update(text))


class Sharing(unittest.TestCase):
    def test_threads_change_and_ask_one_store(self):
        dataset, faults = Dataset(store="Evalgraph"), []

        def work(number):
            try:
                mine = dataset.get_context(URIRef(f"urn:thread{number}"))
                for step in range(200):
                    mine.add((URIRef(f"urn:s{step}"), P, Literal(step)))
                    if step % 20 == 0:
                        mine.update(f"INSERT DATA {{ <urn:u{step}> <urn:q> {number} }}")
                        assert len(mine.query("SELECT ?o { ?s <urn:p> ?o }")) == step + 1
                        assert len(list(dataset.store.triples((None, P, None)))) > step
            except BaseException as error:
                faults.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])
        self.assertEqual({len(dataset.get_context(URIRef(f"urn:thread{number}"))) for number in range(4)}, {210})
        self.assertEqual(len(dataset), 200 + 40)

    def test_two_stores_share_their_quads(self):
        store = EvalgraphStore()
        Graph(store=store, identifier=G).add((A, P, B))
        self.assertEqual(list(Graph(store=EvalgraphStore(quads=store.quads), identifier=G)), [(A, P, B)])

    def test_rdflib_is_not_imported_with_the_package(self):
        program = "import sys, evalgraph; sys.exit('rdflib' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", program], check=False).returncode, 0)


class Keeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "store")

    def opened(self, create=False):
        dataset = Dataset(store="Evalgraph")
        dataset.open(self.folder, create=create)
        return dataset

    def test_a_store_in_a_folder_keeps_quads_and_blank_nodes(self):
        with self.assertRaises(eg.EvalgraphError):
            self.opened()
        dataset = self.opened(create=True)
        node = BNode("mine")
        dataset.add((A, P, node))
        dataset.add((node, Q, Literal("01", datatype=XSD.integer, normalize=False), G))
        dataset.add((A, P, Literal("x", lang="en"), BNode("graph")))
        dataset.close()
        dataset = self.opened()
        self.assertEqual(len(list(dataset.quads())), 3)
        (node,) = dataset.default_graph.objects(A, P)
        self.assertEqual([str(value) for value in dataset.graph(G).objects(node, Q)], ["01"])
        self.assertEqual(len(dataset.get_context(BNode("graph"))), 1)
        # A blank node of the store is the same node in every graph, and in a later run.
        dataset.add((node, P, B, H))
        dataset.remove((A, P, node))
        dataset.close()
        dataset = self.opened()
        self.assertEqual(list(dataset.graph(H).subjects(P, B)), list(dataset.graph(G).subjects(Q, None)))
        self.assertEqual(len(dataset.default_graph), 0)
        dataset.close()

    def test_changes_are_written_together_or_taken_back(self):
        dataset = self.opened(create=True)
        dataset.add((A, P, B, G))
        dataset.commit()
        dataset.update("INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:p> 1 , 2 , 3 } }")
        dataset.remove((A, P, B, G))
        self.assertEqual(eg.Store.open(self.folder).select("SELECT ?o { ?s ?p ?o }").to_dicts(), [{"o": "urn:b"}])
        dataset.rollback()
        self.assertEqual(list(dataset.graph(G)), [(A, P, B)])
        # A node that a commit has written is the same in the next one.
        node = BNode("b1")
        dataset.add((A, Q, node, G))
        dataset.commit()
        dataset.add((node, P, BNode("b2"), H))
        dataset.commit()
        dataset.add((BNode("b2"), Q, node, H))
        dataset.commit()
        circle = "SELECT DISTINCT ?x { GRAPH ?g { ?a <urn:q> ?x } GRAPH ?h { ?x <urn:p> ?y . ?y <urn:q> ?x } }"
        self.assertEqual(len(eg.Store.open(self.folder).select(circle)), 1)
        dataset.update("DROP GRAPH <urn:h> ; DELETE WHERE { GRAPH <urn:g> { ?s <urn:q> ?o } }")
        dataset.add((A, P, C, G))
        dataset.commit()
        self.assertEqual(len(eg.Store.open(self.folder).select("SELECT ?o { ?s ?p ?o }")), 2)
        dataset.close()

    def test_files_of_a_store_are_graphs(self):
        store = eg.Store.create(self.folder)
        store.load(FIXTURES / "karenina" / "p1-physics.jsonld")
        count = len(store.select("SELECT * { ?s ?p ?o }"))
        dataset = self.opened()
        self.assertEqual(len(dataset.store), count)
        (question, *_) = dataset.store.query("SELECT ?q { ?q a schema:Question }", {"schema": "http://schema.org/"}, {}, None)
        name = next(iter(dataset.store.contexts((question.q, None, None)))).identifier
        dataset.add((question.q, URIRef("urn:seen"), Literal(True), name))
        dataset.close()
        self.assertEqual(len(store.select("SELECT ?q { ?q <urn:seen> true }")), 1)

    def test_only_an_empty_store_is_opened_and_only_a_store_destroyed(self):
        graph = Graph(store="Evalgraph")
        graph.add((A, P, B))
        with self.assertRaisesRegex(ValueError, "before the first triple"):
            graph.open(self.folder, create=True)
        with self.assertRaisesRegex(NotImplementedError, "rollback"):
            graph.rollback()
        self.opened(create=True).close()
        beside = Path(self.folder) / "mine.txt"
        beside.write_text("mine")
        store = EvalgraphStore()
        store.destroy(self.folder)
        self.assertEqual([path.name for path in Path(self.folder).iterdir()], ["mine.txt"])
        with self.assertRaisesRegex(ValueError, "has no store"):
            store.destroy(self.folder)


class Reading(unittest.TestCase):
    TEXTS = {
        "json-ld": '{"@context": {"v": "http://example.com/vocab#"}, "@id": "s", "v:p": {"@id": "o"}}',
        "turtle": "@prefix v: <http://example.com/vocab#> . <s> v:p <o> .",
        "ttl": "PREFIX v: <http://example.com/vocab#> <s> v:p <o> .",
        "n3": "@prefix v: <http://example.com/vocab#> . <s> v:p <o> .",
        "trig": "PREFIX v: <http://example.com/vocab#> { <s> v:p <o> }",
        "xml": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="http://example.com/vocab#">'
        '<rdf:Description rdf:about="s"><v:p rdf:resource="o"/></rdf:Description></rdf:RDF>',
        **{name: "<http://example.com/s> <http://example.com/vocab#p> <http://example.com/o> .\n" for name in ("nt", "nt11", "ntriples", "nq", "nquads")},
    }
    TRIPLE = tuple(URIRef(f"http://example.com/{name}") for name in ("s", "vocab#p", "o"))

    def test_each_format_is_read_into_any_store(self):
        for store in ("default", "Evalgraph"):
            for name, text in self.TEXTS.items():
                with self.subTest(store=store, format=name):
                    graph = Graph(store=store, bind_namespaces="none")
                    graph.parse(data=text, format=f"evalgraph-{name}", publicID="http://example.com/")
                    self.assertEqual(list(graph), [self.TRIPLE])
                    if name in ("turtle", "trig"):
                        self.assertEqual(list(graph.namespaces()), [("v", URIRef("http://example.com/vocab#"))])

    def test_named_graphs_go_to_graphs_and_blank_nodes_are_new(self):
        for store in ("default", "Evalgraph"):
            dataset = Dataset(store=store)
            for _ in range(2):
                dataset.parse(data='_:a <urn:p> _:a .\n_:a <urn:p> "x" <urn:g> .\n', format="evalgraph-nq")
            self.assertEqual((len(dataset.default_graph), len(dataset.graph(G))), (2, 2))
            self.assertEqual(set(dataset.graph(G).subjects()), set(dataset.default_graph.subjects()))

    def test_a_file_is_named_with_the_place_of_its_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("ttl", "<urn:a> <urn:b>\n  oops ."), ("json-ld", '{"@id": "urn:a",\n "urn:p": }')):
                file = Path(folder) / f"bad.{name}"
                file.write_text(text)
                with self.assertRaises(eg.ParseError) as caught:
                    Graph(store="Evalgraph").parse(file, format=f"evalgraph-{name}")
                self.assertEqual((caught.exception.filename, caught.exception.lineno), (str(file), 2))

    def test_contexts_are_built_in_or_found_by_a_loader(self):
        text = '{"@context": "https://schema.org/", "@id": "urn:a", "name": "Ada"}'
        graph = Graph(store="Evalgraph").parse(data=text, format="evalgraph-json-ld")
        self.assertEqual(list(graph.predicates()), [URIRef("http://schema.org/name")])
        text = text.replace("schema.org", "example.org")
        with self.assertRaises(eg.EvalgraphError):
            graph.parse(data=text, format="evalgraph-json-ld")
        loader = lambda url, options: {"document": {"@context": {"name": "urn:name"}}, "documentUrl": url}
        graph = Graph(store="Evalgraph").parse(data=text, format="evalgraph-json-ld", document_loader=loader)
        self.assertEqual(list(graph.predicates()), [URIRef("urn:name")])

    def test_what_is_written_is_read_again(self):
        for store in ("default", "Evalgraph"):
            dataset = Dataset(store=store)
            dataset.add((A, P, Literal("01", datatype=XSD.integer, normalize=False)))
            dataset.add((BNode("x"), P, Literal("a", lang="en"), G))
            for name in ("nq", "nquads", "trig", "json-ld"):
                text = dataset.serialize(format=f"evalgraph-{name}")
                again = Dataset().parse(data=text, format=f"evalgraph-{name}")
                self.assertEqual((len(again.default_graph), len(again.graph(G))), (1, 1), text)
            graph = dataset.graph(G)
            for name in ("nt", "turtle", "ttl", "n3", "xml", "nq", "json-ld"):
                text = graph.serialize(format=f"evalgraph-{name}")
                again = Graph().parse(data=text, format=f"evalgraph-{name}")
                self.assertEqual([str(value) for value in again.objects()], ["a"], text)
            self.assertEqual(dataset.serialize(format="evalgraph-nt"), '<urn:a> <urn:p> "01"^^<http://www.w3.org/2001/XMLSchema#integer> .\n')


if __name__ == "__main__":
    # rdflib warns of the classes that it wants to replace.
    unittest.main(warnings="ignore")
