//! The shapes that only say what a table of fields says are made from the table: a part of each file of shapes. With
//! `EVALGRAPH_WRITE_SHAPES=1` the test writes these parts anew.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use evalgraph::source::checking::schema::NumberBound::{Above, AtLeast, Within};
use evalgraph::source::checking::schema::{
    ANY, NumberBound, ObjectSchema, SchemaField, SchemaFieldType, expected_words,
};
use evalgraph::source::field_table::ShapedClass;
use evalgraph::source::kwanzaa::shapes::{CONTRACT_SHAPES, SEED_SHAPES};
use evalgraph::source::records::{MemberForm, RecordMember};
use evalgraph::source::rlcf::known_values::{COUNTED_CREDENTIALS, ISO_TIME, RECORD_ID};
use evalgraph::source::rlcf::rules::RlcfProfile;
use evalgraph::source::rlcf::task_types::{TaskField, TaskType, ValueType};
use evalgraph::source::rlcf::{RecordKind, TaskTypes};

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
fn of_rlcf(holds: &SchemaFieldType) -> (Vec<String>, Cow<'static, str>) {
    let constraint = match holds {
        SchemaFieldType::Text | SchemaFieldType::Words(_) => "sh:datatype xsd:string",
        SchemaFieldType::Array(SchemaFieldType::Text) => "sh:datatype xsd:string",
        SchemaFieldType::Integer => "sh:datatype xsd:integer",
        SchemaFieldType::Number => "sh:node egr:Number",
        SchemaFieldType::Boolean => "sh:datatype xsd:boolean",
        SchemaFieldType::AnyObject => "sh:pattern \"^[{]\"",
        // Shapes of their own look at numbers and times.
        _ => return (Vec::new(), "".into()),
    };
    (vec![constraint.to_owned()], expected_words(holds))
}

/// The shapes of fields with one of several words: the property, the name of the shape, a description, and what
/// distinguishes the field in messages.
const OF_WORDS: [(&str, &str, &str, &str); 4] = [
    ("schema:creativeWorkStatus", "R-16", "status of a task", ""),
    ("eg:status", "R-16-update", "status of an update", ""),
    ("schema:credentialCategory", "R-12-type", "type of a credential", " of a credential"),
    ("eg:exportFormat", "R-13", "format of an export", ""),
];

/// Returns words separated by commas, the last by another word.
fn enumerated(words: &[String], last: &str) -> String {
    match words.split_last() {
        Some((word, before)) if !before.is_empty() => format!("{} {last} {word}", before.join(", ")),
        _ => words.concat(),
    }
}

/// A shape for strings that have to be one of several words.
fn of_words(name: &str, title: &str, path: &str, words: &[&str], message: &str) -> String {
    let list: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!(
        "egr:{name}\n    a sh:PropertyShape ;\n    sh:name \"{title}\" ;\n    sh:path {path} ;\n    \
         sh:or ( [ sh:not [ sh:datatype xsd:string ] ] [ sh:in ( {} ) ] ) ;\n    sh:message {} .\n\n",
        list.join(" "),
        quoted(message)
    )
}

/// A shape for values of a form.
fn of_form(name: &str, key: &str, path: &str, pattern: &str, words: &str) -> String {
    format!(
        "egr:{name}\n    a sh:PropertyShape ;\n    sh:name \"{key}\" ;\n    sh:path {path} ;\n    \
         sh:pattern {} ;\n    sh:message {} .\n\n",
        quoted(pattern),
        quoted(&format!("`{key}` has to be {words}."))
    )
}

/// The names of the shapes that rules of their own have for a field, with the text of those that are not there yet.
fn of_other_rules(kind: RecordKind, field: &SchemaField, member: &RecordMember) -> Vec<(String, String)> {
    let path = prefixed(member.path);
    let local = path.split(':').next_back().unwrap_or_default();
    let key = field.key;
    match (&field.holds, member.form) {
        (SchemaFieldType::Form(form), MemberForm::Reference(named)) => {
            let name = format!("R-8-{key}-{local}");
            // The number is the end of the IRI.
            let pattern = format!("[/]{}(~.*)?$", form.pattern.trim_start_matches('^').trim_end_matches('$'));
            let number = of_form(&name, key, &path, &pattern, "a positive whole number");
            let target = kind.of_field(key).expect("a reference leads to a kind");
            let there = format!(
                "egr:{name}-exists\n    a sh:PropertyShape ;\n    sh:name \"{key} that exists\" ;\n    sh:path {path} ;\n    \
                 sh:sparql [\n        a sh:SPARQLConstraint ;\n        \
                 sh:message \"There is no {named} with the id that `{key}` names.\" ;\n        \
                 sh:prefixes <urn:evalgraph:shapes:rlcf> ;\n        sh:select \"\"\"\n            \
                 SELECT DISTINCT $this ?value WHERE {{\n                $this {path} ?value .\n                \
                 FILTER NOT EXISTS {{ ?value a eg:{target} }}\n                FILTER EXISTS {{\n                    \
                 ?known a eg:{target} .\n                    \
                 FILTER (STRSTARTS(STR(?known), REPLACE(STR(?value), \"[^/]+$\", \"\")))\n                \
                 }}\n            }}\"\"\"\n    ] .\n\n"
            );
            vec![(format!("{name}-exists"), there), (name, number)]
        }
        (SchemaFieldType::Form(form), _) if std::ptr::eq(*form, &raw const RECORD_ID) => {
            let number = of_form("R-8-id", key, &path, form.pattern, "a positive whole number");
            vec![("R-8-id".to_owned(), number), ("R-8-twice".to_owned(), String::new())]
        }
        (SchemaFieldType::Form(form), _) if std::ptr::eq(*form, &raw const ISO_TIME) => {
            // A second time of a record has the name of its property.
            let name = format!("R-11-{}", if local == "createdAt" { local } else { key });
            let words = "a time of ISO 8601, such as \"2026-02-04T11:00:00Z\"";
            vec![(name.clone(), of_form(&name, key, &path, form.pattern, words))]
        }
        (SchemaFieldType::Words(list), _) => {
            let of_path = OF_WORDS.iter().find(|(of, ..)| *of == path);
            let (_, name, title, about) = of_path.expect("a field with words has a name for its shape");
            let shown = |word: &&str| match word.chars().all(|letter| letter.is_ascii_lowercase()) {
                true => quoted(word),
                false => (*word).to_owned(),
            };
            let shown: Vec<String> = list.words.iter().map(shown).collect();
            let message = format!("`{key}`{about} has to be {}.", enumerated(&shown, "or"));
            vec![((*name).to_owned(), of_words(name, title, &path, list.words, &message))]
        }
        _ if key == "task_type" => {
            let types = TaskTypes::own().types;
            let names: Vec<&str> = types.iter().map(|task_type| task_type.name.as_str()).collect();
            let count = if names.len() == 10 { "ten".to_owned() } else { names.len().to_string() };
            let message = format!("`{key}` is not one of the {count} task types, such as \"QA\".");
            vec![("R-1".to_owned(), of_words("R-1", "type of a task", &path, &names, &message))]
        }
        _ => Vec::new(),
    }
}

/// The beginning of a value of a type in the text of a JSON literal, as a regular expression, and words for the value.
fn in_json(value: &ValueType) -> (&'static str, &'static str) {
    match value {
        ValueType::Int => ("-?[0-9]+[,}]", "a whole number"),
        ValueType::Float => ("-?[0-9]", "a number"),
        ValueType::List(_) => ("\\[", "a list"),
        ValueType::Dict(_) => ("[{]", "an object"),
        _ => ("\"", "a string"),
    }
}

/// The shapes of the input of each task type, or of the feedback on it.
fn of_task_types(
    rule: &str,
    title: &str,
    (key, path, about): (&str, &str, &str),
    (classes, type_path): (&str, &str),
    fields: impl Fn(&TaskType) -> &[TaskField],
) -> String {
    let mut text = String::new();
    for task_type in &TaskTypes::own().types {
        let name = &task_type.name;
        let (mut conditions, mut required, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for field in fields(task_type) {
            let (begin, words) = in_json(&field.value);
            let value = format!("sh:pattern {}", quoted(&format!("[{{,]\"{}\":{begin}", field.key)));
            let words = format!("`{}` ({words})", field.key);
            if field.required {
                conditions.push(format!("[ sh:path {path} ; {value} ]"));
                required.push(words);
            } else {
                let is_there = quoted(&format!("[{{,]\"{}\":[^n]", field.key));
                conditions.push(format!(
                    "[ sh:path {path} ;\n                sh:or ( [ sh:not [ sh:pattern {is_there} ] ] [ {value} ] ) ]"
                ));
                others.push(words);
            }
        }
        let mut message = format!("`{key}` {about} \"{name}\" has to have {}", enumerated(&required, "and"));
        if !others.is_empty() {
            let _ = write!(message, "; it may have {}", others.join(", "));
        }
        let _ = write!(
            text,
            "egr:{rule}-{name}\n    a sh:NodeShape ;\n    sh:name \"{title} {name}\" ;\n    sh:targetClass {classes} ;\n    \
             sh:or (\n        [ sh:not [ sh:property [ sh:path {type_path} ; sh:hasValue \"{name}\" ] ] ]\n        \
             [ sh:property [ sh:path {path} ; sh:not [ sh:pattern \"^[{{]\" ] ; sh:minCount 1 ] ]\n        \
             [ sh:property {} ]\n    ) ;\n    sh:message {} .\n\n",
            conditions.join(" ,\n            "),
            quoted(&format!("{message}."))
        );
    }
    text
}

/// The shapes of RLCF that belong to no single kind of record.
fn turtle_of_types() -> String {
    let input = of_task_types(
        "R-2",
        "input of",
        ("input_data", "eg:inputData", "of a task of type"),
        ("eg:LegalTask , eg:LegalTaskCreate , eg:YamlTask", "schema:additionalType"),
        |task_type| task_type.input_data.as_deref().unwrap_or_default(),
    );
    let feedback = of_task_types(
        "R-3",
        "feedback on",
        ("feedback_data", "eg:feedbackData", "on a task of type"),
        (
            "eg:Feedback , eg:FeedbackCreate",
            "( schema:itemReviewed schema:parentItem schema:additionalType )",
        ),
        |task_type| task_type.feedback_data.as_deref().unwrap_or_default(),
    );
    let counted = COUNTED_CREDENTIALS.map(quoted).join(" ");
    format!(
        "{input}{feedback}egr:R-12-value\n    a sh:NodeShape ;\n    sh:name \"counted credentials\" ;\n    \
         sh:targetClass eg:Credential , eg:CredentialCreate ;\n    sh:or (\n        \
         [ sh:not [ sh:property [ sh:path schema:credentialCategory ; sh:minCount 1 ; sh:in ( {counted} ) ] ] ]\n        \
         [ sh:property [ sh:path schema:name ; sh:or (\n            [ sh:not [ sh:datatype xsd:string ] ]\n            \
         [ sh:pattern \"^\\\\s*[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\\\\s*$\" ] ) ] ]\n    ) ;\n    \
         sh:message \"`value` of a credential of type {} has to be a number, as a string.\" .\n\n",
        COUNTED_CREDENTIALS.join(" or ")
    )
}

/// The shapes of a kind of RLCF's records, by the document. `known` has the names of shapes that several kinds share.
fn turtle_of_kind(kind: RecordKind, known: &mut BTreeSet<String>) -> String {
    let mut text = String::new();
    let mut names = Vec::new();
    // An error reply is reported whatever it says, and one shape looks at all counts of tasks.
    if matches!(kind, RecordKind::ErrorReply | RecordKind::TaskDistribution) {
        return text;
    }
    for field in kind.class(RlcfProfile::Seed).fields() {
        let is_own = |member: &&RecordMember| {
            member.key == field.key && !matches!(member.form, MemberForm::Derived(_) | MemberForm::Group(_))
        };
        let Some(member) = kind.shape().members.iter().find(is_own) else { continue };
        for (name, shape) in of_other_rules(kind, field, member) {
            names.push(format!("egr:{name}"));
            if known.insert(name) {
                text.push_str(&shape);
            }
        }
        // A request for many users has a second form without the names.
        let is_required =
            field.is_required() && (kind, field.key) != (RecordKind::BulkUserCreate, "usernames");
        let (constraints, words) = of_rlcf(&field.holds);
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
        let message = match &*words {
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
    let mut known = BTreeSet::new();
    let kinds = RecordKind::ALL.into_iter().map(|kind| turtle_of_kind(kind, &mut known));
    kept_in_step("rlcf.ttl", &(kinds.collect::<String>() + &turtle_of_types()));
}

#[test]
fn the_shapes_of_kwanzaa_say_what_its_tables_say() {
    kept_in_step("kwanzaa.ttl", &KWANZAA.iter().map(turtle).collect::<String>());
}
