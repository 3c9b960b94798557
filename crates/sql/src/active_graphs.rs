//! GRAPH, FROM and FROM NAMED as sources of rows (SPARQL 1.1, section 13).

use std::collections::BTreeMap;

use oxrdf::{NamedNode, Term};
use spargebra::algebra::GraphPattern;
use spargebra::term::NamedNodePattern;

use super::sql_refusal::SqlRefusal;
use super::sql_relation::{RelationVariable, SqlRelation, select_list};
use super::sql_value::{SqlValue, number};
use super::translator::{ActiveGraph, SqlTranslator};
use super::value_kinds::ValueKinds;
use evalgraph_rdf::minted::{CATALOG_GRAPH, DOCUMENTS_GRAPH, SHAPES_GRAPH};
use evalgraph_store::term_number;

/// The columns of a quad without its graph.
const QUAD_COLUMNS: &str = "s_id, s, s_type, p_id, p, o_id, o, o_type, o_num, o_dbl, o_bool, o_us, o_zoned";

impl SqlTranslator<'_> {
    /// The source of quads of the active graph as `FROM` and conditions, with the column that tells graphs apart.
    pub(crate) fn source(&mut self) -> (String, Vec<String>) {
        let chosen = |graphs: &[NamedNode]| {
            let numbers: Vec<String> =
                graphs.iter().map(|graph| number(term_number(&graph.clone().into()))).collect();
            if numbers.is_empty() {
                "FALSE".to_owned()
            } else {
                format!("t.g_id IN ({})", numbers.join(", "))
            }
        };
        match (&self.graph, &self.dataset) {
            (ActiveGraph::Default, None) => ("triples AS t".to_owned(), Vec::new()),
            (ActiveGraph::Default, Some(dataset)) => match dataset.default.as_slice() {
                graphs @ ([] | [_]) => ("quads AS t".to_owned(), vec![chosen(graphs)]),
                graphs => {
                    let condition = chosen(graphs);
                    let name = match &self.default_graph {
                        Some(name) => name.clone(),
                        None => {
                            let text =
                                format!("SELECT DISTINCT {QUAD_COLUMNS} FROM quads AS t WHERE {condition}");
                            let name = self.table("default_graph", Some("FROM"), text);
                            self.default_graph = Some(name.clone());
                            name
                        }
                    };
                    (format!("{name} AS t"), Vec::new())
                }
            },
            (ActiveGraph::Named(graph), dataset) => {
                let is_in_dataset = match dataset {
                    None => true,
                    Some(dataset) => dataset.named.as_ref().is_some_and(|named| named.contains(graph)),
                };
                let condition =
                    if is_in_dataset { chosen(std::slice::from_ref(graph)) } else { "FALSE".to_owned() };
                ("quads AS t".to_owned(), vec![condition])
            }
            (ActiveGraph::Each(_), _) => {
                let condition = self.named_graphs("t.g_id");
                ("quads AS t".to_owned(), vec![condition])
            }
        }
    }

    /// A condition on the number of a graph: that `GRAPH ?g` matches it.
    pub(crate) fn named_graphs(&self, column: &str) -> String {
        match &self.dataset {
            None => {
                let graph_number = |graph: &str| number(term_number(&NamedNode::new_unchecked(graph).into()));
                let beside = [CATALOG_GRAPH, DOCUMENTS_GRAPH, SHAPES_GRAPH].map(graph_number);
                format!("{column} NOT IN ({})", beside.join(", "))
            }
            Some(dataset) => {
                let named = dataset.named.as_deref().unwrap_or_default();
                let numbers: Vec<String> =
                    named.iter().map(|graph| number(term_number(&graph.clone().into()))).collect();
                if numbers.is_empty() {
                    "FALSE".to_owned()
                } else {
                    format!("{column} IN ({})", numbers.join(", "))
                }
            }
        }
    }

    /// Adds the active graph to solutions that do not depend on it.
    pub(crate) fn in_each_graph(&mut self, relation: SqlRelation) -> SqlRelation {
        match &self.graph {
            ActiveGraph::Each(graph) if !relation.has(graph) => {
                let unit = self.unit();
                self.join(&relation, &unit)
            }
            _ => relation,
        }
    }

    pub(crate) fn graph(
        &mut self,
        name: &NamedNodePattern,
        inner: &GraphPattern,
    ) -> Result<SqlRelation, SqlRefusal> {
        let (own, variable) = match name {
            NamedNodePattern::NamedNode(graph) => (ActiveGraph::Named(graph.clone()), None),
            NamedNodePattern::Variable(variable) => {
                (ActiveGraph::Each(format!("graph:{}", self.fresh())), Some(variable.as_str()))
            }
        };
        let outer = std::mem::replace(&mut self.graph, own);
        let inner = self.pattern(inner);
        let own = std::mem::replace(&mut self.graph, outer);
        let mut inner = inner?;
        if let (ActiveGraph::Named(graph), true) = (&own, inner.variables.is_empty()) {
            // A graph that does not exist has no solution, even without triples.
            let node: Term = graph.clone().into();
            let text = format!(
                "SELECT i.*\nFROM {} AS i\nWHERE EXISTS (SELECT 1 FROM graphs AS g WHERE g.g_id = {})",
                inner.table,
                number(term_number(&node))
            );
            inner.table = self.table("graph", Some("GRAPH"), text);
        }
        if let (ActiveGraph::Each(graph), Some(variable)) = (&own, variable) {
            inner = self.named_graph(&inner, graph, variable);
        }
        Ok(self.in_each_graph(inner))
    }

    /// Binds the variable of GRAPH.
    pub(crate) fn named_graph(&mut self, inner: &SqlRelation, graph: &str, variable: &str) -> SqlRelation {
        let dialect = self.dialect;
        let number = self.value_of(inner, "i", graph).number.unwrap_or_default();
        let of_graph = SqlValue {
            kinds: ValueKinds::IRI,
            number: Some("g.g_id".to_owned()),
            text: "g.g".to_owned(),
            type_name: "'iri'".to_owned(),
            is_certain: true,
            ..SqlValue::absent(dialect)
        };
        let mut conditions = vec![format!("g.g_id = {number}")];
        let mut columns = Vec::new();
        let mut variables = BTreeMap::new();
        for (known, own) in &inner.variables {
            if known == graph {
                continue;
            }
            let value = self.value_of(inner, "i", known);
            if known == variable {
                conditions.push(self.compatible(known, &value, &of_graph));
                continue;
            }
            columns.extend(self.columns_of(known, &value, own.kinds));
            variables.insert(known.clone(), *own);
        }
        columns.extend(self.columns_of(variable, &of_graph, ValueKinds::IRI));
        variables.insert(variable.to_owned(), RelationVariable::from_value(&of_graph));
        let text = format!(
            "SELECT {}\nFROM {} AS i\nJOIN graphs AS g ON {}",
            select_list(&columns),
            inner.table,
            conditions.join(" AND ")
        );
        SqlRelation { table: self.table("graph", Some("GRAPH"), text), variables }
    }
}
