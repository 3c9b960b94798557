//! The shapes of classes of objects whose tables have a path for each field.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use evalgraph::source::checking::schema::NumberBound::{Above, AtLeast, Within};
use evalgraph::source::checking::schema::{ANY, NumberBound, ObjectSchema, SchemaFieldType, expected_words};
use evalgraph::source::field_table::ShapedClass;
use evalgraph::source::kwanzaa::shapes::{CONTRACT_SHAPES, SEED_SHAPES};
use evalgraph::source::records::{MemberForm, RecordMember};

use super::turtle_text::{in_turtle, properties, quoted};

/// The shapes of a class: where they hang, and what they are called.
pub(super) struct ShapeBlock {
    class: &'static ShapedClass,
    /// What distinguishes the class in messages, behind the key.
    about: &'static str,
    /// The shapes that have these as properties, each with the path to its nodes. The first is that of the class.
    anchors: &'static [(&'static str, &'static str)],
    /// The keys whose objects have shapes of their own.
    left_out: &'static [&'static str],
    /// The class whose shapes are there already.
    looser: Option<&'static ShapedClass>,
    /// The names of shapes that are not the rule and the key.
    names: &'static [(&'static str, &'static str)],
}

const fn block(
    class: &'static ShapedClass,
    about: &'static str,
    anchors: &'static [(&'static str, &'static str)],
) -> ShapeBlock {
    ShapeBlock { class, about, anchors, left_out: &[], looser: None, names: &[] }
}

pub(super) static KWANZAA: [ShapeBlock; 7] = [
    ShapeBlock {
        left_out: &["statistics"],
        names: &[("dataset_version", "W-TrainingDataset-version")],
        ..block(&SEED_SHAPES[0], "", &[("egw:Dataset", "")])
    },
    ShapeBlock {
        left_out: &["retrieved_context", "expected_output"],
        ..block(&SEED_SHAPES[1], "", &[("egw:W-TrainingDataset-samples", "")])
    },
    block(&SEED_SHAPES[2], " of a result in `retrieved_context`", &[("egw:RetrievalResult", "")]),
    block(
        &SEED_SHAPES[3],
        " of an answer",
        &[
            ("egw:Answer", "schema:item schema:acceptedAnswer"),
            ("egw:W-AnswerJson-retrieval_summary", "schema:item schema:acceptedAnswer eg:retrievalSummary"),
        ],
    ),
    ShapeBlock {
        looser: Some(&SEED_SHAPES[3]),
        names: &[
            ("unsupported_claims", "W-Unknowns-long-claims"),
            ("missing_context", "W-Unknowns-long-context"),
            ("clarifying_questions", "W-Unknowns-long-questions"),
            ("out_of_scope", "W-Unknowns-long-scope"),
            ("query", "W-RetrievalSummary-query-length"),
            ("top_k", "W-RetrievalSummary-top_k-range"),
            ("namespaces", "W-RetrievalSummary-namespaces-count"),
            ("generated_at", "W-Provenance-required"),
            ("model_version", "W-Provenance-versions"),
        ],
        ..block(
            &CONTRACT_SHAPES[0],
            " of an answer",
            &[
                ("egw:ContractAnswer", "schema:item schema:acceptedAnswer"),
                ("egw:ContractSummary", "schema:item schema:acceptedAnswer eg:retrievalSummary"),
                ("egw:ContractProvenance", "schema:item schema:acceptedAnswer eg:provenance"),
            ],
        )
    },
    block(&CONTRACT_SHAPES[1], " of a source", &[("egw:ContractSource", "")]),
    block(&CONTRACT_SHAPES[2], " of a result in `retrieval_summary`", &[("egw:ContractResult", "")]),
];

/// A field of a class, with its place in the graph.
struct ShapedField {
    rule: &'static str,
    key: &'static str,
    /// The properties on the way, without the classes of nodes.
    path: Vec<String>,
    /// The class of the node before the last property.
    class: Option<String>,
    /// It is required, and each object around it, too.
    is_in_all: bool,
    is_required: bool,
    constraints: Vec<String>,
    /// It is an array of any length, so that the words are about each value.
    is_each: bool,
    words: String,
}

/// The constraints on a number of a kind of node.
fn of_number(node: &str, bound: Option<&NumberBound>) -> Vec<String> {
    let mut all = vec![format!("sh:node egw:{node}")];
    match bound {
        None => {}
        Some(AtLeast(least)) => all.push(format!("sh:minInclusive {least}")),
        Some(Above(least)) => all.push(format!("sh:minExclusive {least}")),
        Some(Within(least, most)) => {
            all.extend([format!("sh:minInclusive {least}"), format!("sh:maxInclusive {most}")]);
        }
    }
    all
}

/// The constraints on a value, and the words for them.
fn constraints(holds: &SchemaFieldType, form: &MemberForm) -> (Vec<String>, String) {
    let string = || "sh:datatype xsd:string".to_owned();
    let words = || expected_words(holds).into_owned();
    match (holds, form) {
        // The year of a document is a string in the graph.
        (SchemaFieldType::IntegerOf(Within(1600.0, 2100.0)), MemberForm::Text) => {
            (vec!["sh:pattern \"^(1[6-9][0-9][0-9]|20[0-9][0-9]|2100)$\"".to_owned()], words())
        }
        (SchemaFieldType::AnyObject | SchemaFieldType::Object(_), MemberForm::Json) => {
            (vec!["sh:pattern \"^[{]\"".to_owned()], words())
        }
        (SchemaFieldType::Form(form), MemberForm::DateTime) => {
            (vec!["sh:flags \"i\"".to_owned(), format!("sh:pattern {}", quoted(form.pattern))], words())
        }
        (SchemaFieldType::Form(form), _) => {
            (vec![string(), format!("sh:pattern {}", quoted(form.pattern))], words())
        }
        (SchemaFieldType::Text, _) => (vec![string()], words()),
        (&SchemaFieldType::TextOf(least, most), _) => {
            let mut all = vec![string()];
            all.extend((least > 0).then(|| format!("sh:minLength {least}")));
            all.extend((most < ANY).then(|| format!("sh:maxLength {most}")));
            let lengths = match (least, most) {
                (_, ANY) => "at least one character".to_owned(),
                (0, most) => format!("at most {most} characters"),
                (least, most) => format!("{least} to {most} characters"),
            };
            (all, format!("a string of {lengths}"))
        }
        (SchemaFieldType::OneOf(names), _) => {
            let list: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            (vec![format!("sh:in ( {} )", list.join(" "))], words())
        }
        (SchemaFieldType::NumberOf(bound), _) => (of_number("Number", Some(bound)), words()),
        (SchemaFieldType::Integer, _) => (of_number("Integer", None), words()),
        (SchemaFieldType::IntegerOf(bound), _) => (of_number("Integer", Some(bound)), words()),
        (SchemaFieldType::Boolean, _) => (vec!["sh:datatype xsd:boolean".to_owned()], words()),
        _ => (Vec::new(), words()),
    }
}

/// The fields of a class and of the objects in it that have no node.
fn fields(
    class: &ObjectSchema,
    members: &[RecordMember],
    around: (&'static str, bool),
    left_out: &[&str],
) -> Vec<ShapedField> {
    let mut found = Vec::new();
    let (rule, is_in_all) = class.rule().map_or(around, |rule| (rule.id, around.1));
    for field in class.fields().iter().filter(|field| !left_out.contains(&field.key)) {
        let is_that = |member: &&RecordMember| member.key == field.key;
        let member = members.iter().find(is_that).unwrap_or_else(|| panic!("{} has a path", field.key));
        let (mut path, mut holds, mut counts) = (member.path.to_owned(), &field.holds, [0, ANY]);
        let is_list = matches!(holds, SchemaFieldType::Array(_) | SchemaFieldType::ArrayOf(..));
        match holds {
            SchemaFieldType::Array(of) => holds = of,
            &SchemaFieldType::ArrayOf(of, least, most) => (holds, counts) = (of, [least, most]),
            _ => {}
        }
        match (&member.form, holds) {
            (MemberForm::Group(inner), SchemaFieldType::Object(class)) => {
                found.extend(fields(class, inner, (rule, is_in_all && field.is_required()), left_out));
                continue;
            }
            (MemberForm::Group(_), _) => continue,
            (
                MemberForm::Nodes(shape),
                SchemaFieldType::Text | SchemaFieldType::TextOf(..) | SchemaFieldType::OneOf(_),
            ) => {
                let _ = write!(path, "/{}", shape.members[0].path);
            }
            _ => {}
        }
        let (mut constraints, mut words) = constraints(holds, &member.form);
        let is_required = field.is_required() && (!is_list || counts[0] > 0);
        if counts[1] < ANY {
            constraints.push(format!("sh:maxCount {}", counts[1]));
        }
        if is_list {
            let each = if constraints.iter().any(|one| !one.starts_with("sh:maxCount")) {
                format!(", each {words}")
            } else {
                String::new()
            };
            words = match counts {
                [0, ANY] => words,
                [0, most] => format!("an array of at most {most} values{each}"),
                [least, ANY] => format!("an array of at least {least} values{each}"),
                [least, most] => format!("an array of {least} to {most} values{each}"),
            };
        }
        let (path, class) = properties(&path);
        let is_in_all = is_in_all && is_required;
        let is_each = is_list && counts == [0, ANY];
        found.push(ShapedField {
            rule,
            key: field.key,
            path,
            class,
            is_in_all,
            is_required,
            constraints,
            is_each,
            words,
        });
    }
    found
}

fn all_fields(block: &ShapeBlock, of: &ShapedClass) -> Vec<ShapedField> {
    fields(of.class, of.shape.members, ("", true), block.left_out)
}

/// The shapes of a block.
pub(super) fn turtle(block: &ShapeBlock) -> String {
    let looser = block.looser.map(|looser| all_fields(block, looser)).unwrap_or_default();
    let mut by_path: BTreeMap<(usize, String), Vec<ShapedField>> = BTreeMap::new();
    let mut order = Vec::new();
    let anchor_of = |path: &[String]| {
        let path = path.join(" ");
        let fits = |(_, before): &&(&str, &str)| before.is_empty() || path.starts_with(&format!("{before} "));
        block
            .anchors
            .iter()
            .enumerate()
            .filter(|(_, anchor)| fits(anchor))
            .max_by_key(|(_, (_, to))| to.len())
    };
    for mut field in all_fields(block, block.class) {
        let (at, (_, before)) = anchor_of(&field.path).expect("the path leads over an anchor");
        field.path.drain(..before.split_whitespace().count());
        // An object with a node of its own is there where the node is.
        field.is_required = if at == 0 { field.is_in_all } else { field.is_required };
        if let Some(known) = looser.iter().find(|known| (known.rule, known.key) == (field.rule, field.key)) {
            field.constraints.retain(|one| !known.constraints.contains(one));
            field.is_required &= !known.is_in_all;
            // The looser shape reports what is not a number; a bound is not about that.
            let bounds = [("sh:minInclusive", "sh:maxExclusive"), ("sh:maxInclusive", "sh:minExclusive")];
            for (bound, beyond) in bounds {
                for one in field.constraints.iter_mut().filter(|one| one.starts_with(bound)) {
                    *one = format!("sh:not [ {} ]", one.replace(bound, beyond));
                }
            }
        }
        if field.is_required || !field.constraints.is_empty() {
            let key = (at, field.path.join(" "));
            if !by_path.contains_key(&key) {
                order.push(key.clone());
            }
            by_path.entry(key).or_default().push(field);
        }
    }
    let mut attached: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut text = String::new();
    for key in order {
        let fields = &by_path[&key];
        // Values of one property at nodes of several classes are told apart by the class.
        let is_by_class = fields.len() > 1 && fields.iter().all(|field| field.is_required);
        let shown = if is_by_class { fields.len() } else { 1 };
        for field in &fields[..shown] {
            let own = block.names.iter().find(|(known, _)| *known == field.key);
            let name =
                own.map_or_else(|| format!("{}-{}", field.rule, field.key), |(_, name)| (*name).to_owned());
            let mut lines = vec![format!("egw:{name}"), "a sh:PropertyShape".to_owned()];
            lines.push(format!("sh:name {}", quoted(field.key)));
            let all = field.constraints.join(" ; ");
            if is_by_class {
                let (last, before) = field.path.split_last().expect("a path has a step");
                let class = field.class.as_deref().expect("the node has a class");
                lines.push(format!("sh:path {}", in_turtle(before)));
                lines.push("sh:qualifiedMinCount 1".to_owned());
                lines.push(format!(
                    "sh:qualifiedValueShape [\n        sh:property [ sh:path rdf:type ; sh:hasValue {class} ] ,\n            \
                     [ sh:path {last} ; sh:minCount 1 ; {all} ] ]"
                ));
            } else {
                lines.push(format!("sh:path {}", in_turtle(&field.path)));
                lines.extend(field.is_required.then(|| "sh:minCount 1".to_owned()));
                lines.extend(field.constraints.iter().cloned());
            }
            let keys: Vec<String> = match is_by_class {
                true => vec![format!("`{}`", field.key)],
                false => fields.iter().map(|field| format!("`{}`", field.key)).collect(),
            };
            let each = if field.is_each { "Each of " } else { "" };
            let message = format!("{each}{}{} has to be {}.", keys.join(" or "), block.about, field.words);
            lines.push(format!("sh:message {}", quoted(&message)));
            let _ = write!(text, "{}\n    {} .\n\n", lines[0], lines[1..].join(" ;\n    "));
            attached.entry(key.0).or_default().push(format!("egw:{name}"));
        }
    }
    for (at, names) in attached {
        let _ = write!(text, "{} sh:property\n    {} .\n\n", block.anchors[at].0, names.join(" ,\n    "));
    }
    text
}
