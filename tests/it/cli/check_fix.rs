//! `check --fix`: files that are changed in place, what stays in them, and what is refused.

use std::fs;
use std::io::{Read as _, Write as _};

use tempfile::TempDir;

use crate::cli::input::{evalgraph, run};
use crate::fixture_files::{files_below, short};

/// A document with a wrong case, a name that another one has taken the place of, and an alias.
const WRONG: &str = "{\r\n\t\"@context\": {\"s\": \"https:\\/\\/www.schema.org/\"},\r\n\t\"@type\" : \"s:TVseries\",\r\n\
                     \t\"s:n\\u0061me\": \"Caf\u{e9} Name\",   \"s:seasons\": {\"@id\": \"urn:s\"}}";
const RIGHT: &str = "{\r\n\t\"@context\": {\"s\": \"https:\\/\\/schema.org/\"},\r\n\t\"@type\" : \"s:TVSeries\",\r\n\
                     \t\"s:n\\u0061me\": \"Caf\u{e9} Name\",   \"s:containsSeason\": {\"@id\": \"urn:s\"}}";

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("the folder is ours");
    }
    folder
}

fn bytes(folder: &TempDir, name: &str) -> Vec<u8> {
    fs::read(folder.path().join(name)).expect("the file is there")
}

fn utf_16(text: &str) -> Vec<u8> {
    [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
}

fn latin_1(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).expect("it is of Latin-1")).collect()
}

#[test]
fn a_file_is_changed_in_place_and_checked_then() {
    let folder = folder(&[("a.jsonld", WRONG.as_bytes())]);
    let (status, stdout, stderr) = run(folder.path(), &["check", "a.jsonld", "--fix", "--strict"]);
    assert_eq!(status, 0, "{stdout}");
    assert_eq!(stderr, "note[schema-org::fixed]: 3 names and namespaces were changed in 1 file\n");
    assert!(
        stdout.starts_with("a.jsonld: conforms to schema.org (JSON-LD): 0 violations, 0 warnings"),
        "{stdout}"
    );
    assert_eq!(bytes(&folder, "a.jsonld"), RIGHT.as_bytes());
    let (status, _, stderr) = run(folder.path(), &["check", "a.jsonld", "--fix"]);
    assert_eq!((status, stderr.as_str()), (0, ""), "there is nothing more to change");
    assert_eq!(bytes(&folder, "a.jsonld"), RIGHT.as_bytes());
}

#[test]
fn a_dry_run_prints_a_diff_and_writes_nothing() {
    let text = "{\n  \"@context\": \"https://schema.org\",\n  \"@id\": \"urn:a\",\n  \"@type\": \"book\",\n  \"name\": \"A\",\n  \
                \"isbn\": \"1\",\n  \"url\": \"urn:u\",\n  \"text\": \"T\",\n  \"genre\": \"G\",\n  \"version\": 1,\n  \"size\": \"S\",\n  \"Award\": \"W\"}";
    let folder = folder(&[("a.jsonld", text.as_bytes()), ("b.jsonld", RIGHT.as_bytes())]);
    let modified = || {
        fs::metadata(folder.path().join("a.jsonld")).and_then(|file| file.modified()).expect("it is there")
    };
    let before = modified();
    let (status, stdout, stderr) =
        run(folder.path(), &["check", "a.jsonld", "b.jsonld", "--fix", "--dry-run"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let diff = "--- a.jsonld\n+++ a.jsonld\n@@ -1,7 +1,7 @@\n {\n   \"@context\": \"https://schema.org\",\n   \"@id\": \"urn:a\",\n\
                -  \"@type\": \"book\",\n+  \"@type\": \"Book\",\n   \"name\": \"A\",\n   \"isbn\": \"1\",\n   \"url\": \"urn:u\",\n\
                @@ -9,4 +9,4 @@\n   \"genre\": \"G\",\n   \"version\": 1,\n   \"size\": \"S\",\n-  \"Award\": \"W\"}\n\
                \\ No newline at end of file\n+  \"award\": \"W\"}\n\\ No newline at end of file\n";
    assert_eq!(stdout, diff);
    assert_eq!(bytes(&folder, "a.jsonld"), text.as_bytes());
    assert_eq!(modified(), before);
    let written = run(folder.path(), &["check", "a.jsonld", "--fix", "--dry-run", "-o", "a.patch"]);
    assert_eq!(written, (0, String::new(), String::new()));
    assert_eq!(bytes(&folder, "a.patch"), diff.as_bytes());
}

#[test]
fn encodings_marks_and_compression_stay() {
    let with_mark = |text: &str| format!("\u{feff}{text}").into_bytes();
    let gzip = |text: &str| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    };
    let folder = folder(&[
        ("mark.jsonld", &with_mark(WRONG)),
        ("wide.jsonld", &utf_16(WRONG)),
        ("latin.jsonld", &latin_1(WRONG)),
        ("windows.jsonld", &latin_1(WRONG)),
        ("a.jsonld.gz", &gzip(WRONG)),
    ]);
    for (name, options, right) in [
        ("mark.jsonld", &[][..], with_mark(RIGHT)),
        ("wide.jsonld", &["--encoding", "utf-16"], utf_16(RIGHT)),
        ("latin.jsonld", &["--encoding", "latin1"], latin_1(RIGHT)),
        ("windows.jsonld", &["--encoding", "windows-1252"], latin_1(RIGHT)),
    ] {
        let (status, _, stderr) = run(folder.path(), &[&["check", name, "--fix"], options].concat());
        assert_eq!(status, 0, "{name}: {stderr}");
        assert_eq!(bytes(&folder, name), right, "{name}");
    }
    assert_eq!(run(folder.path(), &["check", "a.jsonld.gz", "--fix"]).0, 0);
    let mut opened = String::new();
    let compressed = bytes(&folder, "a.jsonld.gz");
    flate2::read::GzDecoder::new(&*compressed).read_to_string(&mut opened).expect("it is compressed");
    assert_eq!(opened, RIGHT);
    fs::write(folder.path().join("hidden.jsonld"), gzip(WRONG)).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["check", "hidden.jsonld", "--fix"]);
    assert!(status == 2 && stderr.contains("error[schema-org::fix]"), "{stderr}");
    assert_eq!(bytes(&folder, "hidden.jsonld"), gzip(WRONG));
}

#[test]
fn scripts_of_a_page_are_changed_and_the_page_stays() {
    let page = |first: &str, second: &str| {
        format!(
            "<!doctype html><title>Name & www.schema.org</title>\n<script>var Name = \"Name\"</script>\n\
             <script type=\"application/ld+json\">\n{first}\n</script>\n<p itemprop=Name>Name</p>\
             <script type='application/ld+json'>{second}</script>"
        )
    };
    let wrong = r#"{"@context": "https://schema.org", "@type": "Person", "Name": "Ada"}"#;
    let right = wrong.replace("\"Name\"", "\"name\"");
    let folder = folder(&[("a.html", page(WRONG, wrong).as_bytes())]);
    let (status, stdout, stderr) = run(folder.path(), &["check", "a.html", "--fix"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let found = String::from_utf8(bytes(&folder, "a.html")).expect("it is text");
    // The second script has the terms of a context from elsewhere, which the first one follows.
    assert_eq!(found, page(&RIGHT.replace("https:\\/\\/schema.org", "http:\\/\\/schema.org"), &right));
}

#[test]
fn what_cannot_be_changed_is_refused_and_nothing_is_changed() {
    let turtle = "<urn:a> a <http://www.schema.org/Book> .\n";
    let clean = "<urn:a> a <http://schema.org/Book> .\n";
    let folder = folder(&[
        ("a.jsonld", WRONG.as_bytes()),
        ("a.ttl", turtle.as_bytes()),
        ("clean.ttl", clean.as_bytes()),
        ("broken.jsonld", b"{"),
    ]);
    for (arguments, fault) in [
        (&["a.jsonld", "a.ttl"][..], "a.ttl: error[schema-org::fix]"),
        (&["a.jsonld", "broken.jsonld"], "broken.jsonld:1:"),
        (&["a.jsonld", "missing.jsonld"], "error[input::not-found]"),
        (&["a.jsonld", "-"], "error[schema-org::fix]"),
    ] {
        let (status, stdout, stderr) = run(folder.path(), &[&["check", "--fix"], arguments].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(fault), "{arguments:?}: {stderr}");
        assert_eq!(bytes(&folder, "a.jsonld"), WRONG.as_bytes(), "{arguments:?}");
    }
    let (status, _, stderr) = run(folder.path(), &["check", "--fix", "a.jsonld", "clean.ttl"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(bytes(&folder, "clean.ttl"), clean.as_bytes());
    // What is meant to be printed or changed has to be named.
    for arguments in [&["--fix"][..], &["a.jsonld", "--dry-run"], &["a.jsonld", "--normalize", "http"]] {
        assert_eq!(run(folder.path(), &[&["check"], arguments].concat()).0, 2, "{arguments:?}");
    }
}

/// A new file beside the old one has a longer name, which is one too long here.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    const LONGEST: usize = 4095;
    let folder = folder(&[]);
    let mut deep = folder.path().to_owned();
    while deep.as_os_str().len() < LONGEST - 10 {
        let left = LONGEST - 10 - deep.as_os_str().len();
        deep.push("d".repeat(left.saturating_sub(1).clamp(1, 200)));
    }
    fs::create_dir_all(&deep).expect("the folder is ours");
    let file = deep.join("a.json");
    fs::write(&file, WRONG).expect("the folder is ours");
    let (status, _, stderr) = run(folder.path(), &["check", file.to_str().expect("it is text"), "--fix"]);
    assert!(status == 2 && stderr.contains("error[output::unwritable]"), "{stderr}");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), WRONG);
}

#[test]
fn what_stays_is_told() {
    let text = r#"{"@context": "https://schema.org", "@type": "book", "Name": "N", "name": "M"}"#;
    let folder = folder(&[("a.jsonld", text.as_bytes())]);
    let (status, stdout, stderr) = run(folder.path(), &["check", "a.jsonld", "--fix"]);
    assert_eq!(status, 1, "{stderr}");
    assert!(
        stderr.contains("a.jsonld: note[schema-org::not-fixed]: 1 finding has one right answer"),
        "{stderr}"
    );
    assert!(stdout.contains("`Name` is not a property"), "{stdout}");
    assert_eq!(bytes(&folder, "a.jsonld"), text.replace("book", "Book").as_bytes());
}

#[test]
fn one_namespace_can_be_wished_unless_a_context_from_elsewhere_has_the_other() {
    let text = r#"{"@context": {"@vocab": "http://schema.org/"}, "@type": "Book", "name": "N"}"#;
    let remote = r#"{"@context": "https://schema.org", "@type": "Book", "name": "N"}"#;
    let folder = folder(&[("a.jsonld", text.as_bytes()), ("b.jsonld", remote.as_bytes())]);
    let (status, _, stderr) = run(folder.path(), &["check", ".", "--fix", "--normalize", "https"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("./b.jsonld: warning[schema-org::namespace-kept]"), "{stderr}");
    assert_eq!(bytes(&folder, "a.jsonld"), text.replace("http:", "https:").as_bytes());
    assert_eq!(bytes(&folder, "b.jsonld"), remote.as_bytes());
    assert_eq!(run(folder.path(), &["check", ".", "--fix", "--normalize", "http"]).0, 0);
    assert_eq!(bytes(&folder, "a.jsonld"), text.as_bytes());
}

#[test]
fn fixtures_stay_and_come_back_from_wrong_names() {
    let folder = folder(&[]);
    let wrong = [
        ("\"acceptedAnswer\": {", "\"AcceptedAnswer\": {"),
        ("\"text\": ", "\"teXt\": "),
        ("\"@type\": \"SoftwareSourceCode\"", "\"@type\": \"softwareSourceCode\""),
        ("\"programmingLanguage\": \"", "\"ProgrammingLanguage\": \""),
    ];
    let mut changed = 0;
    for path in
        files_below("karenina").into_iter().filter(|path| path.extension().is_some_and(|end| end == "jsonld"))
    {
        let text = fs::read_to_string(&path).expect("it can be read");
        let name = path.file_name().and_then(|name| name.to_str()).expect("it has a name");
        let fix = |text: &str| {
            fs::write(folder.path().join(name), text).expect("the folder is ours");
            let (status, _, stderr) = run(folder.path(), &["check", name, "--fix"]);
            assert!(status < 2, "{}: {stderr}", short(&path));
            String::from_utf8(bytes(&folder, name)).expect("it is text")
        };
        assert_eq!(fix(&text), text, "{} has nothing to change", short(&path));
        let alias = text.replace("://schema.org/\"", "://www.schema.org/\"");
        changed += u32::from(alias != text);
        assert_eq!(fix(&alias), text, "{}", short(&path));
        for (right, wrong) in wrong {
            let at = text.find("dataFeedElement\": [").or_else(|| text.find("hasPart\": [")).unwrap_or(0);
            let mutant = format!("{}{}", &text[..at], text[at..].replace(right, wrong));
            changed += u32::from(mutant != text);
            assert_eq!(fix(&mutant), text, "{}: {wrong}", short(&path));
        }
    }
    assert!(changed >= 50, "{changed} mutants were made");
    let piped = evalgraph(folder.path()).args(["check", "-", "--fix"]).write_stdin(WRONG).output();
    assert_eq!(piped.expect("it runs").status.code(), Some(2));
}
