//! A Karenina checkpoint of the specification's dialect with any number of questions: about 4 KB
//! of pretty-printed JSON, 1 KB of template code and 55 quads a question.

use super::random::Random;
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const WORDS: [&str; 32] = [
    "protein",
    "drug",
    "dataset",
    "pathway",
    "binding",
    "target",
    "gene",
    "cell",
    "disease",
    "trial",
    "patient",
    "response",
    "dose",
    "tumour",
    "receptor",
    "mutation",
    "expression",
    "inhibitor",
    "cohort",
    "placebo",
    "outcome",
    "sample",
    "assay",
    "kinase",
    "membrane",
    "signal",
    "variant",
    "enzyme",
    "Grüße",
    "naïve",
    "β-catenin",
    "蛋白质",
];

/// How many distinct quads a checkpoint of that many questions has.
pub(crate) fn quads(questions: usize) -> usize {
    55 * questions + 11
}

/// The context of the checkpoint.
pub(crate) fn context() -> Value {
    let mut context = Map::new();
    context.insert("@version".to_owned(), json!(1.1));
    context.insert("@vocab".to_owned(), json!("http://schema.org/"));
    let plain = "Dataset DataFeedItem Question Answer SoftwareSourceCode Rating PropertyValue version name \
                 description creator dateCreated dateModified text programmingLanguage codeRepository \
                 ratingValue bestRating worstRating ratingExplanation author value url identifier";
    for term in plain.split_whitespace() {
        context.insert(term.to_owned(), json!(term));
    }
    for term in ["hasPart", "rating", "additionalProperty"] {
        context.insert(term.to_owned(), json!({"@id": term, "@container": "@set"}));
    }
    for term in ["item", "acceptedAnswer"] {
        context.insert(term.to_owned(), json!({"@id": term, "@type": "@id"}));
    }
    Value::Object(context)
}

/// The text of a checkpoint, always the same for the same number of questions.
pub(crate) fn text(questions: usize) -> String {
    let mut text = Vec::new();
    write(questions, &mut text).expect("there is room in memory");
    String::from_utf8(text).expect("it is text")
}

/// Writes a checkpoint into a folder.
pub(crate) fn write_into(folder: &Path, questions: usize) -> PathBuf {
    let file = folder.join("checkpoint.jsonld");
    let mut out = BufWriter::new(File::create(&file).expect("the corpus can be written"));
    write(questions, &mut out).and_then(|()| out.flush()).expect("there is room");
    file
}

/// Writes the text of a checkpoint.
pub(crate) fn write(questions: usize, out: &mut impl Write) -> io::Result<()> {
    let mut random = Random::new(7);
    let head = json!({
        "@context": context(),
        "@type": "Dataset",
        "@id": "urn:uuid:karenina-checkpoint-1700000000",
        "version": "3.0.0-jsonld",
        "name": format!("generated {questions}"),
        "description": words(&mut random, 10),
        "creator": "Karenina Benchmarking System",
        "dateCreated": "2025-01-01T00:00:00.000Z",
        "dateModified": "2025-01-02T00:00:00.000Z",
        "additionalProperty": [
            {"@type": "PropertyValue", "name": "checkpoint_format_version", "value": "3.0.0-jsonld"}
        ],
    });
    let head = format!("{head:#}");
    writeln!(out, "{},\n  \"hasPart\": [", &head[..head.len() - "\n}".len()])?;
    for number in 0..questions {
        let separator = if number + 1 < questions { "," } else { "" };
        let question = format!("{:#}", question(&mut random, number)).replace('\n', "\n    ");
        writeln!(out, "    {question}{separator}")?;
    }
    out.write_all(b"  ]\n}\n")
}

fn words(random: &mut Random, count: usize) -> String {
    random.words(&WORDS, count, " ")
}

fn question(random: &mut Random, number: usize) -> Value {
    let bits = random.bits();
    let id = format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{number:012x}",
        bits >> 32,
        number & 0xffff,
        bits >> 12 & 0xfff,
        bits & 0xfff
    );
    let text = format!("What is the {} of the {}?", words(random, 4), words(random, 5));
    let name: String = text.chars().take(30).collect();
    let time = format!(
        "2025-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        random.below(12) + 1,
        random.below(28) + 1,
        random.below(24),
        random.below(60),
        random.below(60),
        random.below(1000)
    );
    let ratings = ["Accuracy", "Quality", "Completeness"].map(|name| rating(random, name));
    let difficulty = (random.fraction() * 10_000.0).round() / 1000.0 + 0.0001;
    json!({
        "@type": "DataFeedItem",
        "@id": format!("urn:uuid:{id}"),
        "dateCreated": time,
        "dateModified": time,
        "item": {
            "@type": "Question",
            "@id": format!("urn:uuid:question-{}-{number:x}", &id[..8]),
            "text": text,
            "acceptedAnswer":
                {"@type": "Answer", "@id": format!("urn:uuid:answer-{id}"), "text": words(random, 12)},
            "hasPart": {
                "@type": "SoftwareSourceCode",
                "@id": format!("urn:uuid:template-{id}"),
                "name": format!("{name}... Answer Template"),
                "text": code(random),
                "programmingLanguage": "Python",
                "codeRepository": "karenina-benchmarks",
            },
            "rating": ratings,
            "additionalProperty": [
                {"@type": "PropertyValue", "name": "finished", "value": random.fraction() < 0.8},
                {"@type": "PropertyValue", "name": "custom_difficulty", "value": difficulty},
                {
                    "@type": "PropertyValue",
                    "name": "original_answer_template",
                    "value": words(random, 20),
                },
            ],
        },
    })
}

fn rating(random: &mut Random, name: &str) -> Value {
    let boolean = name == "Accuracy";
    let (worst, best) = if boolean { (0, 1) } else { (1, 5) };
    json!({
        "@type": "Rating",
        "name": name,
        "description": format!("{}?", words(random, 9)),
        "ratingValue": worst + random.below(best - worst + 1),
        "bestRating": best,
        "worstRating": worst,
        "author": "Question-Specific Rubric",
        "ratingExplanation": words(random, 6),
    })
}

fn code(random: &mut Random) -> String {
    let mut code = "from karenina.schemas.entities import BaseAnswer\nfrom pydantic import Field\n\n\
                    class Answer(BaseAnswer):\n"
        .to_owned();
    code.push_str(&format!("    \"\"\"{}\"\"\"\n", words(random, 8)));
    for field in 0..6 {
        code.push_str(&format!(
            "    field_{field}: str = Field(description=\"{}\", default=\"{}\")\n",
            words(random, 5),
            words(random, 1)
        ));
    }
    code.push_str(&format!(
        "\n    def model_post_init(self, __context):\n        \
         self.correct = {{\"field_0\": \"{}\"}}\n        \
         self.regex = {{\"field_1\": r\"\\b({})\\b\"}}\n\n    \
         def verify(self) -> bool:\n        \
         return self.field_0.strip().lower() == self.correct[\"field_0\"].lower()\n",
        words(random, 2),
        random.words(&WORDS, 4, "|")
    ));
    let rest = 1024_usize.saturating_sub(code.chars().count()) / 8;
    code.push_str(&format!("# {}\n", words(random, rest)));
    code
}
