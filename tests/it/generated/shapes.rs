//! Shapes of SHACL 1.0: every component of Core, paths of every kind, shapes within shapes, constraints in SPARQL. A graph of
//! them is well formed, and no shape refers to itself.

use super::choices::Choices;
use super::shaped_data::{CLASSES, NODES, PREDICATES, RDF, RDFS, literal};
use std::collections::BTreeSet;

pub(crate) const SH: &str = "http://www.w3.org/ns/shacl#";
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// How deep shapes stand in shapes.
const MOST_DEPTH: usize = 3;

/// Parameters with a value that is not a shape.
const PLAIN: [&str; 15] = [
    "class",
    "datatype",
    "nodeKind",
    "minExclusive",
    "minInclusive",
    "maxExclusive",
    "maxInclusive",
    "minLength",
    "maxLength",
    "pattern",
    "languageIn",
    "equals",
    "disjoint",
    "hasValue",
    "in",
];
/// Those that a shape without a path may not have.
const OF_PATHS: [&str; 5] = ["minCount", "maxCount", "uniqueLang", "lessThan", "lessThanOrEquals"];
/// Those that a shape may have several times.
const SEVERAL: [&str; 4] = ["class", "equals", "disjoint", "hasValue"];
/// Parameters with shapes; `siblings` are properties with qualified value shapes.
const WITH_SHAPES: [&str; 8] = ["not", "and", "or", "xone", "node", "property", "property", "siblings"];

/// Parts of the pattern of a constraint in SPARQL, after one that binds `?value`.
const PARTS: [&str; 12] = [
    "FILTER (isLiteral(?value))",
    "FILTER (isIRI(?value) && ?value != $this)",
    "FILTER (datatype(?value) != <http://www.w3.org/2001/XMLSchema#integer>)",
    "FILTER NOT EXISTS { ?value a <e:C> }",
    "FILTER EXISTS { $this <e:q> ?other . FILTER (?other != ?value) }",
    "OPTIONAL { ?value a ?class } FILTER (!BOUND(?class))",
    "$this <e:r> ?other . FILTER (?other = ?value)",
    "?value <e:q>|<e:s> ?other .",
    "{ $this <e:q> ?more } UNION { ?value <e:r> ?more }",
    "BIND (STR($this) AS ?text) FILTER (STRLEN(?text) > 3)",
    "$this a/<http://www.w3.org/2000/01/rdf-schema#subClassOf>* ?class . FILTER (?class != <e:C>)",
    "{ SELECT $this (COUNT(?each) AS ?count) WHERE { $this <e:p> ?each } GROUP BY $this } FILTER (?count > 1)",
];

/// The lines of a shapes graph in N-Triples.
pub(crate) fn lines(choices: &mut Choices<'_>) -> Vec<String> {
    let with_sparql = choices.once_in(5);
    let mut drawing = Drawing { choices, with_sparql, lines: BTreeSet::new(), named: Vec::new() };
    for number in 0..1 + drawing.choices.below(3) {
        drawing.root(number);
    }
    drawing.lines.into_iter().collect()
}

/// A shapes graph that is being drawn.
struct Drawing<'d, 'c> {
    choices: &'d mut Choices<'c>,
    with_sparql: bool,
    lines: BTreeSet<String>,
    /// Shapes that are whole and have a name, with whether they have a path.
    named: Vec<(String, bool)>,
}

impl Drawing<'_, '_> {
    fn say(&mut self, subject: &str, predicate: &str, object: &str) {
        self.lines.insert(format!("{subject} <{predicate}> {object} ."));
    }

    fn sh(&mut self, subject: &str, name: &str, object: &str) {
        self.say(subject, &format!("{SH}{name}"), object);
    }

    fn blank(&mut self) -> String {
        format!("_:s{}", self.choices.fresh())
    }

    /// A shape with targets.
    fn root(&mut self, number: usize) {
        let has_path = self.choices.once_in(3);
        let kind = if has_path { "PropertyShape" } else { "NodeShape" };
        let is_class = self.choices.once_in(8);
        let node = if is_class { CLASSES[number].to_owned() } else { format!("<e:S{number}>") };
        self.say(&node, &format!("{RDF}type"), &format!("<{SH}{kind}>"));
        if is_class {
            self.say(&node, &format!("{RDF}type"), &format!("<{RDFS}Class>"));
        }
        for _ in 0..1 + self.choices.below(2) {
            let target =
                self.choices.pick(&["targetClass", "targetSubjectsOf", "targetObjectsOf", "targetNode"]);
            let value = match target {
                "targetClass" => self.choices.pick(&CLASSES).to_owned(),
                "targetNode" => self.term(),
                _ => self.choices.pick(&PREDICATES).to_owned(),
            };
            self.sh(&node, target, &value);
        }
        self.shape(&node, has_path, 0);
    }

    /// The path, the characteristics and the constraints of a shape.
    fn shape(&mut self, node: &str, has_path: bool, depth: usize) {
        if has_path {
            let path = self.path(0);
            self.sh(node, "path", &path);
        }
        if self.choices.once_in(6) {
            let own = "<e:Severity>".to_owned();
            let severity = self.choices.pick(&["Info", "Warning", "Violation", ""]);
            let severity = if severity.is_empty() { own } else { format!("<{SH}{severity}>") };
            self.sh(node, "severity", &severity);
        }
        if self.choices.once_in(15) {
            let value = self.choices.pick(&["true", "true", "false"]);
            self.sh(node, "deactivated", &boolean(value));
        }
        let mut used = BTreeSet::new();
        for _ in 0..1 + self.choices.below(3) {
            self.constraint(node, has_path, depth, &mut used);
        }
    }

    fn constraint(&mut self, node: &str, has_path: bool, depth: usize, used: &mut BTreeSet<&'static str>) {
        if self.with_sparql && self.choices.once_in(4) {
            self.sparql(node, has_path);
            return;
        }
        if depth < MOST_DEPTH && self.choices.below(5) < 2 {
            let name = self.choices.pick(&WITH_SHAPES);
            self.with_shapes(node, name, depth);
            return;
        }
        if self.choices.once_in(10) && used.insert("closed") {
            self.closed(node);
            return;
        }
        let name = if has_path && self.choices.once_in(3) {
            self.choices.pick(&OF_PATHS)
        } else {
            self.choices.pick(&PLAIN)
        };
        if SEVERAL.contains(&name) || used.insert(name) {
            let value = self.value(name);
            self.sh(node, name, &value);
            if name == "pattern" && self.choices.once_in(4) {
                let flags = self.choices.pick(&["\"i\"", "\"s\"", "\"m\"", "\"x\""]);
                self.sh(node, "flags", flags);
            }
        }
    }

    fn value(&mut self, name: &str) -> String {
        match name {
            "class" => self.choices.pick(&CLASSES).to_owned(),
            "datatype" => self.datatype(),
            "nodeKind" => {
                let kinds =
                    ["IRI", "BlankNode", "Literal", "BlankNodeOrIRI", "BlankNodeOrLiteral", "IRIOrLiteral"];
                format!("<{SH}{}>", self.choices.pick(&kinds))
            }
            "minCount" | "maxCount" | "minLength" | "maxLength" => integer(self.choices.below(4)),
            "uniqueLang" => boolean("true"),
            "pattern" => {
                let patterns =
                    ["^a", "b$", "^[0-9]+$", "e:", "A", ".", "^$", "c.d", "c$", "^\\\\w+$", "^.{2}$"];
                format!("\"{}\"", self.choices.pick(&patterns))
            }
            "languageIn" => {
                let count = 1 + self.choices.below(2);
                let ranges = (0..count)
                    .map(|_| format!("\"{}\"", self.choices.pick(&["en", "de", "en-GB", "EN", "*"])));
                let ranges = ranges.collect();
                self.list(ranges)
            }
            "in" => {
                let count = self.choices.below(5);
                let items = (0..count).map(|_| self.term()).collect();
                self.list(items)
            }
            "hasValue" => self.term(),
            "equals" | "disjoint" | "lessThan" | "lessThanOrEquals" => {
                self.choices.pick(&PREDICATES).to_owned()
            }
            _ => literal(self.choices),
        }
    }

    fn datatype(&mut self) -> String {
        let names =
            ["integer", "string", "boolean", "decimal", "double", "date", "dateTime", "byte", "hexBinary"];
        match self.choices.below(names.len() + 2) {
            0 => format!("<{RDF}langString>"),
            1 => "<e:datatype>".to_owned(),
            place => format!("<{XSD}{}>", names[place - 2]),
        }
    }

    /// An IRI or a literal.
    fn term(&mut self) -> String {
        match self.choices.below(5) {
            0 | 1 => literal(self.choices),
            2 => self.choices.pick(&CLASSES).to_owned(),
            _ => self.choices.pick(&NODES[..5]).to_owned(),
        }
    }

    fn closed(&mut self, node: &str) {
        self.sh(node, "closed", &boolean("true"));
        if self.choices.once_in(2) {
            let ignored = vec![format!("<{RDF}type>"), self.choices.pick(&PREDICATES).to_owned()];
            let ignored = self.list(ignored);
            self.sh(node, "ignoredProperties", &ignored);
        }
    }

    fn sparql(&mut self, node: &str, has_path: bool) {
        let first = if has_path && self.choices.once_in(2) {
            "$PATH"
        } else {
            self.choices.pick(&["<e:p>", "<e:q>", "<e:p>/<e:q>", "^<e:r>"])
        };
        let parts: BTreeSet<_> = (0..1 + self.choices.below(2)).map(|_| self.choices.pick(&PARTS)).collect();
        let parts = parts.into_iter().collect::<Vec<_>>().join(" ");
        let selected = self.choices.pick(&["$this", "$this ?value", "$this ?value (<e:q> AS ?path)"]);
        let text = format!("SELECT DISTINCT {selected} WHERE {{ $this {first} ?value . {parts} }}");
        let constraint = self.blank();
        self.sh(&constraint, "select", &format!("\"{text}\""));
        self.sh(node, "sparql", &constraint);
    }

    fn with_shapes(&mut self, node: &str, name: &str, depth: usize) {
        match name {
            "and" | "or" | "xone" => {
                let count = 1 + self.choices.below(3);
                let members = (0..count).map(|_| self.inner(depth)).collect();
                let members = self.list(members);
                self.sh(node, name, &members);
            }
            "property" => {
                let property = self.blank();
                self.shape(&property, true, depth + 1);
                self.sh(node, "property", &property);
            }
            "siblings" => {
                let path = self.path(1);
                for _ in 0..1 + self.choices.below(3) {
                    self.qualified(node, &path, depth);
                }
            }
            "node" => {
                let inner = self.inner_of(false, depth);
                self.sh(node, name, &inner);
            }
            _ => {
                let inner = self.inner(depth);
                self.sh(node, name, &inner);
            }
        }
    }

    /// A property with a qualified value shape.
    fn qualified(&mut self, node: &str, path: &str, depth: usize) {
        let property = self.blank();
        self.sh(node, "property", &property);
        self.sh(&property, "path", path);
        let inner = self.inner(depth + 1);
        self.sh(&property, "qualifiedValueShape", &inner);
        let bound = self.choices.pick(&["qualifiedMinCount", "qualifiedMaxCount"]);
        let count = integer(self.choices.below(3));
        self.sh(&property, bound, &count);
        if self.choices.below(3) > 0 {
            self.sh(&property, "qualifiedValueShapesDisjoint", &boolean("true"));
        }
    }

    /// A shape that another one refers to, with or without a path.
    fn inner(&mut self, depth: usize) -> String {
        let has_path = self.choices.once_in(3);
        self.inner_of(has_path, depth)
    }

    fn inner_of(&mut self, has_path: bool, depth: usize) -> String {
        let known: Vec<_> = self.named.iter().filter(|(_, with_path)| *with_path == has_path).collect();
        if !known.is_empty() && self.choices.once_in(6) {
            return known[self.choices.below(known.len())].0.clone();
        }
        let is_named = self.choices.once_in(4);
        let node = if is_named { format!("<e:s{}>", self.choices.fresh()) } else { self.blank() };
        self.shape(&node, has_path, depth + 1);
        if is_named {
            self.named.push((node.clone(), has_path));
        }
        node
    }

    fn path(&mut self, depth: usize) -> String {
        if depth > 2 || self.choices.below(3) < 2 {
            return self.choices.pick(&PREDICATES).to_owned();
        }
        let kinds = [
            "sequence",
            "inversePath",
            "alternativePath",
            "zeroOrMorePath",
            "oneOrMorePath",
            "zeroOrOnePath",
        ];
        let kind = self.choices.pick(&kinds);
        if kind == "sequence" || kind == "alternativePath" {
            let count = 2 + self.choices.below(2);
            let members = (0..count).map(|_| self.path(depth + 1)).collect();
            let members = self.list(members);
            if kind == "sequence" {
                return members;
            }
            let node = self.blank();
            self.sh(&node, kind, &members);
            return node;
        }
        let (node, inner) = (self.blank(), self.path(depth + 1));
        self.sh(&node, kind, &inner);
        node
    }

    fn list(&mut self, items: Vec<String>) -> String {
        let mut head = format!("<{RDF}nil>");
        for item in items.into_iter().rev() {
            let node = self.blank();
            self.say(&node, &format!("{RDF}first"), &item);
            self.say(&node, &format!("{RDF}rest"), &head);
            head = node;
        }
        head
    }
}

fn integer(value: usize) -> String {
    format!("\"{value}\"^^<{XSD}integer>")
}

fn boolean(value: &str) -> String {
    format!("\"{value}\"^^<{XSD}boolean>")
}
