//! The shapes that only say what a table of fields says are made from the table: a part of each file of shapes. With
//! `EVALGRAPH_WRITE_SHAPES=1` the test writes these parts anew.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use evalgraph::source::checking::schema::NumberBound::{Above, AtLeast, Within};
use evalgraph::source::checking::schema::{ANY, NumberBound, ObjectSchema, SchemaFieldType, expected_words};
use evalgraph::source::field_table::ShapedClass;
use evalgraph::source::kwanzaa::shapes::{CONTRACT_SHAPES, SEED_SHAPES};
use evalgraph::source::records::{MemberForm, RecordMember};
use evalgraph::source::rlcf::RecordKind;
use evalgraph::source::rlcf::kinds::{FieldRequirement, RlcfFieldType};

const BEGIN: &str = "# Made from the tables of fields; `cargo test` says how to make it anew.\n";
const END: &str = "# The end of what is made from the tables.\n";

/// The shapes of a class: where they hang, and what they are called.
struct Block {
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
) -> Block {
    Block { class, about, anchors, left_out: &[], looser: None, names: &[] }
}

static KWANZAA: [Block; 7] = [
    Block {
        left_out: &["statistics"],
        names: &[("dataset_version", "W-TrainingDataset-version")],
        ..block(&SEED_SHAPES[0], "", &[("egw:Dataset", "")])
    },
    Block {
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
    Block {
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

fn prefixed(name: &str) -> String {
    if name.contains(':') { name.to_owned() } else { format!("schema:{name}") }
}

/// The properties of a path, and the class of the node before the last one.
fn properties(path: &str) -> (Vec<String>, Option<String>) {
    let mut properties = Vec::new();
    let mut classes = Vec::new();
    for step in path.split('/') {
        let begin = if step.starts_with("eg:") { 3 } else { 0 };
        let end = step[begin..].find(':').map_or(step.len(), |at| begin + at);
        properties.push(prefixed(&step[..end]));
        let node = step.get(end + 1..).unwrap_or_default();
        let class = node.split(['+', '#', '@', '{']).next().unwrap_or_default();
        classes.push((!class.is_empty()).then(|| prefixed(class)));
    }
    classes.pop();
    (properties, classes.pop().flatten())
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

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
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

fn all_fields(block: &Block, of: &ShapedClass) -> Vec<ShapedField> {
    fields(of.class, of.shape.members, ("", true), block.left_out)
}

fn in_turtle(path: &[String]) -> String {
    if path.len() == 1 { path[0].clone() } else { format!("( {} )", path.join(" ")) }
}

/// The shapes of a block.
fn turtle(block: &Block) -> String {
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

fn kept_in_step(file: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shapes").join(file);
    let text = std::fs::read_to_string(&path).expect("the shapes are there");
    let (before, rest) = text.split_once(BEGIN).expect("the file has a part that is made");
    let (is, after) = rest.split_once(END).expect("the part has an end");
    let made = format!("\n{made}");
    if std::env::var_os("EVALGRAPH_WRITE_SHAPES").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{made}{END}{after}"))
            .expect("the shapes can be written");
    } else {
        assert!(
            is == made,
            "shapes/{file} is not what the tables say: EVALGRAPH_WRITE_SHAPES=1 cargo test --test it generated_shapes"
        );
    }
}

/// The constraints on a field of RLCF, and the words for them.
fn of_rlcf(value: RlcfFieldType) -> (Vec<String>, &'static str) {
    let (constraint, words) = match value {
        RlcfFieldType::Text => ("sh:datatype xsd:string", "a string"),
        RlcfFieldType::Texts => ("sh:datatype xsd:string", "an array of strings"),
        RlcfFieldType::Integer => ("sh:datatype xsd:integer", "an integer"),
        RlcfFieldType::Number => ("sh:node egr:Number", "a number"),
        RlcfFieldType::Boolean => ("sh:datatype xsd:boolean", "true or false"),
        RlcfFieldType::Object => ("sh:pattern \"^[{]\"", "an object"),
        // Rules of their own look at numbers and times.
        RlcfFieldType::Id
        | RlcfFieldType::Reference(_)
        | RlcfFieldType::Timestamp
        | RlcfFieldType::Records(_)
        | RlcfFieldType::Any => return (Vec::new(), ""),
    };
    (vec![constraint.to_owned()], words)
}

/// The shapes of a kind of RLCF's records, by the document.
fn turtle_of_kind(kind: RecordKind) -> String {
    let mut text = String::new();
    let mut names = Vec::new();
    // An error reply is reported whatever it says, and one shape looks at all counts of tasks.
    if matches!(kind, RecordKind::ErrorReply | RecordKind::TaskDistribution) {
        return text;
    }
    for field in kind.fields() {
        let is_own = |member: &&RecordMember| {
            member.key == field.key && !matches!(member.form, MemberForm::Derived(_) | MemberForm::Group(_))
        };
        let Some(member) = kind.shape().members.iter().find(is_own) else { continue };
        // A request for many users has a second form without the names.
        let is_required = matches!(field.asked, FieldRequirement::Always | FieldRequirement::BySeed)
            && (kind, field.key) != (RecordKind::BulkUserCreate, "usernames");
        let (constraints, words) = of_rlcf(field.value);
        if !is_required && constraints.is_empty() {
            continue;
        }
        let name = format!("egr:R-schema-{kind}-{}", field.key);
        let mut lines = vec![name.clone(), "a sh:PropertyShape".to_owned()];
        lines.push(format!("sh:name \"{} of {kind}\"", field.key));
        let (path, _) = properties(member.path);
        let same = kind.shape().members.iter().filter(|other| properties(other.path).0 == path);
        let is_shared = same.count() > 1;
        match member.path.split_once('{').and_then(|(_, constants)| constants.split_once('=')) {
            // A figure or a score is the value of a node that has its name.
            Some((property, rest)) if is_shared => {
                let named = rest.split([',', '}']).next().unwrap_or_default();
                let named = format!("sh:path {} ; sh:hasValue \"{named}\"", prefixed(property));
                let (last, before) = path.split_last().expect("a path has a step");
                lines.push(format!("sh:path {}", in_turtle(before)));
                let mut of_value = vec![format!("sh:path {last}")];
                of_value.extend(is_required.then(|| "sh:minCount 1".to_owned()));
                of_value.extend(constraints);
                let of_value = of_value.join(" ; ");
                if is_required {
                    lines.push("sh:qualifiedMinCount 1".to_owned());
                    lines.push(format!(
                        "sh:qualifiedValueShape [\n        sh:property [ {named} ] ,\n            [ {of_value} ] ]"
                    ));
                } else {
                    lines.push(format!(
                        "sh:or (\n        [ sh:not [ sh:property [ {named} ] ] ]\n        \
                         [ sh:property [ {of_value} ] ]\n    )"
                    ));
                }
            }
            _ => {
                lines.push(format!("sh:path {}", in_turtle(&path)));
                lines.extend(is_required.then(|| "sh:minCount 1".to_owned()));
                lines.extend(constraints);
            }
        }
        let message = match words {
            "" => format!("`{}` of `{kind}` is missing.", field.key),
            words => format!("`{}` of `{kind}` has to be {words}.", field.key),
        };
        lines.push(format!("sh:message {}", quoted(&message)));
        let _ = write!(text, "{}\n    {} .\n\n", lines[0], lines[1..].join(" ;\n    "));
        names.push(name);
    }
    if !names.is_empty() {
        let _ = write!(text, "egr:{kind} sh:property\n    {} .\n\n", names.join(" ,\n    "));
    }
    text
}

#[test]
fn the_shapes_of_rlcf_say_what_its_tables_say() {
    kept_in_step("rlcf.ttl", &RecordKind::ALL.into_iter().map(turtle_of_kind).collect::<String>());
}

#[test]
fn the_shapes_of_kwanzaa_say_what_its_tables_say() {
    kept_in_step("kwanzaa.ttl", &KWANZAA.iter().map(turtle).collect::<String>());
}
