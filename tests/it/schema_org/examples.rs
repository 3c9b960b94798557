//! schema.org's own examples, which are not part of the project: `EVALGRAPH_SCHEMA_ORG` names the folder of a release,
//! such as `data/releases/30.0` of its repository.

use super::{CheckedText, lines_of};
use crate::beside::skipped;
use evalgraph::schema_org::{CheckLevel, CheckOptions};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The examples of release 30.0 with errors or warnings, each with its rule and the reason.
const NOT_CLEAN: [(&str, &str, &str); 15] = [
    ("eg-0006", "datatype", "`T0M15S` is a duration without its `P`"),
    ("eg-0217", "enum-value", "`AudioBook` is not a book format: `AudiobookFormat` is"),
    ("eg-0252", "datatype", "`1Y` is a duration without its `P`"),
    ("eg-0269", "no-schema-org", "there is no context"),
    ("eg-0287", "bad-iri", "the context makes an IRI of a name with blanks"),
    ("eg-0291", "bad-iri", "a type with blanks"),
    ("eg-0293", "bad-iri", "a type with blanks"),
    ("eg-0298", "dropped-key", "`@url` is not a keyword"),
    ("eg-0348", "no-schema-org", "there is no context"),
    ("eg-0379", "bad-iri", "the context makes an IRI of a name with blanks"),
    ("eg-0448", "bad-iri", "the context makes an IRI of a name with blanks, and URLs begin with a blank"),
    ("eg-0449", "bad-iri", "the context makes an IRI of a name with blanks"),
    ("eg-0457", "bad-iri", "the context makes an IRI of the template of one"),
    ("eg-0460", "no-schema-org", "there is no context"),
    ("eg-0463", "bad-iri", "the context makes an IRI of the template of one"),
];

/// The examples that need a context which is not built in.
const NOT_LOADED: [(&str, &str); 4] = [
    ("eg-0229", "http://health-lifesci.schema.org/"),
    ("eg-0485", "https://www.w3.org/ns/credentials/v2"),
    ("eg-0486", "https://www.w3.org/ns/credentials/v2"),
    ("eg-0488", "https://www.w3.org/ns/credentials/v2"),
];

/// How many examples are JSON-LD.
const RECORDED_SCRIPTS: usize = 460;

/// The scripts of a file of examples, each with the name of its example.
fn scripts(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for example in text.split("TYPES: #").skip(1) {
        let name = example.split_whitespace().next().unwrap_or_default();
        for script in example.split("<script type=\"application/ld+json\"").skip(1) {
            let script = script.split_once('>').map_or("", |(_, rest)| rest);
            found.push((name, script.split("</script>").next().unwrap_or_default()));
        }
    }
    found
}

#[test]
#[ignore = "needs the examples of schema.org in EVALGRAPH_SCHEMA_ORG"]
fn the_examples_of_schema_org_are_clean_but_for_these() {
    let Some(folder) = std::env::var_os("EVALGRAPH_SCHEMA_ORG") else {
        return skipped("the examples of schema.org", "EVALGRAPH_SCHEMA_ORG names no folder of a release");
    };
    let path = PathBuf::from(folder).join("schemaorg-all-examples.txt");
    let text = std::fs::read_to_string(path).expect("the examples can be read");
    let scripts = scripts(&text);
    let (mut not_clean, mut not_loaded, mut told) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (name, script) in &scripts {
        let checked = match CheckedText::loaded(script, Some("https://example.org/doc")) {
            Ok(checked) => checked,
            Err(message) => {
                not_loaded.insert(*name, message);
                continue;
            }
        };
        let mut findings = checked.findings(&CheckOptions::default());
        findings.retain(|finding| finding.level >= CheckLevel::Warning);
        not_clean.extend(findings.iter().map(|finding| (*name, finding.code.name())));
        told.extend(lines_of(&findings).into_iter().map(|line| format!("{name}: {line}")));
    }
    assert_eq!(scripts.len(), RECORDED_SCRIPTS);
    for (name, context) in NOT_LOADED {
        assert!(not_loaded.remove(name).is_some_and(|message| message.contains(context)), "{name}");
    }
    assert_eq!(not_loaded, BTreeMap::new());
    let expected = NOT_CLEAN.map(|(name, rule, _)| (name, rule));
    assert_eq!(not_clean, BTreeMap::from(expected), "{}", told.join("\n"));
}
