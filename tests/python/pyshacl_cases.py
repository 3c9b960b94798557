"""What `evalgraph.pyshacl` takes and refuses. rdflib has to be installed."""

import io
import tempfile
import unittest
from pathlib import Path

import rdflib

import evalgraph as eg
from evalgraph.pyshacl import validate, validate_each

SH = rdflib.Namespace("http://www.w3.org/ns/shacl#")
PREFIXES = (
    "@prefix ex: <http://example.org/> . @prefix sh: <http://www.w3.org/ns/shacl#> ."
    " @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
)
DATA = PREFIXES + "ex:a a ex:T ; ex:p 1 , 2 . ex:b a ex:T ; ex:p 3 , 4 , 5 ."
GOOD = PREFIXES + "ex:a a ex:T ; ex:p 1 ."
SHAPES = PREFIXES + "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ; sh:maxCount 1 ] ."


def results(graph):
    return list(graph.objects(None, SH.result))


class Inputs(unittest.TestCase):
    def same(self, data, shapes=SHAPES, **options):
        conforms, graph, text = validate(data, shacl_graph=shapes, **options)
        self.assertIs(conforms, False)
        self.assertEqual(len(results(graph)), 2)
        self.assertIn("Results (2):\n", text)

    def test_texts_bytes_graphs_and_open_files_are_read(self):
        graph = rdflib.Graph().parse(data=DATA)
        self.same(DATA.encode())
        self.same(graph, rdflib.Graph().parse(data=SHAPES))
        self.same(eg.Graph.parse(DATA), eg.Graph.parse(SHAPES))
        self.same(io.StringIO(DATA), io.BytesIO(SHAPES.encode()))
        for format in ("turtle", "longturtle", "xml", "pretty-xml", "nt", "nt11", "n3", "json-ld", "trig", "text/turtle"):
            with self.subTest(format):
                self.same(graph.serialize(format=format), data_graph_format=format)
        self.same(graph.serialize(format="json-ld"))
        self.same(graph.serialize(format="xml"))
        dataset = rdflib.Dataset()
        dataset.graph(rdflib.URIRef("http://example.org/g")).parse(data=DATA)
        self.same(dataset)
        self.same(dataset.serialize(format="nquads"), data_graph_format="nquads")

    def test_files_are_named_in_several_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            data, shapes = Path(folder) / "the data.ttl", Path(folder) / "shapes.ttl"
            data.write_text(DATA, encoding="utf-8")
            shapes.write_text(SHAPES, encoding="utf-8")
            self.same(data, shapes)
            self.same(str(data), data.parent.as_uri() + "/shapes.ttl")
            self.same(data.as_uri(), str(shapes).encode())
            with open(data, "rb") as file, open(shapes, encoding="utf-8") as text:
                self.same(file, text)
                self.same(file, text)
            with self.assertRaises(FileNotFoundError):
                validate(str(data) + "x", shacl_graph=shapes)
            with self.assertRaises(FileNotFoundError):
                validate("missing.ttl", shacl_graph=shapes)

    def test_several_graphs_are_one_or_each_its_own(self):
        self.same([GOOD, DATA])
        self.same((rdflib.Graph().parse(data=GOOD), DATA.encode()))
        self.same([rdflib.Graph().parse(data=DATA).serialize(format="json-ld"), GOOD])
        each = validate_each([GOOD, DATA], shacl_graph=SHAPES)
        self.assertEqual([each[0][0], each[1][0]], [True, False])
        each = validate([GOOD, DATA], shacl_graph=SHAPES, multi_data_graphs_mode="validate_each")
        self.assertEqual([each[0][0], each[1][0]], [True, False])
        self.assertTrue(each[0][1].value(None, rdflib.RDF.type, SH.ValidationReport))
        for call in (lambda: validate([], shacl_graph=SHAPES), lambda: validate_each([])):
            self.assertRaises(ValueError, call)
        with self.assertRaisesRegex(ValueError, "combine or validate_each"):
            validate([GOOD], shacl_graph=SHAPES, multi_data_graphs_mode="other")

    def test_blank_nodes_of_several_graphs_are_different(self):
        data = PREFIXES + "_:x a ex:T ; ex:p {} ."
        self.assertTrue(validate([data.format(1), data.format(2)], shacl_graph=SHAPES)[0])

    def test_classes_of_owl_are_classes(self):
        shapes = PREFIXES + "ex:T a owl:Class , sh:NodeShape ; sh:property [ sh:path ex:p ; sh:maxCount 1 ] ."
        self.same(DATA, shapes)
        self.same(DATA, rdflib.Graph().parse(data=shapes).serialize(format="json-ld"))

    def test_imports_are_read_on_demand(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "shapes.ttl"
            file.write_text(SHAPES, encoding="utf-8")
            importing = f"{PREFIXES} <urn:x> owl:imports <{file.as_uri()}> ."
            self.assertTrue(validate(DATA, shacl_graph=importing)[0])
            self.same(DATA, importing, do_owl_imports=True)
        missing = SHAPES + "<urn:x> owl:imports <http://example.org/missing> ."
        self.same(DATA, missing)
        self.assertEqual(len(validate(DATA, shacl_graph=missing).findings), 2)
        with self.assertRaisesRegex(eg.EvalgraphError, "missing"):
            validate(DATA, shacl_graph=missing, do_owl_imports=True)


class Ontologies(unittest.TestCase):
    DATA = PREFIXES + "ex:a a ex:U ; ex:p 1 , 2 ."
    ONTOLOGY = PREFIXES + "ex:T a owl:Class . ex:U rdfs:subClassOf ex:T . ex:other a ex:T ; ex:p 1 , 2 ."

    def test_axioms_are_added_to_the_data(self):
        for ontology in (self.ONTOLOGY, rdflib.Graph().parse(data=self.ONTOLOGY)):
            conforms, graph, _ = validate(self.DATA, shacl_graph=SHAPES, ont_graph=ontology)
            self.assertFalse(conforms)
            # An instance in the ontology is not an axiom.
            self.assertEqual(list(graph.objects(None, SH.focusNode)), [rdflib.URIRef("http://example.org/a")])
        self.assertTrue(validate(self.DATA, shacl_graph=SHAPES)[0])

    def test_named_individuals_are_added_with_what_is_about_them(self):
        ontology = PREFIXES + "ex:i a owl:NamedIndividual , ex:T ; ex:p 1 , 2 ; ex:q [ ex:q ex:j ] . ex:j a ex:T ; ex:p 3 , 4 ."
        found = validate(self.DATA, shacl_graph=SHAPES, ont_graph=ontology)[1].objects(None, SH.focusNode)
        self.assertEqual(sorted(found), [rdflib.URIRef("http://example.org/" + name) for name in "ij"])

    def test_the_graph_of_the_caller_stays_as_it_is(self):
        data = rdflib.Graph().parse(data=self.DATA)
        validate(data, shacl_graph=SHAPES, ont_graph=self.ONTOLOGY)
        self.assertEqual(len(data), 3)
        validate(data, shacl_graph=SHAPES, inplace=True)
        self.assertEqual(len(data), 3)
        with self.assertRaisesRegex(NotImplementedError, "`inplace`"):
            validate(data, shacl_graph=SHAPES, ont_graph=self.ONTOLOGY, inplace=True)

    def test_findings_have_the_lines_of_the_data(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "data.ttl"
            file.write_text(self.DATA, encoding="utf-8")
            found = validate(file, shacl_graph=SHAPES, ont_graph=self.ONTOLOGY, data_graph_format="turtle").findings
            self.assertEqual([(found[0].file, found[0].line)], [(str(file), 2)])


class Options(unittest.TestCase):
    def test_options_without_an_effect_are_taken(self):
        for option in ("debug", "meta_shacl", "sparql_mode", "iterate_rules", "advanced", "js", "inplace"):
            with self.subTest(option):
                self.assertEqual(len(results(validate(DATA, shacl_graph=SHAPES, **{option: True})[1])), 2)
        self.assertEqual(len(results(validate(DATA, shacl_graph=SHAPES, inference="none")[1])), 2)

    def test_what_only_pyshacl_does_is_refused_by_name(self):
        for option in ({"inference": "rdfs"}, {"max_validation_depth": 3}, {"check_dash_result": True}, {"metashacl": True}):
            (name,) = option
            with self.assertRaisesRegex(NotImplementedError, f"`{name}`"):
                validate(DATA, shacl_graph=SHAPES, **option)
        for name in ("data_graph", "shacl_graph", "ont_graph"):
            with self.assertRaisesRegex(NotImplementedError, f"`{name}` .* not a URL"):
                validate(**{"data_graph": DATA, "shacl_graph": SHAPES, name: "https://example.org/graph.ttl"})
        with self.assertRaisesRegex(NotImplementedError, "`do_owl_imports`"):
            ontology = PREFIXES + "<urn:x> a owl:Ontology ; owl:imports <urn:y> ."
            validate(DATA, shacl_graph=SHAPES, ont_graph=ontology, do_owl_imports=True)

    def test_shapes_with_further_features_are_refused(self):
        for more, option, name in (
            ("ex:S sh:rule [ a sh:TripleRule ] .", "advanced", "rule"),
            ("ex:S sh:target [ a sh:SPARQLTarget ] .", "advanced", "target"),
            ("ex:f a sh:SPARQLFunction .", "advanced", "SPARQLFunction"),
            ("ex:S sh:js [ a sh:JSConstraint ] .", "js", "js"),
        ):
            with self.subTest(more):
                with self.assertRaisesRegex(NotImplementedError, f"`{option}` .* `sh:{name}`"):
                    validate(DATA, shacl_graph=SHAPES + more, **{option: True})

    def test_faults_of_shapes_are_errors(self):
        with self.assertRaises(eg.EvalgraphError):
            validate(DATA, shacl_graph=SHAPES.replace("sh:path ex:p", 'sh:path "p"'), meta_shacl=True)

    def test_the_first_violation_alone_can_be_reported(self):
        for option in ("abort_on_first", "abort_on_error"):
            conforms, graph, text = validate(DATA, shacl_graph=SHAPES, **{option: True})
            self.assertFalse(conforms)
            self.assertEqual(len(results(graph)), 1)
            self.assertIn("Results (1):", text)
        warned = SHAPES.replace("sh:maxCount 1", "sh:maxCount 1 ; sh:severity sh:Warning ] , [ sh:path ex:p ; sh:maxCount 2")
        _, graph, _ = validate(DATA, shacl_graph=warned, allow_warnings=True, abort_on_first=True)
        self.assertEqual(list(graph.objects(None, SH.resultSeverity)), [SH.Violation])
        self.assertTrue(validate(GOOD, shacl_graph=SHAPES, abort_on_first=True)[0])

    def test_nodes_and_shapes_can_have_prefixed_names(self):
        a = rdflib.URIRef("http://example.org/a")
        for nodes in (["ex:a"], [a], ["http://example.org/a"], "ex:a"):
            _, graph, _ = validate(DATA, shacl_graph=SHAPES, focus_nodes=nodes)
            self.assertEqual(list(graph.objects(None, SH.focusNode)), [a])
        checked = validate(rdflib.Graph().parse(data=DATA), shacl_graph=SHAPES, focus_nodes=["ex:a"], use_shapes=["ex:S"])
        self.assertEqual(len(results(checked[1])), 1)
        with self.assertRaisesRegex(NotImplementedError, "`focus_nodes`"):
            checked.findings
        with self.assertRaises(ValueError):
            validate(DATA, shacl_graph=SHAPES, focus_nodes=[rdflib.BNode()])


class Reports(unittest.TestCase):
    def test_reports_are_serialized_as_bytes(self):
        for format in (True, "turtle", "nt", "xml", "json-ld", "trig", "nquads"):
            with self.subTest(format):
                text = validate(DATA, shacl_graph=SHAPES, serialize_report_graph=format)[1]
                self.assertIsInstance(text, bytes)
                graph = rdflib.Dataset(default_union=True).parse(data=text, format="turtle" if format is True else format)
                self.assertEqual(len(results(graph)), 2)

    def test_the_text_is_that_of_pyshacl(self):
        shapes = PREFIXES + (
            "ex:S a sh:NodeShape ; sh:targetNode ex:a ; sh:property ex:P , ex:Q ."
            " ex:P sh:path ( ex:q [ sh:inversePath ex:r ] ) ; sh:minCount 1 ; sh:message 'empty' ; sh:severity sh:Warning ."
            " ex:Q sh:path ex:p ; sh:in ( 'x'@en <urn:y> 2 ) ; sh:message 'other' ."
        )
        self.assertEqual(
            validate(DATA, shacl_graph=shapes)[2],
            "Validation Report\n"
            "Conforms: False\n"
            "Results (2):\n"
            "Constraint Violation in InConstraintComponent (http://www.w3.org/ns/shacl#InConstraintComponent):\n"
            "\tSeverity: sh:Violation\n"
            "\tSource Shape: ex:Q\n"
            "\tFocus Node: ex:a\n"
            '\tValue Node: Literal("1", datatype=xsd:integer)\n'
            "\tResult Path: ex:p\n"
            "\tMessage: other\n"
            "Validation Result in MinCountConstraintComponent (http://www.w3.org/ns/shacl#MinCountConstraintComponent):\n"
            "\tSeverity: sh:Warning\n"
            "\tSource Shape: ex:P\n"
            "\tFocus Node: ex:a\n"
            "\tResult Path: ( ex:q [ sh:inversePath ex:r ] )\n"
            "\tMessage: empty\n",
        )

    def test_blank_nodes_are_described(self):
        data = PREFIXES + "ex:a a ex:T ; ex:p [ ex:q 1 , [ ex:q 2 ] ] , [ ex:q ( 1 'x' ) ] , 3 ."
        shapes = PREFIXES + (
            "ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ; sh:nodeKind sh:Literal ; sh:message 'other' ] ."
        )
        _, graph, text = validate(data, shacl_graph=shapes)
        self.assertEqual(text.count("\tSource Shape: [ sh:message Literal(\"other\") ; sh:nodeKind sh:Literal ; sh:path ex:p ]\n"), 2)
        self.assertIn('\tValue Node: [ ex:q ( Literal("1", datatype=xsd:integer) Literal("x") ) ]\n', text)
        self.assertIn(
            "\tValue Node: [ ex:q"
            ' Literal("1", datatype=xsd:integer), [ ex:q Literal("2", datatype=xsd:integer) ] ]\n',
            text,
        )
        # Both results are about one shape.
        self.assertEqual(len(set(graph.objects(None, SH.sourceShape))), 1)
        self.assertEqual(len(list(graph.triples((None, SH.path, None)))), 1)
        # The data and the shapes may have the same labels.
        _, graph, _ = validate(data.replace("[ ex:q 1 ,", "[ ex:q 5 ,"), shacl_graph=data + shapes.removeprefix(PREFIXES))
        values = {number for value in graph.objects(None, SH.value) for number in graph.objects(value, None)}
        self.assertIn(rdflib.Literal(5), values)
        self.assertNotIn(rdflib.Literal(1), values)

    def test_the_text_does_not_depend_on_the_order(self):
        texts = {validate(PREFIXES + data, shacl_graph=SHAPES)[2] for data in (
            "ex:a a ex:T ; ex:p 1 , 2 . ex:b a ex:T ; ex:p 1 , 2 .",
            "ex:b a ex:T ; ex:p 2 , 1 . ex:a a ex:T ; ex:p 2 , 1 .",
        )}
        self.assertEqual(len(texts), 1)

    def test_results_of_a_nested_shape_are_details(self):
        shapes = PREFIXES + "ex:N sh:targetNode ex:a ; sh:node ex:S . ex:S a sh:NodeShape ; sh:property [ sh:path ex:p ; sh:maxCount 1 ] ."
        text = validate(DATA, shacl_graph=shapes)[2]
        self.assertIn("Results (1):\nConstraint Violation in NodeConstraintComponent", text)
        self.assertIn("\tDetails:\n\t\tConstraint Violation in MaxCountConstraintComponent", text)


unittest.main()
