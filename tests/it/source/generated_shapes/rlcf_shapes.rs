//! The shapes of RLCF's records and task types.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use evalgraph::source::checking::schema::{SchemaField, SchemaFieldType, expected_words};
use evalgraph::source::records::{MemberForm, RecordMember};
use evalgraph::source::rlcf::known_values::{COUNTED_CREDENTIALS, ISO_TIME, RECORD_ID};
use evalgraph::source::rlcf::rules::RlcfProfile;
use evalgraph::source::rlcf::task_types::{TaskField, TaskType, ValueType};
use evalgraph::source::rlcf::{RecordKind, TaskTypes};

use super::turtle_text::{enumerated, in_turtle, in_words, prefixed, properties, quoted};

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
                 sh:message \"`{key}` must be the id of a {named} record.\" ;\n        \
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
            let count = in_words(names.len());
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

/// The shapes of RLCF.
pub(super) fn turtle() -> String {
    let mut known = BTreeSet::new();
    let kinds = RecordKind::ALL.into_iter().map(|kind| turtle_of_kind(kind, &mut known));
    kinds.collect::<String>() + &turtle_of_types()
}
