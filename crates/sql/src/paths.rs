//! Property paths as tables of pairs (SPARQL 1.1, sections 9 and 18.4).

use std::collections::BTreeMap;

use oxrdf::{NamedNode, Term};
use spargebra::algebra::PropertyPathExpression;
use spargebra::term::TermPattern;

use super::dialect::SqlDialect;
use super::pattern_variables::{constant_of, variable_of};
use super::sql_refusal::SqlRefusal;
use super::sql_relation::{RelationVariable, SqlRelation, select_list};
use super::sql_value::{SqlValue, ValuePart, number};
use super::translator::{ActiveGraph, SqlTranslator};
use super::value_kinds::ValueKinds;
use super::variable_uses::{PATH_END, PATH_START};
use evalgraph_store::term_number;

/// The ends of a path that are constants.
struct PathEnds {
    start: Option<Term>,
    end: Option<Term>,
}

impl SqlTranslator<'_> {
    /// The solutions of a path pattern.
    pub(crate) fn path(
        &mut self,
        subject: &TermPattern,
        path: &PropertyPathExpression,
        object: &TermPattern,
    ) -> Result<SqlRelation, SqlRefusal> {
        let ends = PathEnds { start: constant_of(subject), end: constant_of(object) };
        let pairs = self.pairs(path, &ends)?;
        let (start, end) = (self.value_of(&pairs, "p", PATH_START), self.value_of(&pairs, "p", PATH_END));
        let mut conditions = Vec::new();
        let mut found: BTreeMap<String, SqlValue> = BTreeMap::new();
        for (term, value) in [(subject, start), (object, end)] {
            if let Some(constant) = constant_of(term) {
                let constant = SqlValue::from_term(&constant, self.dialect)?;
                for part in [ValuePart::Number, ValuePart::Text, ValuePart::Type] {
                    if let (Some(column), Some(constant)) = (value.part(part), constant.part(part)) {
                        conditions.push(format!("{column} = {constant}"));
                    }
                }
            } else if let Some(variable) = variable_of(term) {
                if let Some(known) = found.get(&variable) {
                    conditions.push(self.same(PATH_START, known, &value));
                } else {
                    found.insert(variable, value);
                }
            }
        }
        if let ActiveGraph::Each(graph) = self.graph.clone() {
            let value = self.value_of(&pairs, "p", &graph);
            found.insert(graph, value);
        }
        let (mut columns, mut variables) = (Vec::new(), BTreeMap::new());
        for (variable, value) in &found {
            columns.extend(self.columns_of(variable, value, value.kinds));
            variables.insert(variable.clone(), RelationVariable::from_value(value));
        }
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!("\nWHERE {}", conditions.join(" AND ")),
        };
        let text = format!("SELECT {}\nFROM {} AS p{conditions}", select_list(&columns), pairs.table);
        Ok(SqlRelation { table: self.table("path", None, text), variables })
    }

    /// The pairs of terms that a path connects.
    fn pairs(&mut self, path: &PropertyPathExpression, ends: &PathEnds) -> Result<SqlRelation, SqlRefusal> {
        match path {
            PropertyPathExpression::NamedNode(predicate) => Ok(self.step(predicate)),
            PropertyPathExpression::NegatedPropertySet(predicates) => {
                let texts: Vec<String> =
                    predicates.iter().map(|predicate| self.dialect.text(predicate.as_str())).collect();
                let condition = match texts.is_empty() {
                    true => "TRUE".to_owned(),
                    false => format!("t.p NOT IN ({})", texts.join(", ")),
                };
                let steps = self.steps(vec![condition], None);
                Ok(self.each_once(steps))
            }
            PropertyPathExpression::Reverse(inner) => {
                let ends = PathEnds { start: ends.end.clone(), end: ends.start.clone() };
                let pairs = self.pairs(inner, &ends)?;
                let (start, end) =
                    (self.value_of(&pairs, "p", PATH_START), self.value_of(&pairs, "p", PATH_END));
                Ok(self.connected("reverse", [end, start], &format!("{} AS p", pairs.table), "p", &pairs))
            }
            PropertyPathExpression::Sequence(first, second) => {
                let none = |start: Option<Term>, end: Option<Term>| PathEnds { start, end };
                let first = self.pairs(first, &none(ends.start.clone(), None))?;
                let second = self.pairs(second, &none(None, ends.end.clone()))?;
                let middle = [self.value_of(&first, "a", PATH_END), self.value_of(&second, "b", PATH_START)];
                let mut conditions = vec![self.same(PATH_START, &middle[0], &middle[1])];
                if let ActiveGraph::Each(graph) = self.graph.clone() {
                    let graphs = [self.value_of(&first, "a", &graph), self.value_of(&second, "b", &graph)];
                    conditions.push(self.same(&graph, &graphs[0], &graphs[1]));
                }
                let (start, end) =
                    (self.value_of(&first, "a", PATH_START), self.value_of(&second, "b", PATH_END));
                let source = format!(
                    "{} AS a\nJOIN {} AS b ON {}",
                    first.table,
                    second.table,
                    conditions.join(" AND ")
                );
                Ok(self.connected("sequence", [start, end], &source, "a", &first))
            }
            PropertyPathExpression::Alternative(one, other) => {
                let (one, other) = (self.pairs(one, ends)?, self.pairs(other, ends)?);
                Ok(self.either(&one, &other, "UNION ALL"))
            }
            PropertyPathExpression::ZeroOrOne(inner) => {
                let pairs = self.pairs(inner, ends)?;
                let same = self.identity(ends)?;
                Ok(self.either(&pairs, &same, "UNION"))
            }
            PropertyPathExpression::OneOrMore(inner) => self.closure(inner, ends),
            PropertyPathExpression::ZeroOrMore(inner) => {
                let pairs = self.closure(inner, ends)?;
                let same = self.identity(ends)?;
                Ok(self.either(&pairs, &same, "UNION"))
            }
        }
    }

    /// Pairs that two predicates connect are one pair.
    fn each_once(&mut self, pairs: SqlRelation) -> SqlRelation {
        let text = format!("SELECT DISTINCT *\nFROM {} AS p", pairs.table);
        SqlRelation { table: self.table("pairs", None, text), variables: pairs.variables }
    }

    fn step(&mut self, predicate: &NamedNode) -> SqlRelation {
        let node: Term = predicate.clone().into();
        let conditions = vec![
            format!("t.p_id = {}", number(term_number(&node))),
            format!("t.p = {}", self.dialect.text(predicate.as_str())),
        ];
        self.steps(conditions, Some(&format!("<{}>", predicate.as_str())))
    }

    fn steps(&mut self, mut conditions: Vec<String>, word: Option<&str>) -> SqlRelation {
        let (source, of_source) = self.source();
        conditions.splice(0..0, of_source);
        let found = BTreeMap::from([
            (PATH_START.to_owned(), subject(self.dialect)),
            (PATH_END.to_owned(), object(self.dialect)),
        ]);
        self.matched("step", word, found, &source, &conditions)
    }

    /// A table of pairs from a source, with the active graph of a relation.
    fn connected(
        &mut self,
        kind: &str,
        [start, end]: [SqlValue; 2],
        source: &str,
        alias: &str,
        relation: &SqlRelation,
    ) -> SqlRelation {
        let mut found = BTreeMap::from([(PATH_START.to_owned(), start), (PATH_END.to_owned(), end)]);
        if let ActiveGraph::Each(graph) = self.graph.clone() {
            let value = self.value_of(relation, alias, &graph);
            found.insert(graph, value);
        }
        let (mut columns, mut variables) = (Vec::new(), BTreeMap::new());
        for (variable, value) in &found {
            columns.extend(self.columns_of(variable, value, value.kinds));
            variables.insert(variable.clone(), RelationVariable::from_value(value));
        }
        let text = format!("SELECT {}\nFROM {source}", select_list(&columns));
        SqlRelation { table: self.table(kind, None, text), variables }
    }

    /// The pairs of two tables; with `UNION`, each once.
    fn either(&mut self, one: &SqlRelation, other: &SqlRelation, operator: &str) -> SqlRelation {
        let mut variables = one.variables.clone();
        for (variable, known) in &mut variables {
            if let Some(other) = other.variables.get(variable) {
                known.kinds = known.kinds | other.kinds;
            }
        }
        let mut select = |side: &SqlRelation| {
            let mut columns = Vec::new();
            for (variable, known) in &variables {
                let value = self.value_of(side, "u", variable);
                columns.extend(self.columns_of(variable, &value, known.kinds));
            }
            format!("SELECT {}\nFROM {} AS u", select_list(&columns), side.table)
        };
        let text = format!("{}\n{operator}\n{}", select(one), select(other));
        SqlRelation { table: self.table("either", None, text), variables }
    }

    /// The pairs of each node of the active graph with itself, and those of constant ends.
    fn identity(&mut self, ends: &PathEnds) -> Result<SqlRelation, SqlRefusal> {
        let dialect = self.dialect;
        let (source, conditions) = self.source();
        let conditions: Vec<&String> = conditions.iter().filter(|condition| *condition != "TRUE").collect();
        let conditions = match conditions.as_slice() {
            [] => String::new(),
            conditions => {
                let conditions: Vec<&str> = conditions.iter().map(|condition| condition.as_str()).collect();
                format!(" WHERE {}", conditions.join(" AND "))
            }
        };
        let kinds = ValueKinds::ALL;
        let graph = match &self.graph {
            ActiveGraph::Each(graph) => Some(graph.clone()),
            ActiveGraph::Default | ActiveGraph::Named(_) => None,
        };
        let of_graph = SqlValue {
            kinds: ValueKinds::IRI,
            number: Some("t.g_id".to_owned()),
            is_certain: true,
            ..SqlValue::absent(dialect)
        };
        let mut selects = Vec::new();
        let mut add = |translator: &mut Self, value: &SqlValue, source: &str| {
            let mut columns = translator.columns_of(PATH_END, value, kinds);
            columns.extend(translator.columns_of(PATH_START, value, kinds));
            if let Some(graph) = &graph {
                columns.extend(translator.columns_of(graph, &of_graph, ValueKinds::IRI));
            }
            selects.push(format!("SELECT {}{source}", columns.join(", ")));
        };
        // A node that a constant names is enough, since the other end is the same.
        if ends.start.is_none() && ends.end.is_none() {
            let source = format!("\nFROM {source}{conditions}");
            add(self, &subject(dialect), &source);
            add(self, &object(dialect), &source);
        }
        for constant in [&ends.start, &ends.end].into_iter().flatten() {
            let value = SqlValue::from_term(constant, dialect)?;
            let source = match &graph {
                None => String::new(),
                Some(_) => format!("\nFROM graphs AS t WHERE {}", self.named_graphs("t.g_id")),
            };
            add(self, &value, &source);
        }
        let text = selects.join("\nUNION\n");
        let own = RelationVariable { kinds, is_certain: true, is_canonical: false };
        let mut variables = BTreeMap::from([(PATH_START.to_owned(), own), (PATH_END.to_owned(), own)]);
        if let Some(graph) = graph {
            variables.insert(graph, RelationVariable::from_value(&of_graph));
        }
        Ok(SqlRelation { table: self.table("nodes", None, text), variables })
    }

    /// The pairs that one or more steps connect.
    fn closure(
        &mut self,
        inner: &PropertyPathExpression,
        ends: &PathEnds,
    ) -> Result<SqlRelation, SqlRefusal> {
        if self.dialect == SqlDialect::Spark {
            return self.stored_closure(inner);
        }
        let none = PathEnds { start: None, end: None };
        let steps = self.pairs(inner, &none)?;
        let start = self.column(PATH_START, ValuePart::Number);
        let end = self.column(PATH_END, ValuePart::Number);
        let graph = match self.graph.clone() {
            ActiveGraph::Each(graph) => Some(self.column(&graph, ValuePart::Number)),
            ActiveGraph::Default | ActiveGraph::Named(_) => None,
        };
        let of_graph =
            |alias: &str| graph.iter().map(|graph| format!(", {alias}.{graph}")).collect::<String>();
        let same_graph = graph.iter().map(|graph| format!(" AND c.{graph} = b.{graph}")).collect::<String>();
        let table = steps.table.clone();
        // The search begins at a constant end.
        let (seed, step) = match (&ends.start, &ends.end) {
            (Some(term), _) => (
                format!("\n  WHERE b.{start} = {}", number(term_number(term))),
                format!(
                    "SELECT c.{start}, b.{end}{}\nFROM %c AS c\nJOIN {table} AS b ON b.{start} = c.{end}{same_graph}",
                    of_graph("c")
                ),
            ),
            (None, Some(term)) => (
                format!("\n  WHERE b.{end} = {}", number(term_number(term))),
                format!(
                    "SELECT b.{start}, c.{end}{}\nFROM %c AS c\nJOIN {table} AS b ON b.{end} = c.{start}{same_graph}",
                    of_graph("c")
                ),
            ),
            (None, None) => (
                String::new(),
                format!(
                    "SELECT c.{start}, b.{end}{}\nFROM %c AS c\nJOIN {table} AS b ON b.{start} = c.{end}{same_graph}",
                    of_graph("c")
                ),
            ),
        };
        let first = format!("SELECT b.{start}, b.{end}{}\nFROM {table} AS b{seed}", of_graph("b"));
        let name =
            self.recursive_table("closure", |name| format!("{first}\nUNION\n{}", step.replace("%c", name)));
        // The other parts of the ends are those of any step.
        let (mut starts, mut ends, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for (variable, side, list) in [(PATH_START, "x", &mut starts), (PATH_END, "y", &mut ends)] {
            let value = self.value_of(&steps, "b", variable);
            list.extend(self.columns_of(variable, &value, value.kinds));
            let value = self.value_of(&steps, side, variable);
            columns.extend(self.columns_of(variable, &value, value.kinds));
        }
        if let Some(graph) = &graph {
            columns.push(format!("c.{graph}"));
        }
        let text = format!(
            "SELECT {}\nFROM {name} AS c\nJOIN (SELECT DISTINCT {} FROM {table} AS b) AS x ON x.{start} = c.{start}\nJOIN (SELECT DISTINCT {} FROM {table} AS b) AS y ON y.{end} = c.{end}",
            columns.join(", "),
            starts.join(", "),
            ends.join(", ")
        );
        Ok(SqlRelation { table: self.table("reached", None, text), variables: steps.variables })
    }

    /// The pairs of a closure that the export has, for an engine without recursion.
    fn stored_closure(&mut self, inner: &PropertyPathExpression) -> Result<SqlRelation, SqlRefusal> {
        let refusal = |why: &str| {
            SqlRefusal::new(
                format!("a path of any length is not written for Spark: {why}"),
                "ask DuckDB, or a path of one predicate without GRAPH and FROM whose closure is exported",
            )
        };
        let PropertyPathExpression::NamedNode(predicate) = inner else {
            return Err(refusal("only closures of single predicates are exported"));
        };
        if self.graph != ActiveGraph::Default || self.dataset.is_some() {
            return Err(refusal("closures are exported for the union of all graphs").at("GRAPH"));
        }
        let node: Term = predicate.clone().into();
        let number = number(term_number(&node));
        let found = BTreeMap::from([
            (PATH_START.to_owned(), subject(self.dialect)),
            (PATH_END.to_owned(), object(self.dialect)),
        ]);
        let conditions =
            vec![format!("t.p_id = {number}"), format!("t.p = {}", self.dialect.text(predicate.as_str()))];
        let pairs = self.matched("closure", None, found, "closures AS t", &conditions);
        // Without its closure, the answer would miss pairs. A condition in the WHERE of an empty table is not evaluated,
        // so it has a table of its own.
        let missing =
            self.dialect.refuse_truth(&format!("the closure of <{}> is not exported", predicate.as_str()));
        let absent = SqlValue::absent(self.dialect);
        let (mut columns, mut nulls) = (Vec::new(), Vec::new());
        for (variable, known) in &pairs.variables {
            let value = self.value_of(&pairs, "p", variable);
            columns.extend(self.columns_of(variable, &value, known.kinds));
            nulls.extend(self.columns_of(variable, &absent, known.kinds));
        }
        let count = |table: &str| format!("(SELECT count(*) AS n FROM {table} AS t WHERE t.p_id = {number})");
        let text = format!(
            "SELECT {}\nFROM {} AS p\nUNION ALL\nSELECT {}\nFROM {} AS c\nCROSS JOIN {} AS q\nWHERE CASE WHEN c.n = 0 AND q.n > 0 THEN {missing} ELSE FALSE END",
            columns.join(", "),
            pairs.table,
            nulls.join(", "),
            count("closures"),
            count("triples"),
        );
        Ok(SqlRelation { table: self.table("closure", None, text), variables: pairs.variables })
    }
}

/// The subject of a row of quads.
fn subject(dialect: SqlDialect) -> SqlValue {
    SqlValue {
        kinds: ValueKinds::IRI | ValueKinds::BLANK,
        number: Some("t.s_id".to_owned()),
        text: "t.s".to_owned(),
        type_name: "t.s_type".to_owned(),
        is_certain: true,
        ..SqlValue::absent(dialect)
    }
}

/// The object of a row of quads.
fn object(dialect: SqlDialect) -> SqlValue {
    let column = |name: &str| Some(format!("t.o_{name}"));
    SqlValue {
        kinds: ValueKinds::ALL,
        number: column("id"),
        text: "t.o".to_owned(),
        type_name: "t.o_type".to_owned(),
        exact: column("num"),
        double: column("dbl"),
        boolean: column("bool"),
        time: column("us"),
        zoned: column("zoned"),
        is_certain: true,
        ..SqlValue::absent(dialect)
    }
}
