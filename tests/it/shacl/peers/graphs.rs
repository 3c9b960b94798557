//! The graphs of a question, in the text of terms that violations have, as classes of differences look at them.

use super::violations::text;
use crate::generated::shaped_data::{RDF, RDFS};
use crate::generated::shapes::SH;
use oxttl::NTriplesParser;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Objects by subject and predicate.
type Graph = BTreeMap<(String, String), Vec<String>>;

/// Parameters whose values are shapes, or lists of them.
const OF_SHAPES: [&str; 7] = ["not", "and", "or", "xone", "node", "property", "qualifiedValueShape"];

pub(crate) struct Graphs {
    data: Graph,
    shapes: Graph,
}

impl Graphs {
    pub(crate) fn of(question: &Value) -> Self {
        let graph = |key: &str| {
            let mut graph = Graph::new();
            for triple in
                NTriplesParser::new().for_slice(question[key].as_str().expect("a question has graphs"))
            {
                let triple = triple.expect("a question is N-Triples");
                let key = (text(&triple.subject.into()), triple.predicate.as_str().to_owned());
                graph.entry(key).or_default().push(text(&triple.object));
            }
            graph
        };
        Self { data: graph("data"), shapes: graph("shapes") }
    }

    /// The values of a property of SHACL.
    pub(crate) fn parameter(&self, shape: &str, name: &str) -> &[String] {
        objects(&self.shapes, shape, &format!("{SH}{name}"))
    }

    /// The names of the properties of SHACL that a shape has.
    pub(crate) fn parameters(&self, shape: &str) -> Vec<&str> {
        let of_shape = self.shapes.keys().filter(|(subject, _)| subject == shape);
        of_shape.filter_map(|(_, predicate)| predicate.strip_prefix(SH)).collect()
    }

    /// The members of a list of the shapes.
    pub(crate) fn list(&self, head: &str) -> Vec<&str> {
        let (mut members, mut node) = (Vec::new(), head);
        while let [member] = objects(&self.shapes, node, &format!("{RDF}first")) {
            members.push(member.as_str());
            node = objects(&self.shapes, node, &format!("{RDF}rest")).first().map_or("", String::as_str);
        }
        members
    }

    /// The shapes within a shape, itself left out.
    pub(crate) fn inner(&self, shape: &str) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        let mut next = self.directly_inner(shape);
        while let Some(inner) = next.pop() {
            if !found.contains(&inner) {
                found.push(inner);
                next.extend(self.directly_inner(inner));
            }
        }
        found
    }

    fn directly_inner(&self, shape: &str) -> Vec<&str> {
        let values = OF_SHAPES.iter().flat_map(|name| self.parameter(shape, name));
        let mut found: Vec<&str> =
            values.flat_map(|value| [vec![value.as_str()], self.list(value)].concat()).collect();
        // The siblings of a qualified value shape decide with it.
        let is_qualified = !self.parameter(shape, "qualifiedValueShape").is_empty();
        let property = format!("{SH}property");
        for ((_, predicate), properties) in &self.shapes {
            if is_qualified && *predicate == property && properties.iter().any(|one| one == shape) {
                let siblings = properties.iter().flat_map(|one| self.parameter(one, "qualifiedValueShape"));
                found.extend(siblings.map(String::as_str));
            }
        }
        found
    }

    /// The nodes that a path is made of.
    pub(crate) fn path_nodes(&self, shape: &str) -> Vec<&str> {
        let mut nodes: Vec<&str> = self.parameter(shape, "path").iter().map(String::as_str).collect();
        let mut next = 0;
        while let Some(node) = nodes.get(next).copied() {
            next += 1;
            let of_node =
                self.shapes.iter().filter(|((subject, _), _)| subject == node && node.starts_with("_:"));
            nodes.extend(of_node.flat_map(|(_, objects)| objects).map(String::as_str));
        }
        nodes
    }

    /// The objects of a predicate in the data.
    pub(crate) fn data_objects(&self, predicate: &str) -> Vec<&str> {
        let of = self.data.iter().filter(|((_, known), _)| format!("<{known}>") == predicate);
        of.flat_map(|(_, objects)| objects).map(String::as_str).collect()
    }

    /// Returns whether a class of the data is a subclass of itself.
    pub(crate) fn has_subclasses_in_circles(&self) -> bool {
        let predicate = format!("{RDFS}subClassOf");
        self.data.keys().filter(|(_, known)| *known == predicate).any(|(class, _)| {
            let mut above: Vec<&String> = objects(&self.data, class, &predicate).iter().collect();
            let mut next = 0;
            while let Some(other) = above.get(next).copied() {
                next += 1;
                for more in objects(&self.data, other, &predicate) {
                    if !above.contains(&more) {
                        above.push(more);
                    }
                }
            }
            above.contains(&class)
        })
    }

    /// The nodes of the data, and those that shapes choose.
    pub(crate) fn nodes(&self) -> BTreeSet<&str> {
        let target = format!("{SH}targetNode");
        let targets = self.shapes.iter().filter(|((_, predicate), _)| *predicate == target);
        let subjects = self.data.keys().map(|(subject, _)| subject);
        let objects = self.data.values().chain(targets.map(|(_, objects)| objects)).flatten();
        subjects.chain(objects).map(String::as_str).collect()
    }
}

fn objects<'g>(graph: &'g Graph, subject: &str, predicate: &str) -> &'g [String] {
    graph.get(&(subject.to_owned(), predicate.to_owned())).map_or(&[], Vec::as_slice)
}
