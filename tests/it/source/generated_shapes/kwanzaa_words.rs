//! The shapes of Kwanzaa that say something about every word of a list: categories, personas, principles.

use std::fmt::Write as _;

use evalgraph::source::kwanzaa::{CATEGORIES, PERSONAS, PRINCIPLES};

use super::turtle_text::{in_words, quoted};

/// The path from the class of datasets to their samples.
const SAMPLES: &str = "[ sh:inversePath rdf:type ] schema:dataFeedElement";

/// The shapes of Kwanzaa's words.
pub(super) fn turtle() -> String {
    let categories = CATEGORIES.map(quoted).join(", ");
    let personas = PERSONAS.map(quoted).join(", ");
    let mut text = one_persona() + &convention_of_ids();
    for (about, path, words, message) in [
        ("category", "schema:teaches", &CATEGORIES[..], format!("of one of the categories {categories}")),
        (
            "persona",
            "schema:audience schema:educationalRole",
            &PERSONAS[..],
            format!("for one of the personas {personas}"),
        ),
        (
            "principle",
            "schema:about schema:name",
            &PRINCIPLES[..],
            format!("of one of the {} principles {}", in_words(PRINCIPLES.len()), PRINCIPLES.join(", ")),
        ),
    ] {
        let plural = if about == "category" { "categories".to_owned() } else { format!("{about}s") };
        let all: Vec<String> = words.iter().map(|word| format!("sh:hasValue {}", quoted(word))).collect();
        let has_all = format!(
            "[ sh:property [ sh:path ( {SAMPLES} schema:item {path} ) ;\n            {} ] ]",
            all.join(" ; ")
        );
        let (name, title) = (format!("W-25-{about}"), format!("all {plural}"));
        text +=
            &of_all_samples(&name, &title, &[has_all], "Warning", &format!("There is no sample {message}."));
    }
    for category in CATEGORIES {
        let count = |constraint: &str| {
            format!(
                "[ sh:property [ sh:path ( {SAMPLES} schema:item ) ;\n            {constraint} ;\n            \
                 sh:qualifiedValueShape [ sh:property [ sh:path schema:teaches ; sh:hasValue \"{category}\" ] ] ] ]"
            )
        };
        let counts = [count("sh:qualifiedMaxCount 0"), count("sh:qualifiedMinCount 5")];
        let (name, title) = (format!("W-26-{category}"), format!("number of samples of category {category}"));
        let message = format!("There are fewer than 5 samples of category \"{category}\".");
        text += &of_all_samples(&name, &title, &counts, "Info", &message);
    }
    text
}

/// A shape about all samples of a graph together, which a graph without samples fits.
fn of_all_samples(name: &str, title: &str, either: &[String], severity: &str, message: &str) -> String {
    format!(
        "egw:{name}\n    a sh:NodeShape ;\n    sh:name \"{title}\" ;\n    sh:targetNode eg:TrainingDataset ;\n    \
         sh:or (\n        [ sh:property [ sh:path ( {SAMPLES} ) ; sh:maxCount 0 ] ]\n        {}\n    ) ;\n    \
         sh:severity sh:{severity} ;\n    sh:message {} .\n\n",
        either.join("\n        "),
        quoted(message)
    )
}

/// The shape that compares the persona of an answer with that of its sample.
fn one_persona() -> String {
    let paths = ["", "schema:acceptedAnswer "]
        .map(|before| format!("sh:path ( {before}schema:audience schema:educationalRole )"));
    let list = PERSONAS.map(quoted).join(" ");
    let mut either: Vec<String> = paths
        .iter()
        .map(|path| {
            format!("[ sh:not [ sh:property [ {path} ; sh:minCount 1 ;\n            sh:in ( {list} ) ] ] ]")
        })
        .collect();
    for persona in PERSONAS.map(quoted) {
        let [sample, answer] = paths.each_ref().map(|path| format!("[ {path} ; sh:hasValue {persona} ]"));
        either.push(format!("[ sh:property {sample} ,\n            {answer} ]"));
    }
    format!(
        "egw:W-2\n    a sh:PropertyShape ;\n    sh:name \"one persona\" ;\n    sh:path schema:item ;\n    \
         sh:or (\n        {}\n    ) ;\n    \
         sh:message \"`persona` of `expected_output` is not the `persona` of the sample.\" .\n\n",
        either.join("\n        ")
    )
}

/// The shape that compares the id of a sample with its category and persona.
fn convention_of_ids() -> String {
    let mut filters = String::new();
    for (variable, words) in [("category", CATEGORIES.join("|")), ("persona", PERSONAS.join("|"))] {
        let _ = writeln!(filters, "                FILTER (REGEX(STR(?{variable}), \"^({words})$\"))");
    }
    format!(
        r#"egw:W-24
    a sh:PropertyShape ;
    sh:name "convention of ids" ;
    sh:path schema:identifier ;
    sh:severity sh:Info ;
    sh:sparql [
        a sh:SPARQLConstraint ;
        sh:message "`sample_id` is not the category, the persona and a number, as in `{}_{}_001`." ;
        sh:prefixes <urn:evalgraph:shapes:kwanzaa> ;
        sh:select """
            SELECT $this ?value WHERE {{
                $this schema:identifier ?value ; schema:item ?question .
                ?question schema:teaches ?category ; schema:audience/schema:educationalRole ?persona .
{filters}                FILTER (REGEX(STR(?value), "^[a-z0-9_]+$"))
                FILTER (!REGEX(STR(?value), CONCAT("^", STR(?category), "_", STR(?persona), "_[0-9]+$")))
            }}"""
    ] .

"#,
        CATEGORIES[0], PERSONAS[0]
    )
}
