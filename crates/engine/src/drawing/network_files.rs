//! Writes a network for programs that draw: Graphviz, GraphML (Gephi, yEd, NetworkX), and Cytoscape.js.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::network::StatementNetwork;
use super::picture::brief;
use evalgraph_diagnostics::markup::escaped;

/// The forms of networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFormat {
    /// The DOT language of Graphviz.
    Dot,
    /// GraphML.
    GraphMl,
    /// The JSON of Cytoscape.js: `elements` with `nodes` and `edges`.
    Cytoscape,
}

impl NetworkFormat {
    /// All forms.
    pub const ALL: [Self; 3] = [Self::Dot, Self::GraphMl, Self::Cytoscape];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dot => "dot",
            Self::GraphMl => "graphml",
            Self::Cytoscape => "cytoscape",
        }
    }
}

impl StatementNetwork {
    /// Returns the network in a form.
    pub fn to_text(&self, format: NetworkFormat) -> String {
        match format {
            NetworkFormat::Dot => self.to_dot(),
            NetworkFormat::GraphMl => self.to_graphml(),
            NetworkFormat::Cytoscape => format!("{:#}\n", self.to_cytoscape()),
        }
    }

    fn to_dot(&self) -> String {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let mut dot = String::from("digraph statements {\n  node [fontname=\"sans-serif\"];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let shape = match node.kind {
                super::network::NetworkNodeKind::Iri => "ellipse",
                super::network::NetworkNodeKind::Blank => "point",
                super::network::NetworkNodeKind::Literal => "box",
            };
            let (label, text) = (quoted(&brief(&node.label, 60)), quoted(&brief(&node.text, 600)));
            // Writing to a string does not fail.
            let _ = writeln!(dot, "  n{number} [label=\"{label}\", tooltip=\"{text}\", shape={shape}];");
        }
        for edge in &self.edges {
            let _ = writeln!(dot, "  n{} -> n{} [label=\"{}\"];", edge.from, edge.to, quoted(&edge.label));
        }
        dot.push_str("}\n");
        dot
    }

    fn to_graphml(&self) -> String {
        let mut xml = String::from(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
        );
        for (id, holder) in
            [("label", "node"), ("text", "node"), ("kind", "node"), ("property", "edge"), ("iri", "edge")]
        {
            let _ = writeln!(
                xml,
                "  <key id=\"{id}\" for=\"{holder}\" attr.name=\"{id}\" attr.type=\"string\"/>"
            );
        }
        xml.push_str("  <graph edgedefault=\"directed\">\n");
        let allowed = |text: &str| -> String {
            let is_allowed = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
            escaped(&text.chars().filter(is_allowed).collect::<String>())
        };
        for (number, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(
                xml,
                "    <node id=\"n{number}\"><data key=\"label\">{}</data><data key=\"text\">{}</data>\
                 <data key=\"kind\">{}</data></node>",
                allowed(&node.label),
                allowed(&node.text),
                node.kind.name()
            );
        }
        for edge in &self.edges {
            let _ = writeln!(
                xml,
                "    <edge source=\"n{}\" target=\"n{}\"><data key=\"property\">{}</data>\
                 <data key=\"iri\">{}</data></edge>",
                edge.from,
                edge.to,
                allowed(&edge.label),
                allowed(&edge.properties.join(" "))
            );
        }
        xml.push_str("  </graph>\n</graphml>\n");
        xml
    }

    fn to_cytoscape(&self) -> Value {
        let node = |(number, node): (usize, &super::network::NetworkNode)| {
            json!({"data": {
                "id": format!("n{number}"), "label": node.label, "text": node.text, "kind": node.kind.name(),
            }})
        };
        let edge = |(number, edge): (usize, &super::network::NetworkEdge)| {
            json!({"data": {
                "id": format!("e{number}"), "source": format!("n{}", edge.from), "target": format!("n{}", edge.to),
                "label": edge.label, "properties": edge.properties,
            }})
        };
        json!({"elements": {
            "nodes": self.nodes.iter().enumerate().map(node).collect::<Vec<_>>(),
            "edges": self.edges.iter().enumerate().map(edge).collect::<Vec<_>>(),
        }})
    }
}
