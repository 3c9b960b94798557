//! JSON-LD in HTML beyond the suite: what is a script and what is not, places of faults, and pages
//! on the command line.

use std::fs;

use crate::cli::input::{evalgraph, run};
use evalgraph::json::Limits;
use evalgraph::jsonld::{HtmlPage, ScriptSelection};

/// What the scripts of a page hold, all of them: a number each.
fn numbers(page: &str) -> Vec<String> {
    let all = ScriptSelection { extract_all_scripts: true, ..ScriptSelection::default() };
    let page =
        HtmlPage::parse("page.html", page.to_owned(), all, Limits::default()).expect("scripts of JSON");
    let document = &page.document;
    document.items(document.root()).map(|item| document.raw(item).to_owned()).collect()
}

fn chosen(page: &str, selection: ScriptSelection<'_>) -> Result<String, String> {
    HtmlPage::parse("page.html", page.to_owned(), selection, Limits::default())
        .map(|page| page.document.raw(page.document.root()).to_owned())
        .map_err(|error| error.to_string())
}

fn script(number: u32) -> String {
    format!("<script type=application/ld+json>{number}</script>")
}

#[test]
fn a_script_is_one_where_a_browser_sees_one() {
    let (one, two) = (script(1), script(2));
    for (page, expected) in [
        (format!("{one}{two}"), &["1", "2"][..]),
        (format!("<SCRIPT TYPE=' Application/LD+JSON ; charset=utf-8'>1</Script >{two}"), &["1", "2"]),
        ("<script type=\"application/ld&#43;json\">1</script>".to_owned(), &["1"]),
        (format!("<script>{one}</script>{two}"), &["2"]),
        (format!("<script type=application/json>1</script>{two}"), &["2"]),
        (format!("<!-- {one} -->{two}"), &["2"]),
        (format!("<title>{one}</title><textarea>{one}</textarea><style>{one}</style>{two}"), &["2"]),
        (format!("<iframe>{one}</iframe><noframes>{one}</noframes><xmp>{one}</xmp>{two}"), &["2"]),
        (format!("<noscript>{one}</noscript>{two}"), &["1", "2"]),
        (format!("{two}<plaintext>{one}</plaintext>{one}"), &["2"]),
        (format!("<template>{one}<template></template>{one}</template>{two}"), &["2"]),
        (format!("<p title='{one}'>{two}"), &["2"]),
        (format!("<table><tr>{one}<select>{two}"), &["1", "2"]),
        // SVG and MathML have scripts and titles of their own, and CDATA sections.
        (format!("<svg>{one}</svg>{two}"), &["2"]),
        (format!("<svg><title><p></p></title><style>{one}</style></svg>{two}"), &["2"]),
        (format!("<svg><![CDATA[ </svg>{one} ]]></svg>{two}"), &["2"]),
        (format!("<![CDATA[ > {one} ]]>{two}"), &["1", "2"]),
        (format!("<svg><foreignObject>{one}</foreignObject></svg>{two}"), &["1", "2"]),
        (format!("<svg/>{one}<math><mi>{two}</mi></math>"), &["1", "2"]),
        (format!("<svg><g><div>{one}"), &["1"]),
        // A script that never ends has what is left.
        ("<script type=application/ld+json> 1 ".to_owned(), &["1"]),
        (String::new(), &[]),
        ("no page".to_owned(), &[]),
    ] {
        assert_eq!(numbers(&page), expected, "{page}");
    }
}

#[test]
fn a_page_that_only_opens_and_one_that_only_closes_are_read_at_once() {
    let before = std::time::Instant::now();
    let page = format!("<svg>{}{}</svg>{}", "<g>".repeat(200_000), "</x>".repeat(200_000), script(1));
    assert_eq!(numbers(&page).len(), 1);
    let page = format!("{}{}", "<template>".repeat(100_000), "</template>".repeat(100_000)) + &script(1);
    assert_eq!(numbers(&page).len(), 1);
    assert!(before.elapsed() < std::time::Duration::from_secs(30), "{:?}", before.elapsed());
}

#[test]
fn the_text_of_a_script_is_taken_as_it_is() {
    let page = "<script type=application/ld+json>\r\n[\"&lt;\", \"<!--\", \"</b>\", \"\0\"]\r\n</script>";
    let first = chosen(page, ScriptSelection::default()).expect("JSON");
    assert_eq!(first, "[\"&lt;\", \"<!--\", \"</b>\", \"\u{fffd}\"]");
    let commented = "<script type=application/ld+json><!-- <script>1</script> --> </script>";
    let error = chosen(commented, ScriptSelection::default()).expect_err("a comment is not JSON");
    assert_eq!(error, "page.html:1:34: invalid script element: `<` where a value should be");
}

#[test]
fn a_script_is_found_by_its_id_or_its_profile() {
    let page = "<b id=b></b><b id='a b'></b><script id='a b'>0</script>\
        <script type='application/ld+json' id=c>1</script>\
        <script type='application/ld+json;profile=\"http://example.org/x http://www.w3.org/ns/json-ld#context\"'>2</script>\
        <script type='application/ld+json;profile=http://www.w3.org/ns/json-ld#frame' id=c>3</script>\
        <script type='text/turtle' id=t></script>";
    let by_id = |id| chosen(page, ScriptSelection { fragment: Some(id), ..ScriptSelection::default() });
    assert_eq!(by_id("c").as_deref(), Ok("1"));
    for (id, fault) in [
        ("b", "the element with the id `b` is not a script"),
        ("a b", "the element with the id `a b` is not a script"),
        ("t", "the script with the id `t` has the type `text/turtle`, not `application/ld+json`"),
        ("z", "no element of the page has the id `z`"),
    ] {
        assert_eq!(by_id(id), Err(format!("page.html: loading document failed: {fault}")));
    }
    let by_profile = |profile| {
        let selection = ScriptSelection { profile: Some(profile), extract_all_scripts: true, fragment: None };
        chosen(page, selection).expect("a script")
    };
    assert_eq!(by_profile("http://www.w3.org/ns/json-ld#context"), "2");
    assert_eq!(by_profile("http://www.w3.org/ns/json-ld#frame"), "3");
    assert!(by_profile("http://example.org/none").starts_with("1<"), "all of them");
}

#[test]
fn the_first_base_with_an_address_counts() {
    let page = |text: &str| {
        let all = ScriptSelection { extract_all_scripts: true, ..ScriptSelection::default() };
        let page = HtmlPage::parse("p", text.to_owned(), all, Limits::default()).expect("no script at all");
        page.base_href
    };
    assert_eq!(page("<base target=_blank><base href=' a&amp;b '><base href=c>").as_deref(), Some("a&b"));
    assert_eq!(
        page("<svg><base href=a /></svg><template><base href=b></template><!--<base href=c>-->"),
        None
    );
}

const PAGE: &str = r#"<!DOCTYPE html>
<html>
<head><title>Ä page</title><base href="/data/">
<script type="application/ld+json" id="first">{"@id": "a", "x:p": "1"}</script>
<script type="application/ld+json" id="second">
  {"@id": "b", "x:p": "2"}
</script>
</head>
</html>
"#;

fn folder(page: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("page.html"), page).expect("the folder is ours");
    folder
}

#[test]
fn a_fault_in_a_script_has_its_place_in_the_page() {
    let folder = folder(&PAGE.replace("\"2\"", "2,"));
    let (status, _, stderr) = run(folder.path(), &["expand", "page.html", "--extract-all-scripts", "true"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r#"
page.html:6:24: error[invalid script element]: a comma before the closing bracket
6 |   {"@id": "b", "x:p": 2,}
  |                        ^
  = help: take the comma out
"#);
    let folder = self::folder(&PAGE.replace("\"2\"", "{\"@value\": []}"));
    let (status, _, stderr) = run(folder.path(), &["to-rdf", "page.html"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @r#"
page.html:6:34: error[invalid value object value]: `[]` is neither a string, number or boolean nor null
6 |   {"@id": "b", "x:p": {"@value": []}}
  |                                  ^
  = help: add `"@type": "@json"` to keep it as JSON
"#);
}

#[test]
fn a_page_is_a_document_of_the_command_line() {
    let folder = folder(PAGE);
    let first = "<http://example.org/data/a> <x:p> \"1\" .\n";
    let second = "<http://example.org/data/b> <x:p> \"2\" .\n";
    let url = ["--document-url", "http://example.org/pages/p.html"];
    let go = |arguments: &[&str]| {
        let (status, stdout, stderr) = run(folder.path(), arguments);
        assert_eq!((status, stderr.as_str()), (0, ""), "{arguments:?}");
        stdout
    };
    assert_eq!(go(&["to-rdf", "page.html", url[0], url[1]]), format!("{first}{second}"));
    assert_eq!(go(&["to-rdf", "page.html", url[0], url[1], "--extract-all-scripts=false"]), first);
    assert_eq!(go(&["to-rdf", "page.html", url[0], "http://example.org/p#second"]), second);
    assert_eq!(go(&["to-rdf", "page.html", "--base", "http://example.org/x"]), format!("{first}{second}"));
    assert_eq!(go(&["convert", "page.html", "--to", "nt", url[0], url[1]]), format!("{first}{second}"));
    assert!(go(&["expand", "page.html", url[0], url[1]]).contains("\"http://example.org/data/a\""));
    let bare = "<script type='application/ld+json'>{\"@id\": \"x:s\", \"x:p\": \"o\"}</script>";
    let assert = evalgraph(folder.path())
        .args(["to-rdf", "-", "--content-type", "text/html; charset=utf-8"])
        .write_stdin(bare)
        .assert();
    assert.success().stdout("<x:s> <x:p> \"o\" .\n");
}

#[test]
fn a_page_without_scripts_says_so() {
    let folder = folder("<!DOCTYPE html>\n<title>502 Bad\nGateway</title> application/ld+json");
    let (status, stdout, stderr) = run(folder.path(), &["expand", "page.html"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    insta::assert_snapshot!(stderr, @r#"page.html: error[loading document failed]: this is an HTML page without a script of the type `application/ld+json`; its title is `502 Bad Gateway`"#);
    // The API makes an empty document of it where all scripts are wanted.
    let (status, stdout, stderr) = run(folder.path(), &["to-rdf", "page.html"]);
    assert_eq!((status, stdout.as_str()), (0, ""));
    insta::assert_snapshot!(stderr, @"page.html: warning[html::no-script]: the page has no JSON-LD script");
    // Whoever asks for data has got an error page.
    for command in [&["stats", "page.html"][..], &["convert", "page.html", "--to", "nt"]] {
        let (status, _, stderr) = run(folder.path(), command);
        assert_eq!(status, 2);
        assert!(stderr.contains("error[input::html]: this is an HTML page, not data; its title is `502 Bad"));
    }
}
