//! The formats of the report of `validate`: each says all results, and no text of the data gets out of its place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use evalgraph::diagnostic::validation::{FocusNode, ResultSeverity};
use evalgraph::{ReportFormat, ValidationOutcome};
use serde_json::Value;

use crate::cli::input::run;
use crate::cli::report_schemas::{hold_junit, hold_keys, hold_sarif, list, text};

/// A text that means something to every format.
const HOSTILE: &str = "`a` <script>alert('1')</script> & \"q\" %0A, b:c\r\n::error::x\u{1b}[31m\u{202e} | \
                       [x](http://example.org/) @all {0} ]]> <!-- \u{0}\u{ffff} é";

/// Files with results of every severity, and one without any.
const FILES: [&str; 3] = [
    "fixtures/karenina/s0-cell-biology.jsonld",
    "fixtures/karenina/p2-genomics.jsonld",
    "fixtures/train/general-knowledge",
];

fn checked() -> ValidationOutcome {
    evalgraph::validate(FILES).expect("the fixtures can be checked")
}

/// The results of the fixtures with texts that nobody would write.
fn hostile() -> ValidationOutcome {
    let mut checked = checked();
    checked.files[0].name = format!("./{HOSTILE}");
    for result in &mut checked.files[0].report.results {
        HOSTILE.clone_into(&mut result.message);
        result.value = Some(HOSTILE.to_owned());
        result.path = Some(HOSTILE.into());
        result.focus = FocusNode::Iri(HOSTILE.to_owned());
        let place = result.place.as_mut().expect("the results have places");
        place.source = HOSTILE.into();
        place.pointer = Some(HOSTILE.to_owned());
        HOSTILE.clone_into(&mut place.excerpt.text);
        place.excerpt.marked = 4..12;
        result.related = Some(Box::new(((**place).clone(), HOSTILE.to_owned())));
    }
    for rule in &mut checked.files[0].report.rules {
        rule.title = HOSTILE.into();
    }
    checked
}

fn written(checked: &ValidationOutcome, format: ReportFormat) -> String {
    let mut written = Vec::new();
    checked.write(format, &mut written).expect("memory takes all");
    String::from_utf8(written).expect("it is text")
}

fn results(checked: &ValidationOutcome) -> usize {
    checked.files.iter().map(|file| file.report.results.len()).sum()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn every_format_has_every_result() {
    for checked in [checked(), hostile()] {
        let all = results(&checked);
        assert!(all > 10, "the fixtures have results");
        let of = |format| written(&checked, format);
        let files = json(&of(ReportFormat::Json));
        assert_eq!(list(&files).iter().map(|file| list(&file["results"]).len()).sum::<usize>(), all);
        assert_eq!(of(ReportFormat::JsonLines).lines().map(json).count(), all);
        assert_eq!(rows(&of(ReportFormat::Csv)).len(), all + 1);
        assert_eq!(list(&json(&of(ReportFormat::Sarif))["runs"][0]["results"]).len(), all);
        assert_eq!(list(&json(&of(ReportFormat::GitLab))).len(), all);
        assert_eq!(of(ReportFormat::GitHub).lines().count(), all + 1);
        assert_eq!(of(ReportFormat::Html).matches("<li><p>").count(), all);
        for format in ReportFormat::ALL {
            assert!(of(format).ends_with('\n'), "{format:?}");
            assert_eq!(ReportFormat::from_name(format.name()), Some(format));
        }
    }
}

#[test]
fn no_results_are_a_report_too() {
    let mut checked = checked();
    checked.files.truncate(2);
    checked.files.remove(0);
    for rule in &mut checked.files[0].report.rules {
        rule.results = 0;
    }
    checked.files[0].report.results.clear();
    let of = |format| written(&checked, format);
    assert_eq!(of(ReportFormat::JsonLines), "");
    assert_eq!(rows(&of(ReportFormat::Csv)).len(), 1);
    assert_eq!(of(ReportFormat::GitLab), "[]\n");
    assert_eq!(of(ReportFormat::GitHub), "total: 1 file, 1 conforms; 0 violations, 0 warnings, 0 info\n");
    hold_sarif(&json(&of(ReportFormat::Sarif)));
    hold_junit(&of(ReportFormat::JUnit));
    insta::assert_snapshot!(of(ReportFormat::Markdown), @r#"
    ## Validation: the file conforms

    0 violations, 0 warnings, 0 info.

    | file | | violation | warning | info |
    |---|---|--:|--:|--:|
    | `fixtures/karenina/p2-genomics.jsonld` | conforms to karenina | 0 | 0 | 0 |
    "#);
    insta::assert_snapshot!(of(ReportFormat::Table), @r#"
    severity  rule  place  message
    ──────────────────────────────
    total: 1 file, 1 conforms; 0 violations, 0 warnings, 0 info
    "#);
}

#[test]
fn json_has_the_usual_layout() {
    let text = written(&hostile(), ReportFormat::Json);
    let usual = serde_json::to_string_pretty(&json(&text)).expect("it is JSON");
    assert_eq!(text, usual + "\n");
}

#[test]
fn lines_and_rows_have_the_words_of_shacl() {
    let checked = hostile();
    let lines: Vec<Value> = written(&checked, ReportFormat::JsonLines).lines().map(json).collect();
    let rows = rows(&written(&checked, ReportFormat::Csv));
    let lines_of_fixtures = written(&self::checked(), ReportFormat::JsonLines);
    insta::assert_snapshot!(lines_of_fixtures.lines().next().unwrap_or_default(), @r#"{"resultSeverity":"violation","sourceShape":"K-S7","sourceConstraintComponent":null,"focusNode":"/hasPart/1/item/rating/1","resultPath":"ratingValue","value":"6","resultMessage":"`ratingValue` is 6, outside of 1 to 5","file":"fixtures/karenina/s0-cell-biology.jsonld","line":177,"column":28,"pointer":"/hasPart/1/item/rating/1/ratingValue"}"#);
    let all = checked.files.iter().flat_map(|file| &file.report.results);
    for ((result, line), row) in all.zip(&lines).zip(&rows[1..]) {
        assert_eq!(line["resultMessage"], result.message.as_str());
        assert_eq!(line["focusNode"], result.focus.as_str());
        assert_eq!(line["sourceShape"], &*result.rule);
        assert_eq!(line["sourceConstraintComponent"], Value::Null);
        for (name, cell) in rows[0].iter().zip(row) {
            let value = match &line[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(*cell, value, "{name}");
        }
    }
}

/// Reads CSV (RFC 4180).
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut is_quoted, mut signs) = (false, text.chars().peekable());
    while let Some(sign) = signs.next() {
        match sign {
            '"' if is_quoted && signs.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(sign),
        }
    }
    assert!(!is_quoted && row.is_empty() && cell.is_empty(), "the last row has an end");
    rows
}

#[test]
fn sarif_is_as_its_schema_has_it() {
    hold_sarif(&json(&written(&checked(), ReportFormat::Sarif)));
    hold_sarif(&json(&written(&hostile(), ReportFormat::Sarif)));
}

#[test]
fn sarif_has_rules_places_and_fingerprints() {
    let log = json(&written(&checked(), ReportFormat::Sarif));
    let run = &log["runs"][0];
    let rules = list(&run["tool"]["driver"]["rules"]);
    let rule = rules.iter().find(|rule| rule["id"] == "K-S7").expect("the rule is there");
    insta::assert_snapshot!(rule, @r#"{"id":"K-S7","shortDescription":{"text":"`ratingValue` must lie in its range"},"fullDescription":{"text":"A rule of karenina (karenina-spec): `ratingValue` must lie in its range."},"help":{"text":"Rule: `ratingValue` must lie in its range.\nDemands: `worstRating` ≤ `ratingValue` ≤ `bestRating`.\nWhy: Values are compared across questions as shares of their range. A 6 on a scale from 1 to 5 yields more than 100 %, and raises every average that it enters.\nViolates it, at /hasPart/0/item/rating/1:\n    \"ratingValue\": 6, \"bestRating\": 5, \"worstRating\": 1\nSatisfies it:\n    \"ratingValue\": 5, \"bestRating\": 5, \"worstRating\": 1\nTo do: Decide which of the three numbers is wrong: the value, or the scale. Only the rater knows, so no command does it.","markdown":"*violation; profile karenina-spec of karenina: `ratingValue` must lie in its range.*\n\n`worstRating` ≤ `ratingValue` ≤ `bestRating`.\n\nWhy: Values are compared across questions as shares of their range. A 6 on a scale from 1 to 5 yields more than 100 %, and raises every average that it enters.\n\nViolates it, at /hasPart/0/item/rating/1:\n\n```text\n\"ratingValue\": 6, \"bestRating\": 5, \"worstRating\": 1\n```\n\nSatisfies it:\n\n```text\n\"ratingValue\": 5, \"bestRating\": 5, \"worstRating\": 1\n```\n\nTo do: Decide which of the three numbers is wrong: the value, or the scale. Only the rater knows, so no command does it."},"defaultConfiguration":{"level":"error"}}"#);
    // Only rules with results have the whole explanation.
    let with_results: BTreeSet<&str> =
        list(&run["results"]).iter().map(|result| text(&result["ruleId"])).collect();
    for rule in rules {
        let is_whole = text(&rule["help"]["markdown"]).contains("Violates it");
        assert_eq!(is_whole, with_results.contains(text(&rule["id"])), "{rule}");
    }
    let result = list(&run["results"]).iter().find(|result| result["ruleId"] == "K-S7");
    insta::assert_snapshot!(result.expect("it has a result"), @r#"{"ruleId":"K-S7","ruleIndex":6,"level":"error","message":{"text":"`ratingValue` is 6, outside of 1 to 5"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"fixtures/karenina/s0-cell-biology.jsonld","uriBaseId":"%SRCROOT%"},"region":{"startLine":177,"startColumn":28,"endLine":177,"endColumn":29}},"logicalLocations":[{"fullyQualifiedName":"/hasPart/1/item/rating/1/ratingValue"}]}],"partialFingerprints":{"evalgraph/v1":"263a387d4305380a402d0718967b4eeb:1"},"properties":{"focusNode":"/hasPart/1/item/rating/1","resultPath":"ratingValue","value":"6"}}"#);
}

#[test]
fn junit_is_as_its_schema_has_it() {
    let root = hold_junit(&written(&checked(), ReportFormat::JUnit));
    let mut severities = BTreeMap::<&str, usize>::new();
    for case in root.children.iter().flat_map(|suite| &suite.children).flat_map(|case| &case.children) {
        *severities.entry(&case.name).or_default() += 1;
    }
    assert!(severities["failure"] > 0 && severities["system-out"] > 0 && severities["skipped"] > 0);
    let mut cases = root.children[0].children.iter();
    let case = cases.find(|case| case.children.iter().any(|child| child.name == "failure"));
    let case = case.expect("a rule has violations");
    assert_eq!(case.attributes["classname"], "karenina-spec.fixtures/karenina/s0-cell-biology_jsonld");
    assert_eq!(case.attributes["name"], "K-S7: `ratingValue` must lie in its range");
    assert_eq!(case.children[0].attributes["message"], "2 results in 12 objects checked");
    insta::assert_snapshot!(case.children[0].text, @r#"
    fixtures/karenina/s0-cell-biology.jsonld:177:28: `ratingValue` is 6, outside of 1 to 5
      at /hasPart/1/item/rating/1/ratingValue
    fixtures/karenina/s0-cell-biology.jsonld:362:28: `ratingValue` is 2, outside of 0 to 1
      at /hasPart/4/item/rating/2/ratingValue
    "#);
    let hostile = hold_junit(&written(&hostile(), ReportFormat::JUnit));
    let texts: Vec<&str> = hostile.children[0]
        .children
        .iter()
        .flat_map(|case| &case.children)
        .filter(|child| child.name != "skipped")
        .map(|child| &*child.text)
        .collect();
    assert!(texts.iter().all(|text| text.contains("<script>alert('1')</script>")), "{texts:?}");
}

#[test]
fn a_line_of_github_is_one_command() {
    let text = written(&hostile(), ReportFormat::GitHub);
    let mut lines: Vec<&str> = text.lines().collect();
    assert!(lines.pop().is_some_and(|line| line.starts_with("total: 3 files, 2 conform, 1 does not; ")));
    for line in &lines {
        let (command, rest) =
            line.strip_prefix("::").and_then(|line| line.split_once(' ')).expect("a command");
        assert!(["error", "warning", "notice"].contains(&command), "{line}");
        let (properties, message) = rest.split_once("::").expect("a message");
        for property in properties.split(',') {
            let (name, value) = property.split_once('=').expect("a property");
            assert!(["file", "line", "col", "endColumn", "title"].contains(&name), "{line}");
            assert!(!value.contains(':'), "{line}");
        }
        assert!(!message.contains(|c: char| c.is_control() || c == '\u{202e}'), "{line}");
    }
    let title =
        "title=K-S7%3A `a` <script>alert('1')</script> & \"q\" %250A%2C b%3Ac%0D%0A%3A%3Aerror%3A%3Ax␛[31m";
    assert!(lines[0].contains(title), "{}", lines[0]);
    let message = "::`a` <script>alert('1')</script> & \"q\" %250A, b:c%0D%0A::error::x␛[31m";
    assert!(lines[0].contains(message), "{}", lines[0]);
    let lines = written(&checked(), ReportFormat::GitHub);
    insta::assert_snapshot!(lines.lines().next().unwrap_or_default(), @r#"::error file=fixtures/karenina/s0-cell-biology.jsonld,line=177,col=28,endColumn=29,title=K-S7%3A `ratingValue` must lie in its range::`ratingValue` is 6, outside of 1 to 5 (at /hasPart/1/item/rating/1/ratingValue)"#);
    let lines = lines.lines().filter(|line| line.starts_with("::notice"));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    ::notice file=fixtures/karenina/p2-genomics.jsonld,line=239,col=20,title=K-X7%3A no callable should have code%3A the library would run it when it is used::the trait contains code that the library runs: use it only if you trust its source (at /rating/5/additionalProperty/0/value)
    ::notice file=fixtures/train/general-knowledge/corpus/Ceramics.txt,title=T-C1%3A each file of the corpus should be named by a row::no row names the file
    ::notice file=fixtures/train/general-knowledge,title=T-C3%3A the files of the corpus should have one extension%3A the evaluator takes one::10 files: 7 .txt, 1 .html, 1 .md, 1 .pdf; the type `txt` takes 7
    "#);
}

#[test]
fn gitlab_has_a_fingerprint_for_each_result() {
    for checked in [checked(), hostile()] {
        let issues = json(&written(&checked, ReportFormat::GitLab));
        let mut fingerprints = BTreeSet::new();
        for issue in list(&issues) {
            hold_keys(issue, &["description", "check_name", "fingerprint", "severity", "location"], &[]);
            assert!(["info", "minor", "major"].contains(&text(&issue["severity"])));
            let location = hold_keys(&issue["location"], &["path", "lines"], &[]);
            assert!(!text(&location["path"]).starts_with("./"));
            assert!(location["lines"]["begin"].as_u64() > Some(0));
            assert!(fingerprints.insert(text(&issue["fingerprint"]).to_owned()), "{issue}");
        }
    }
    let issues = json(&written(&checked(), ReportFormat::GitLab));
    insta::assert_snapshot!(issues[0], @r#"{"description":"`ratingValue` is 6, outside of 1 to 5","check_name":"K-S7","fingerprint":"263a387d4305380a402d0718967b4eeb:1","severity":"major","location":{"path":"fixtures/karenina/s0-cell-biology.jsonld","lines":{"begin":177}}}"#);
}

#[test]
fn markdown_has_no_markup_of_the_data() {
    insta::assert_snapshot!(written(&checked(), ReportFormat::Markdown), @r#"
    ## Validation: 1 of 3 files does not conform

    3 violations, 8 warnings, 3 info.

    | file | | violation | warning | info |
    |---|---|--:|--:|--:|
    | `fixtures/karenina/s0-cell-biology.jsonld` | does not conform to karenina-spec | 3 | 8 | 0 |
    | `fixtures/train/general-knowledge/train.json` | conforms to seed | 0 | 0 | 2 |
    | `fixtures/karenina/p2-genomics.jsonld` | conforms to karenina | 0 | 0 | 1 |

    | rule | severity | results | checked | |
    |---|---|--:|--:|---|
    | `K-S7` | violation | 2 | 12 | `ratingValue` must lie in its range |
    | `K-S8` | violation | 1 | 7 | `ratingValue` of a boolean trait must be 0 or 1 |
    | `K-X8` | warning | 8 | 12 | two ratings should not share one `@id` |
    | `K-X7` | info | 1 | 1 | no callable should have code: the library would run it when it is used |
    | `T-C1` | info | 1 | 10 | each file of the corpus should be named by a row |
    | `T-C3` | info | 1 | 1 | the files of the corpus should have one extension: the evaluator takes one |

    ### `K-S7`: `ratingValue` must lie in its range

    - `fixtures/karenina/s0-cell-biology.jsonld:177:28` `ratingValue` is 6, outside of 1 to 5 (at `/hasPart/1/item/rating/1/ratingValue`)
    - `fixtures/karenina/s0-cell-biology.jsonld:362:28` `ratingValue` is 2, outside of 0 to 1 (at `/hasPart/4/item/rating/2/ratingValue`)

    ### `K-S8`: `ratingValue` of a boolean trait must be 0 or 1

    - `fixtures/karenina/s0-cell-biology.jsonld:362:28` `ratingValue` is 2, and the trait is boolean: 0 or 1 (at `/hasPart/4/item/rating/2/ratingValue`)

    ### `K-X8`: two ratings should not share one `@id`

    - `fixtures/karenina/s0-cell-biology.jsonld:164:20` another rating has the id `"urn:uuid:rating-accuracy"`: the user interface makes it from the name only (at `/hasPart/1/item/rating/0/@id`)
    - `fixtures/karenina/s0-cell-biology.jsonld:174:20` another rating has the id `"urn:uuid:rating-completeness"`: the user interface makes it from the name only (at `/hasPart/1/item/rating/1/@id`)
    - `fixtures/karenina/s0-cell-biology.jsonld:223:20` another rating has the id `"urn:uuid:rating-accuracy"`: the user interface makes it from the name only (at `/hasPart/2/item/rating/0/@id`)
    - `fixtures/karenina/s0-cell-biology.jsonld:233:20` another rating has the id `"urn:uuid:rating-completeness"`: the user interface makes it from the name only (at `/hasPart/2/item/rating/1/@id`)
    - `fixtures/karenina/s0-cell-biology.jsonld:281:20` another rating has the id `"urn:uuid:rating-accuracy"`: the user interface makes it from the name only (at `/hasPart/3/item/rating/0/@id`)
    - … and 3 more

    ### `K-X7`: no callable should have code: the library would run it when it is used

    - `fixtures/karenina/p2-genomics.jsonld:239:20` the trait contains code that the library runs: use it only if you trust its source (at `/rating/5/additionalProperty/0/value`)

    ### `T-C1`: each file of the corpus should be named by a row

    - `fixtures/train/general-knowledge/corpus/Ceramics.txt` no row names the file

    ### `T-C3`: the files of the corpus should have one extension: the evaluator takes one

    - `fixtures/train/general-knowledge` 10 files: 7 .txt, 1 .html, 1 .md, 1 .pdf; the type `txt` takes 7
    "#);
    let text = written(&hostile(), ReportFormat::Markdown);
    for line in text.lines().filter(|line| line.contains("alert")) {
        // All of it stands in code spans, whose fences are longer than the back quotes of the text.
        let outside: String = line.split("``").step_by(2).collect();
        for sign in ["<", "](", "@", "http"] {
            assert!(!outside.contains(sign), "{line}");
        }
    }
}

#[test]
fn a_report_for_people_says_what_it_leaves_out() {
    let mut checked = checked();
    let report = &mut checked.files[0].report;
    let rule = report.rules.iter_mut().find(|rule| rule.id == "K-S7").expect("the rule is there");
    rule.results += 20_000;
    let result = report.results.iter().find(|result| result.rule == "K-S7").expect("it has results").clone();
    report.results.extend(std::iter::repeat_n(result, 20_000));
    let markdown = written(&checked, ReportFormat::Markdown);
    assert!(markdown.contains("\n- … and 19,997 more\n"), "{markdown}");
    let table = written(&checked, ReportFormat::Table);
    assert!(table.contains("\n… and 20,000 more: at most 5 per rule and file are shown\n"), "{table}");
    let html = written(&checked, ReportFormat::Html);
    assert!(html.contains(" more, which this page leaves out</p>"), "it says so");
    let items = html.matches("<li><p>").count();
    assert!((4_900..=5_000).contains(&items), "{items}");
}

#[test]
fn a_page_asks_for_nothing_and_runs_nothing_of_the_data() {
    for checked in [checked(), hostile()] {
        let page = written(&checked, ReportFormat::Html);
        let lower = page.to_lowercase();
        assert_eq!(lower.matches("<script").count(), 1);
        assert_eq!(lower.matches("<style").count(), 1);
        assert!(page.contains("default-src 'none'"));
        let tags = lower.split('<').skip(1).filter_map(|rest| rest.split('>').next());
        let allowed = [
            "!doctype", "html", "head", "meta", "title", "style", "body", "header", "h1", "h2", "p", "ul",
            "li", "b", "div", "label", "select", "option", "input", "output", "main", "section", "details",
            "summary", "span", "small", "ol", "pre", "mark", "code", "script",
        ];
        let (before, rest) = lower.split_once("<script>").expect("the script is there");
        let after = rest.split_once("</script>").expect("it ends").1;
        for tag in [before, after].into_iter().flat_map(|part| part.split('<').skip(1)) {
            let tag = tag.split('>').next().unwrap_or_default();
            let name = tag.trim_start_matches('/').split_whitespace().next().unwrap_or_default();
            assert!(allowed.contains(&name), "<{tag}>");
            for attribute in [" on", " src=", " href=", " action=", " style="] {
                assert!(!tag.contains(attribute), "<{tag}>");
            }
        }
        assert!(tags.count() > 50);
        assert!(!page.chars().any(|c| c.is_control() && c != '\n' || c == '\u{202e}'));
    }
}

#[test]
fn a_severity_is_shown_and_counted_from_there_upward() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = FILES[0];
    let run = |arguments: &[&str]| run(folder, &[&["validate", file], arguments].concat());
    let (status, stdout, _) = run(&["--severity", "violation"]);
    assert_eq!(status, 1);
    assert!(
        stdout.lines().next().is_some_and(|line| line.ends_with("(dialect S0): 3 violations")),
        "{stdout}"
    );
    assert!(!stdout.contains(" warning: "), "{stdout}");
    for format in ["json", "sarif", "jsonl"] {
        let (status, all, _) = run(&["--format", format]);
        let (same, some, _) = run(&["--format", format, "--severity", "warning"]);
        assert_eq!(status, same);
        assert!(
            some.len() <= all.len() && some.contains("warning") && !some.contains("\"info\""),
            "{format}"
        );
    }
    let json = json(&run(&["--format", "json", "--severity", "warning"]).1);
    assert_eq!(json[0]["warnings"], 8);
    assert!(json[0].get("infos").is_none());
    // A warning that is not shown counts under `--strict` all the same.
    let strict = ["validate", "fixtures/karenina/g-ecology.jsonld", "--severity", "violation", "--strict"];
    assert_eq!(self::run(folder, &strict).0, 1);
    assert_eq!(self::run(folder, &strict[..4]).0, 0);
}

#[test]
fn all_files_are_counted_together() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (status, stdout, _) = run(folder, &[&["validate"], &FILES[..]].concat());
    assert_eq!(status, 1);
    let checked = checked();
    let count = |severity| checked.files.iter().map(|file| file.report.count(severity)).sum::<u64>();
    let [violations, warnings, infos] = ResultSeverity::ALL.map(count);
    let total = format!(
        "\ntotal: 3 files, 2 conform, 1 does not; {violations} violations, {warnings} warnings, {infos} info\n"
    );
    assert!(stdout.ends_with(&total), "{stdout}");
}

#[test]
fn what_is_said_of_several_files_is_said_of_their_folder() {
    let files = ["fixtures/kwanzaa/citation.json", "./fixtures/kwanzaa/refusal.json"];
    let checked = evalgraph::validate(files).expect("the fixtures can be checked");
    let all = checked.files.last().expect("there are files");
    assert_eq!(all.name, "all files");
    let of_all = all.report.results.len();
    assert!(of_all > 0, "the files together have results");
    let log = json(&written(&checked, ReportFormat::Sarif));
    hold_sarif(&log);
    let result = list(&log["runs"][0]["results"]).last().expect("there are results");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(
        *location,
        serde_json::json!({"artifactLocation": {"uri": "fixtures/kwanzaa", "uriBaseId": "%SRCROOT%"}})
    );
    let issues = json(&written(&checked, ReportFormat::GitLab));
    let issue = list(&issues).last().expect("there are results");
    assert_eq!(issue["location"], serde_json::json!({"path": "fixtures/kwanzaa", "lines": {"begin": 1}}));
    let lines = written(&checked, ReportFormat::GitHub);
    assert_eq!(
        lines.lines().filter(|line| line.starts_with("::") && !line.contains(" file=")).count(),
        of_all
    );
    assert!(lines.contains("\ntotal: 2 files, all conform; "), "{lines}");
}

#[test]
fn a_program_can_leave_out_what_it_knows() {
    let mut checked = checked();
    let saved = written(&checked, ReportFormat::Sarif);
    let saved = evalgraph::json::parse("old.sarif", saved, evalgraph::json::Limits::default());
    let (all, files) = (results(&checked), checked.files.len());
    let compared = checked.leave_out(&saved.expect("it is JSON")).expect("it is a report");
    assert_eq!((compared.left_out, compared.gone), (all as u64, 0));
    assert_eq!((results(&checked), checked.files.len()), (0, files));
    assert!(checked.conforms());
    assert!(written(&checked, ReportFormat::Markdown).starts_with("## Validation: no new violation\n"));
    let mut checked = self::checked();
    checked.keep_from(ResultSeverity::Warning);
    let text = written(&checked, ReportFormat::Text);
    assert!(text.ends_with("\ntotal: 3 files, 2 conform, 1 does not; 3 violations, 8 warnings\n"), "{text}");
}
