//! Queries whose patterns are drawn from the data, so that most have an answer.

use super::choices::{Choices, drawn_for};
use super::data::{Case, Data, GRAPHS, Literals, PREDICATES, Statement, any_term};
use std::collections::BTreeMap;

/// How deep groups nest at most.
const DEEPEST: usize = 3;

const VARIABLES: [&str; 7] = ["?x", "?y", "?z", "?u", "?v", "?w", "?t"];

/// The case of a number: data, and a query about them.
pub(crate) fn case(number: u64) -> Case {
    let data = Data::draw(&mut Choices::new(&drawn_for("data", number, 400)));
    let drawn = drawn_for("query", number, 600);
    let text = Writer::new(&mut Choices::new(&drawn), &data).query();
    Case { lines: data.lines(), text, union: number.is_multiple_of(2) }
}

/// Writes groups over data; terms of the data are the same variable wherever they stand.
pub(crate) struct Writer<'w, 'c> {
    pub(crate) choices: &'w mut Choices<'c>,
    pub(crate) data: &'w Data,
    variables: BTreeMap<String, &'static str>,
}

impl<'w, 'c> Writer<'w, 'c> {
    pub(crate) fn new(choices: &'w mut Choices<'c>, data: &'w Data) -> Self {
        Self { choices, data, variables: BTreeMap::new() }
    }

    fn query(&mut self) -> String {
        let group = self.group(0);
        let text = self.query_of(&group);
        let from = match self.choices.below(12) {
            0 => "FROM <e:g>",
            1 => "FROM <e:g> FROM <e:h>",
            2 => "FROM <e:h> FROM NAMED <e:g>",
            3 => "FROM NAMED <e:g> FROM NAMED <e:nowhere>",
            _ => return text,
        };
        // The pattern is what stands last in braces.
        match text.rfind(&format!("{{ {group} }}")) {
            Some(at) => format!("{}{from} WHERE {}", text[..at].replace("WHERE", ""), &text[at..]),
            None => text,
        }
    }

    fn query_of(&mut self, group: &str) -> String {
        let mut shown: Vec<&str> = self.used();
        match self.choices.below(20) {
            0 => format!("ASK {{ {group} }}"),
            1 | 2 => {
                let (s, o) = (self.variable(), self.variable());
                let rest = self.choices.pick(&["", "_:new <e:of> ?x .", "?x ?y ?z ."]);
                format!("CONSTRUCT {{ {s} <e:new> {o} . {rest} }} WHERE {{ {group} }}")
            }
            3..6 => self.aggregated(group),
            6..9 => {
                shown.truncate(1 + self.choices.below(3));
                let (shown, order, slice) = (shown.join(" "), self.order(&shown), self.slice());
                let distinct = self.choices.pick(&["", "", "DISTINCT"]);
                format!("SELECT {distinct} {shown} {{ {group} }} ORDER BY {order} {slice}")
            }
            9 => {
                shown.truncate(2);
                format!("SELECT DISTINCT {} {{ {group} }}", shown.join(" "))
            }
            10 => {
                let expression = self.expression();
                format!("SELECT {} ({expression} AS ?n0) {{ {group} }}", shown.join(" "))
            }
            11..14 => format!("SELECT * {{ {group} }}"),
            _ => format!("SELECT {} {{ {group} }}", shown.join(" ")),
        }
    }

    fn used(&self) -> Vec<&'static str> {
        let mut used: Vec<_> = self.variables.values().copied().collect();
        used.sort_unstable();
        used.dedup();
        if used.is_empty() { vec!["?x"] } else { used }
    }

    /// A variable that stands in the query, most of the time.
    fn variable(&mut self) -> &'static str {
        let used = self.used();
        if self.choices.once_in(12) { self.choices.pick(&VARIABLES) } else { self.choices.pick(&used) }
    }

    fn variable_of(&mut self, term: &str) -> &'static str {
        if let Some(variable) = self.variables.get(term) {
            return variable;
        }
        let free: Vec<_> =
            VARIABLES.into_iter().filter(|name| self.variables.values().all(|used| used != name)).collect();
        let variable = match free.first() {
            Some(first) if !self.choices.once_in(12) => first,
            _ => self.choices.pick(&VARIABLES),
        };
        self.variables.insert(term.to_owned(), variable);
        variable
    }

    /// Subject or object of a pattern.
    fn end(&mut self, term: &str) -> String {
        match self.choices.below(40) {
            0 => "[]".to_owned(),
            1 => any_term(self.choices, Literals::No),
            2 => self.choices.pick(&VARIABLES).to_owned(),
            3..8 if !term.starts_with("_:") => term.to_owned(),
            _ => self.variable_of(term).to_owned(),
        }
    }

    /// Triple patterns, the later ones about what the earlier ones are about.
    fn triples(&mut self) -> String {
        let mut text = String::new();
        let mut last: Option<Statement> = None;
        for _ in 0..self.choices.pick(&[1, 1, 1, 2, 2, 3]) {
            let mut next = self.data.pick(self.choices);
            if let Some(last) = &last {
                for _ in 0..4 {
                    if [&next.subject, &next.object]
                        .iter()
                        .any(|&term| *term == last.subject || *term == last.object)
                    {
                        break;
                    }
                    next = self.data.pick(self.choices);
                }
            }
            let (subject, verb, object) =
                (self.end(&next.subject), self.verb(&next.predicate), self.end(&next.object));
            // A literal that the data have as an object is not a subject.
            text += &format!("{subject} {verb} {object} . ");
            last = Some(next);
        }
        text
    }

    fn verb(&mut self, predicate: &str) -> String {
        match self.choices.below(10) {
            0 => self.variable_of(predicate).to_owned(),
            1 | 2 => self.path(predicate, 0),
            _ => predicate.to_owned(),
        }
    }

    fn path(&mut self, predicate: &str, level: usize) -> String {
        let other = self.choices.pick(&PREDICATES);
        if level > 1 {
            return self.choices.pick(&[predicate, other, other]).to_owned();
        }
        match self.choices.below(12) {
            0 => format!("( {} / {} )", self.path(predicate, level + 1), self.path(other, level + 1)),
            1 | 2 => format!("( {} | {} )", self.path(predicate, level + 1), self.path(other, level + 1)),
            3 => format!("( ^ {} )", self.path(predicate, level + 1)),
            4 => format!("( {} * )", self.path(predicate, level + 1)),
            5 => format!("( {} + )", self.path(predicate, level + 1)),
            6 => format!("( {} ? )", self.path(predicate, level + 1)),
            7 => format!("! {other}"),
            8 => format!("! ( {other} | ^ {predicate} )"),
            9 => format!("! ( ^ {other} )"),
            _ => format!("( {predicate} / {other} )"),
        }
    }

    /// What stands inside the braces of a group.
    pub(crate) fn group(&mut self, level: usize) -> String {
        let mut text = match self.choices.below(14) {
            0 if level < DEEPEST => format!("{{ {} }} ", self.group(level + 1)),
            1 if level < DEEPEST => self.part(level),
            _ => self.triples(),
        };
        let parts = if level >= DEEPEST { 0 } else { self.choices.below(4 - level.min(2)) };
        for _ in 0..parts {
            text += &self.part(level);
        }
        text
    }

    fn part(&mut self, level: usize) -> String {
        let inner = level + 1;
        match self.choices.below(20) {
            0..3 => format!("OPTIONAL {{ {} }} ", self.group(inner)),
            3 | 4 => format!("{{ {} }} UNION {{ {} }} ", self.group(inner), self.group(inner)),
            5 | 6 => format!("MINUS {{ {} }} ", self.group(inner)),
            7..11 => format!("FILTER ( {} ) ", self.condition(level)),
            11 => format!("FILTER EXISTS {{ {} }} ", self.group(inner)),
            12 => format!("FILTER NOT EXISTS {{ {} }} ", self.group(inner)),
            13 | 14 => self.graph(inner),
            15 => {
                // A variable of its own; the name says that the value is computed.
                let (expression, name) = (self.expression(), self.choices.fresh());
                format!("BIND ( {expression} AS ?n{name} ) ")
            }
            16 => self.values(),
            17 | 18 => self.subquery(inner),
            _ => format!("{{ {} }} ", self.group(inner)),
        }
    }

    fn graph(&mut self, level: usize) -> String {
        let name = match self.choices.below(8) {
            0 => "<e:nowhere>".to_owned(),
            1 | 2 => self.choices.pick(&["<e:g>", "<e:h>"]).to_owned(),
            3 => self.variable().to_owned(),
            _ => self.variable_of(GRAPHS[0]).to_owned(),
        };
        format!("GRAPH {name} {{ {} }} ", self.group(level))
    }

    fn values(&mut self) -> String {
        let literals = self.data.literals;
        if self.choices.once_in(3) {
            let row = |writer: &mut Self| format!("( {} UNDEF )", writer.constant(literals));
            let rows = [row(self), row(self)].join(" ");
            let (first, second) = (self.variable(), "?t");
            return if first == second {
                String::new()
            } else {
                format!("VALUES ( {first} {second} ) {{ {rows} }} ")
            };
        }
        let terms = [self.constant(literals), self.constant(literals)].join(" ");
        let undefined = self.choices.pick(&["", "", "UNDEF"]);
        format!("VALUES {} {{ {terms} {undefined} }} ", self.variable())
    }

    /// A term of the data, or any.
    pub(crate) fn constant(&mut self, literals: Literals) -> String {
        let object = self.data.pick(self.choices).object;
        if object.starts_with("_:") || self.choices.once_in(3) {
            any_term(self.choices, literals)
        } else {
            object
        }
    }

    fn subquery(&mut self, level: usize) -> String {
        let group = self.group(level);
        let shown = self.variable();
        let other = self.variable();
        match self.choices.below(7) {
            6 => format!("{{ SELECT {shown} {{ {group} }} LIMIT 100000 }} "),
            0 => format!("{{ SELECT ( COUNT ( * ) AS ?m ) {{ {group} }} }} "),
            1 => format!("{{ SELECT {shown} ( COUNT ( {other} ) AS ?m ) {{ {group} }} GROUP BY {shown} }} "),
            2 => format!("{{ SELECT DISTINCT {shown} {{ {group} }} }} "),
            3 => format!("{{ SELECT {shown} {{ {group} }} LIMIT 0 }} "),
            4 => format!("{{ SELECT * {{ {group} }} }} "),
            _ => format!("{{ SELECT {shown} {{ {group} }} }} "),
        }
    }

    fn condition(&mut self, level: usize) -> String {
        let (a, b) = (self.variable(), self.variable());
        let literals = self.data.literals;
        match self.choices.below(28) {
            24 if level < 2 => {
                format!("IF ( EXISTS {{ {} }} , {a} = {b} , BOUND ( {a} ) )", self.group(level + 2))
            }
            25 if level < 2 => format!("( NOT EXISTS {{ {} }} ) != BOUND ( {b} )", self.group(level + 2)),
            26 => format!("RAND ( ) < 2 && isBlank ( BNODE ( ) ) || {a} = {b}"),
            27 => format!("NOW ( ) = NOW ( ) && STRUUID ( ) != STRUUID ( ) && BOUND ( {a} )"),
            0 | 1 => format!("{a} = {b}"),
            2 => format!("{a} != {b}"),
            3 => format!("{a} < {b}"),
            4 => format!("{a} >= {}", self.constant(literals)),
            5 => format!("{a} = {}", self.constant(literals)),
            6 => format!("BOUND ( {a} )"),
            7 | 8 => format!("! BOUND ( {a} )"),
            9 => format!("BOUND ( {a} ) || sameTerm ( {a} , {b} )"),
            10 => format!("isIRI ( {a} ) || BOUND ( {b} )"),
            11 => format!("isBlank ( {a} ) || isLiteral ( {b} )"),
            12 => format!("{a} IN ( {} , {b} )", self.constant(literals)),
            13 => format!("{a} NOT IN ( {} , {} )", self.constant(literals), self.constant(literals)),
            14 => format!("STR ( {a} ) = STR ( {b} )"),
            15 => format!("DATATYPE ( {a} ) = DATATYPE ( {b} )"),
            16 => format!("isNumeric ( {a} )"),
            17 => a.to_owned(),
            18 => format!("! ( {a} = {b} )"),
            19 => format!("LANG ( {a} ) = \"en\" || LANGMATCHES ( LANG ( {b} ) , \"*\" )"),
            20 => format!("COALESCE ( {a} , {b} ) = {a}"),
            21 if level < 2 => format!("{a} = {b} || NOT EXISTS {{ {} }}", self.group(level + 2)),
            22 if level < 2 => format!("EXISTS {{ {} }} && BOUND ( {a} )", self.group(level + 2)),
            _ => format!("REGEX ( STR ( {a} ) , \"a|1\" )"),
        }
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.variable(), self.variable());
        match self.choices.below(14) {
            12 => format!("IF ( isIRI ( UUID ( ) ) , {a} , {b} )"),
            13 => format!("BNODE ( STR ( {a} ) ) = BNODE ( STR ( {b} ) )"),
            0 => format!("{a} + 1"),
            1 => format!("{a} * {b}"),
            2 => format!("{a} - {b}"),
            3 => format!("STR ( {a} )"),
            4 => format!("DATATYPE ( {a} )"),
            5 => format!("IF ( BOUND ( {a} ) , {b} , 1 )"),
            6 => format!("COALESCE ( {a} / 2 , {b} )"),
            7 => format!("STRLEN ( STR ( {a} ) )"),
            8 => format!("{a} = {b}"),
            9 => format!("EXISTS {{ {a} ?any {b} }}"),
            10 => format!("CONCAT ( STR ( {a} ) , LANG ( {b} ) )"),
            _ => a.to_owned(),
        }
    }

    fn aggregated(&mut self, group: &str) -> String {
        let (key, value, other) = (self.variable(), self.variable(), self.variable());
        // What counts is in canonical form where the least of equals is asked for.
        let numbers = [
            format!("COUNT ( {value} )"),
            format!("COUNT ( DISTINCT {value} )"),
            format!("COUNT ( {value} + {other} )"),
            format!("SUM ( {value} )"),
            format!("AVG ( {value} )"),
            format!("SUM ( DISTINCT {value} )"),
            format!("COUNT ( STR ( {value} ) )"),
            "COUNT ( DISTINCT * )".to_owned(),
            format!("MIN ( {value} )"),
            format!("MAX ( {value} )"),
        ];
        let size = if self.data.literals == Literals::Rich { 8 } else { 10 };
        let (one, two) = (&numbers[self.choices.below(size)], &numbers[self.choices.below(size)]);
        let having = self.choices.pick(&["", "", "", "HAVING ( COUNT ( * ) > 1 )"]);
        match self.choices.below(4) {
            0 => format!("SELECT ( {one} AS ?n1 ) ( {two} AS ?n2 ) {{ {group} }} {having}"),
            1 => {
                format!("SELECT ?k ( {one} AS ?n1 ) {{ {group} }} GROUP BY ( STR ( {key} ) AS ?k ) {having}")
            }
            _ => format!(
                "SELECT {key} ( {one} AS ?n1 ) ( COUNT ( * ) AS ?n2 ) {{ {group} }} GROUP BY {key} {having}"
            ),
        }
    }

    /// Keys of ORDER BY that the result shows, all of them most of the time.
    fn order(&mut self, shown: &[&str]) -> String {
        let keys = shown.iter().map(|name| match self.choices.below(3) {
            0 => format!("DESC ( {name} )"),
            1 => format!("ASC ( {name} )"),
            _ => (*name).to_owned(),
        });
        keys.collect::<Vec<_>>().join(" ")
    }

    fn slice(&mut self) -> String {
        self.choices.pick(&["", "LIMIT 1", "LIMIT 3", "OFFSET 1", "LIMIT 2 OFFSET 2"]).to_owned()
    }
}
