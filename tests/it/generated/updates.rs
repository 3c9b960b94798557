//! Sequences of updates over a default graph and three named ones, with patterns drawn from the data.

use super::choices::{Choices, drawn_for};
use super::data::{Case, Data, PREDICATES, Statement};
use super::queries::Writer;

/// The graphs that operations speak of; the last has no triples to begin with.
const NAMES: [&str; 3] = ["<e:g>", "<e:h>", "<e:i>"];

/// The case of a number: data, and one to five operations.
pub(crate) fn case(number: u64) -> Case {
    let mut data = Data::draw(&mut Choices::new(&drawn_for("data of updates", number, 400)));
    data.statements.retain(|statement| statement.graph != "_:g" || !number.is_multiple_of(2));
    if data.statements.is_empty() {
        let [subject, predicate, object, graph] = ["<e:a>", "<e:p>", "<e:b>", ""].map(str::to_owned);
        data.statements.push(Statement { subject, predicate, object, graph });
    }
    let drawn = drawn_for("update", number, 800);
    let choices = &mut Choices::new(&drawn);
    let operations: Vec<_> = (0..1 + choices.below(5)).map(|_| operation(choices, &data)).collect();
    Case { lines: data.lines(), text: operations.join(" ; "), union: false }
}

fn operation(choices: &mut Choices<'_>, data: &Data) -> String {
    let (from, to) = (choices.pick(&NAMES), choices.pick(&NAMES));
    match choices.below(20) {
        0 | 1 => format!("INSERT DATA {{ {} }}", block(choices, data)),
        2 | 3 => format!("DELETE DATA {{ {} }}", block(choices, data)),
        4 => format!("DELETE WHERE {{ {} }}", simple(choices, data)),
        5 => format!("CLEAR SILENT GRAPH {from}"),
        6 => format!("DROP SILENT GRAPH {from}"),
        7 => choices
            .pick(&["CLEAR DEFAULT", "DROP NAMED", "CLEAR ALL", "DROP SILENT DEFAULT", "CLEAR NAMED"])
            .to_owned(),
        8 => {
            format!("{} ; {} SILENT {from} TO {to}", filled(from), choices.pick(&["COPY", "MOVE", "ADD"]))
        }
        9 => format!("{} SILENT DEFAULT TO {to}", choices.pick(&["COPY", "ADD", "MOVE"])),
        10 => {
            format!("{} ; {} SILENT {from} TO DEFAULT", filled(from), choices.pick(&["COPY", "ADD", "MOVE"]))
        }
        11 => format!("CREATE SILENT GRAPH {to}"),
        12 => format!(
            "DROP SILENT GRAPH {to} ; INSERT {{ GRAPH {to} {{ ?o <e:inverse> ?s }} }} WHERE {{ ?s <e:p> ?o }}"
        ),
        _ => modification(choices, data),
    }
}

/// Makes a graph that may have lost its triples be there: engines differ in what it is to be there.
fn filled(graph: &str) -> String {
    format!("INSERT DATA {{ GRAPH {graph} {{ <e:a> <e:is> {graph} }} }}")
}

/// Quads without variables, of the data or not.
fn block(choices: &mut Choices<'_>, data: &Data) -> String {
    let mut text = String::new();
    for _ in 0..1 + choices.below(3) {
        let Statement { subject, mut predicate, object, graph } = data.pick(choices);
        if choices.once_in(3) {
            predicate = choices.pick(&PREDICATES).to_owned();
        }
        let (subject, object) = (ground(&subject), ground(&object));
        let triple = format!("{subject} {predicate} {object} .");
        text += &match graph.as_str() {
            "" | "_:g" => format!("{triple} "),
            graph => format!("GRAPH {graph} {{ {triple} }} "),
        };
    }
    text
}

fn ground(term: &str) -> String {
    if term.starts_with("_:") { "<e:e>".to_owned() } else { term.to_owned() }
}

fn simple(choices: &mut Choices<'_>, data: &Data) -> String {
    let Statement { subject, predicate, .. } = data.pick(choices);
    let subject = if subject.starts_with("_:") || choices.once_in(2) { "?x".to_owned() } else { subject };
    let triple = format!("{subject} {predicate} ?y .");
    match choices.below(3) {
        0 => format!("GRAPH {} {{ {triple} }}", choices.pick(&["?g", "<e:g>", "<e:h>"])),
        _ => triple,
    }
}

fn modification(choices: &mut Choices<'_>, data: &Data) -> String {
    let group = Writer::new(choices, data).group(1);
    let with = choices.pick(&["", "", "", "WITH <e:g> ", "WITH <e:i> "]);
    let using = if with.is_empty() {
        choices.pick(&["", "", "", "USING <e:g> ", "USING <e:h> USING NAMED <e:g> ", "USING NAMED <e:g> "])
    } else {
        ""
    };
    let delete = format!("DELETE {{ {} }} ", template(choices, false));
    let insert = format!("INSERT {{ {} }} ", template(choices, true));
    let change = match choices.below(3) {
        0 => delete,
        1 => insert,
        _ => delete + &insert,
    };
    format!("{with}{change}{using}WHERE {{ {group} }}")
}

fn template(choices: &mut Choices<'_>, has_blank_nodes: bool) -> String {
    let mut text = String::new();
    for _ in 0..1 + choices.below(2) {
        let subject = choices.pick(&["?x", "?y", "?z", "<e:a>"]);
        let predicate = choices.pick(&["<e:p>", "<e:q>", "<e:new>", "?z"]);
        let object = if has_blank_nodes && choices.once_in(6) {
            "_:b"
        } else {
            choices.pick(&["?y", "?x", "?z", "1"])
        };
        let triple = format!("{subject} {predicate} {object} .");
        text += &match choices.below(4) {
            0 => format!("GRAPH {} {{ {triple} }} ", choices.pick(&["<e:g>", "<e:i>", "?w"])),
            _ => format!("{triple} "),
        };
    }
    text
}
