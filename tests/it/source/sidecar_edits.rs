//! Changes made to the quads show in the written file: these changes and no others.

use crate::karenina::graphs::{kept, n_quads, read_n_quads, shuffled};
use evalgraph::source::sidecar::{DocumentSidecars, RestoredFile};

const GRAPH: &str = "urn:evalgraph:graph:d";

fn fixture(name: &str) -> String {
    std::fs::read_to_string(crate::karenina::fixtures::path(name)).expect("the fixture is there")
}

/// The file that N-Quads become, whatever the order of their lines.
fn restored(n_quads: &str) -> RestoredFile {
    let quads = read_n_quads(&shuffled(n_quads, 5));
    DocumentSidecars::new(&quads).restore(GRAPH).unwrap_or_else(|error| panic!("{error}"))
}

/// The lines that only one of two texts has, each behind `-` or `+`, in order.
fn line_difference(left: &str, right: &str) -> Vec<String> {
    let (left, right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let mut lengths = vec![vec![0_usize; right.len() + 1]; left.len() + 1];
    for (at, line) in left.iter().enumerate().rev() {
        for (other_at, other) in right.iter().enumerate().rev() {
            lengths[at][other_at] = match line == other {
                true => lengths[at + 1][other_at + 1] + 1,
                false => lengths[at + 1][other_at].max(lengths[at][other_at + 1]),
            };
        }
    }
    let (mut at, mut other_at) = (0, 0);
    let mut difference = Vec::new();
    while at < left.len() || other_at < right.len() {
        if at < left.len() && other_at < right.len() && left[at] == right[other_at] {
            (at, other_at) = (at + 1, other_at + 1);
        } else if other_at == right.len()
            || at < left.len() && lengths[at + 1][other_at] >= lengths[at][other_at + 1]
        {
            difference.push(format!("-{}", left[at].trim()));
            at += 1;
        } else {
            difference.push(format!("+{}", right[other_at].trim()));
            other_at += 1;
        }
    }
    difference
}

/// The blank node or IRI that the first line with a text speaks of.
fn subject_of<'t>(n_quads: &'t str, text: &str) -> &'t str {
    let line = n_quads.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("no `{text}`"));
    line.split(' ').next().expect("a line has terms")
}

#[test]
fn a_changed_answer_is_the_only_change() {
    for name in
        ["karenina/p2-genomics.jsonld", "karenina/s0-cell-biology.jsonld", "karenina/g-ecology.jsonld"]
    {
        let text = fixture(name);
        let quads = n_quads(&kept(name, &text));
        let answer = text
            .lines()
            .skip_while(|line| !line.contains("acceptedAnswer"))
            .find(|line| line.contains("\"text\""));
        let answer =
            answer.and_then(|line| line.trim().strip_prefix("\"text\": ")).expect("there is an answer");
        let (answer, comma) = answer.strip_suffix(',').map_or((answer, ""), |answer| (answer, ","));
        let changed = quads.replace(&format!("text> {answer} <"), "text> \"Forty-two\" <");
        assert_ne!(quads, changed);
        let restored = restored(&changed);
        assert!(restored.findings.is_empty(), "{:?}", restored.findings);
        let expected = [format!("-\"text\": {answer}{comma}"), format!("+\"text\": \"Forty-two\"{comma}")];
        assert_eq!(line_difference(&text, &restored.text), expected, "{name}");
    }
}

#[test]
fn a_deleted_rating_takes_its_properties_along_and_leaves_everything_else() {
    let name = "karenina/p2-genomics.jsonld";
    let text = fixture(name);
    let quads = n_quads(&kept(name, &text));
    let properties_of = |node: &str| -> Vec<&str> {
        let statements = quads.lines().filter(|line| line.starts_with(&format!("{node} ")));
        let properties = statements.filter(|line| line.contains("/additionalProperty>"));
        properties.filter_map(|line| line.split(' ').nth(2)).collect()
    };
    let rating = subject_of(&quads, "\"karenina:QuestionSpecificRubricTrait\"");
    let gone: Vec<&str> = properties_of(rating).into_iter().chain([rating]).collect();
    let is_gone = |line: &&str| {
        let terms: Vec<&str> = line.split(' ').collect();
        // What the sidecar says of the nodes stays, and does not fit any more.
        let is_sidecar = line.contains("sidecar:");
        !is_sidecar && (gone.contains(&terms[0]) || gone.contains(&terms[2]))
    };
    let left: String = quads.lines().filter(|line| !is_gone(line)).map(|line| format!("{line}\n")).collect();
    let restored = restored(&left);
    let difference = line_difference(&text, &restored.text);
    assert!(difference.len() > 10, "{difference:#?}");
    // A comma goes where the rating was the last one of its array.
    let added: Vec<&String> = difference.iter().filter(|line| line.starts_with('+')).collect();
    assert!(added.iter().all(|line| matches!(line.as_str(), "+}" | "+]" | "+],")), "{difference:#?}");
    let said = restored.findings.iter().map(|finding| finding.code.as_ref());
    assert!(said.clone().all(|code| code == "sidecar::stale"), "{:?}", restored.findings);
}

#[test]
fn an_added_question_stands_behind_the_others_in_their_form() {
    let name = "karenina/p2-genomics.jsonld";
    let text = fixture(name);
    let quads = n_quads(&kept(name, &text));
    let root = subject_of(&quads, "<http://schema.org/DataFeed>");
    let turtle = |subject: &str, name: &str, value: &str| {
        format!("{subject} <http://schema.org/{name}> {value} <{GRAPH}> .\n")
    };
    let class = |subject: &str, class: &str| {
        format!(
            "{subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/{class}> <{GRAPH}> .\n"
        )
    };
    let one = "\"1\"^^<http://www.w3.org/2001/XMLSchema#integer>";
    let added = [
        turtle(root, "dataFeedElement", "<urn:new>"),
        class("<urn:new>", "DataFeedItem"),
        turtle("<urn:new>", "dateModified", "\"2026-11-21T00:00:00\""),
        turtle("<urn:new>", "dateCreated", "\"2026-11-20T00:00:00\""),
        turtle("<urn:new>", "item", "_:question"),
        class("_:question", "Question"),
        turtle("_:question", "text", "\"New?\""),
        turtle("_:question", "acceptedAnswer", "_:answer"),
        class("_:answer", "Answer"),
        turtle("_:answer", "text", "\"Yes\""),
        turtle("_:question", "hasPart", "_:template"),
        class("_:template", "SoftwareSourceCode"),
        turtle("_:template", "text", "\"pass\""),
        turtle("_:question", "contentRating", "_:rating"),
        class("_:rating", "Rating"),
        turtle("_:rating", "bestRating", one),
    ];
    let restored = restored(&(quads + &added.concat()));
    assert!(restored.findings.is_empty(), "{:?}", restored.findings);
    let difference = line_difference(&text, &restored.text);
    let expected = "{
        \"@type\": \"DataFeedItem\",
        \"@id\": \"urn:new\",
        \"dateCreated\": \"2026-11-20T00:00:00\",
        \"dateModified\": \"2026-11-21T00:00:00\",
        \"item\": {
        \"@type\": \"Question\",
        \"text\": \"New?\",
        \"acceptedAnswer\": {
        \"@type\": \"Answer\",
        \"text\": \"Yes\"
        },
        \"hasPart\": {
        \"@type\": \"SoftwareSourceCode\",
        \"text\": \"pass\"
        },
        \"rating\": [
        {
        \"@type\": \"Rating\",
        \"bestRating\": 1.0
        }
        ]
        }";
    let expected: Vec<String> = expected.lines().map(|line| format!("+{}", line.trim())).collect();
    let added: Vec<String> = difference.iter().filter(|line| line.starts_with('+')).cloned().collect();
    let removed = difference.len() - added.len();
    assert_eq!(removed, 0, "{difference:#?}");
    let joined = added.join("\n");
    assert!(joined.contains(&expected.join("\n")), "{joined}");
    assert_eq!(added.len(), expected.len() + 1, "{joined}");
}

#[test]
fn a_value_that_was_spelled_otherwise_is_written_plain_once_it_changed() {
    let text = "{\n  \"@context\": {\n    \"@vocab\": \"http://schema.org/\"\n  },\n  \"@type\": \"DataFeed\",\n  \
                \"bestRating\": 1e3,\n  \"nothing\": null\n}";
    let quads = n_quads(&kept("spelled", text));
    assert_eq!(restored(&quads).text, text);
    let changed = restored(&quads.replace("\"1000\"", "\"1001\""));
    assert_eq!(changed.text, text.replace("1e3", "1001"));
    let said: Vec<&str> = changed.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        said,
        ["one entry of the sidecar of `urn:evalgraph:graph:d` no longer fits its graph, the first for \
             `bestRating`; it is ignored"]
    );
}

#[test]
fn a_member_that_the_graph_knew_nothing_of_gives_way_to_one_that_it_knows() {
    let text = "{\n  \"@context\": {\n    \"@vocab\": \"http://schema.org/\"\n  },\n  \"@type\": \"DataFeed\",\n  \
                \"keywords\": [],\n  \"name\": \"n\"\n}";
    let quads = n_quads(&kept("empty", text));
    let root = subject_of(&quads, "DataFeed").to_owned();
    let changed = restored(&format!("{quads}{root} <http://schema.org/keywords> \"k\" <{GRAPH}> .\n"));
    assert_eq!(changed.text, text.replace("[]", "\"k\""));
    assert!(changed.findings.is_empty(), "{:?}", changed.findings);
}

#[test]
fn a_sidecar_without_its_root_is_refused() {
    let text = "{\"@context\": {\"@vocab\": \"http://schema.org/\"}, \"@id\": \"urn:a\", \"name\": \"n\"}";
    let quads = n_quads(&kept("root", text));
    let without: String =
        quads.lines().filter(|line| !line.contains("\"n\"")).map(|line| format!("{line}\n")).collect();
    let quads = read_n_quads(&without);
    let error = DocumentSidecars::new(&quads).restore(GRAPH).err();
    assert_eq!(error.map(|error| error.code.to_string()).as_deref(), Some("sidecar::no-root"));
    let error = DocumentSidecars::new(&quads).restore("urn:other").err();
    assert_eq!(error.map(|error| error.code.to_string()).as_deref(), Some("sidecar::missing"));
}
