//! Data that try to be more than text: whatever they say is shown as it is written, and the page goes on.

use serde_json::{Value, json};

use super::page::Page;
use crate::serve::served::Served;

/// Sets a mark, where any of it is taken for markup or for an address that runs.
const SCRIPT: &str = "<img src=x onerror=\"window.met=1\"><script>window.met=1;alert(1)</script>";
const ADDRESS: &str = "javascript:window.met=1//";
const ARABIC: &str = "ما هي عاصمة فرنسا؟";
const RATINGS: usize = 10_000;
const LONG: usize = 1_000_000;

/// A checkpoint of four questions: with scripts everywhere, with a long text, from right to left, with many ratings.
fn checkpoint() -> Value {
    let plain = |text: &str, answer: &str| {
        json!({
            "text": text, "acceptedAnswer": { "@type": "Answer", "text": answer },
        })
    };
    let item = |at: usize, id: &str, keyword: &str, mut question: Value, ratings: Vec<Value>| {
        question["@type"] = json!("Question");
        question["@id"] = json!(id);
        if !ratings.is_empty() {
            question["rating"] = json!(ratings);
        }
        json!({
            "@type": "DataFeedItem", "@id": format!("urn:uuid:item-{at}"), "dateCreated": "2025-07-19T09:00:00",
            "keywords": [keyword], "item": question,
        })
    };
    let rating = |at: usize| {
        json!({
            "@type": "Rating", "@id": format!("urn:uuid:rating-{at}"), "name": format!("Trait {}", at % 4),
            "bestRating": 5, "worstRating": 1, "ratingValue": at % 5 + 1, "ratingExplanation": SCRIPT,
            "additionalType": "QuestionSpecificRubricTrait",
        })
    };
    let long: String = ("word ".repeat(LONG / 5)).trim_end().to_owned();
    json!({
        "@context": { "@vocab": "http://schema.org/" },
        "@type": "DataFeed", "@id": "urn:uuid:hostile", "name": SCRIPT, "version": "1.0",
        "dateCreated": "2025-07-19T09:00:00", "dateModified": "2025-07-19T09:00:00",
        "dataFeedElement": [
            item(1, "urn:uuid:\"><script>window.met=1</script>", SCRIPT, plain(SCRIPT, ADDRESS), vec![]),
            item(2, "urn:uuid:long", ADDRESS, plain(&long, &long), vec![]),
            item(3, "urn:uuid:arabic", ARABIC, plain(ARABIC, "باريس"), vec![]),
            item(4, "urn:uuid:rated", "many", plain("Rated often", "yes"), (0..RATINGS).map(rating).collect()),
        ],
    })
}

#[test]
#[ignore = "needs chromium and chromedriver"]
fn hostile_data_are_text() {
    let folder = tempfile::tempdir().expect("there is room");
    // The name of a file is data, too.
    let file = "a<b onclick=met()>.jsonld";
    std::fs::write(folder.path().join(file), checkpoint().to_string()).expect("the folder is ours");
    let serve = || Served::start(folder.path(), &[file]);
    let Some(page) = Page::of(serve, "hostile data in a browser") else { return };
    let browser = &page.browser;
    page.open("#/questions");
    browser.until("document.querySelectorAll('.row .name').length === 4");
    browser.until(&format!(
        "[...document.querySelectorAll('.row .name')].some((e) => e.textContent === {})",
        json!(SCRIPT)
    ));
    scripts(&page);
    a_long_text(&page);
    from_right_to_left(&page);
    many_ratings(&page);
    in_tables(&page);
    page.is_quiet();
}

/// Nothing of the data has run, and none of it became an element or an address that runs.
fn is_unharmed(page: &Page) {
    let browser = &page.browser;
    assert_eq!(browser.value("window.met === undefined"), json!(true), "a script of the data has run");
    let made = "[...document.querySelectorAll('main script, main img, main iframe, main [onerror], main [onclick]')].length \
                + [...document.querySelectorAll('a')].filter((e) => /^javascript:/i.test(e.href)).length";
    assert_eq!(browser.value(made), json!(0), "data became elements");
}

fn open(page: &Page, beginning: &str) {
    page.open("#/questions");
    page.browser.click(".row .name", beginning);
    page.browser.until("document.querySelector('.sheet h1')");
    page.stands();
}

fn scripts(page: &Page) {
    let browser = &page.browser;
    is_unharmed(page);
    open(page, "<img");
    assert_eq!(browser.value("document.querySelector('h1').textContent"), json!(SCRIPT));
    assert_eq!(browser.text("#answer .answer"), ADDRESS);
    assert!(browser.text(".marks").contains("<script>"), "{}", browser.text(".marks"));
    is_unharmed(page);
    // The address of what stands around the node has the id, which is not part of a query.
    if browser.find("a", "Its neighbours").is_some() {
        browser.click("a", "Its neighbours");
        browser.until("document.querySelector('.graph, .result .empty, .result .failure')");
        is_unharmed(page);
    }
    for view in [
        "#/figures",
        "#/questions?keyword=%3Cscript%3E&search=%3Cimg%20src%3Dx%3E",
        "#/<script>alert(1)</script>",
    ] {
        page.open(view);
        is_unharmed(page);
    }
}

/// A text of a megabyte is cut, until somebody wants all of it.
fn a_long_text(page: &Page) {
    let browser = &page.browser;
    open(page, "word word");
    assert!(
        browser
            .value("document.querySelector('h1').textContent.length")
            .as_u64()
            .is_some_and(|length| length < 5_000)
    );
    browser.click("h1 .more", "Show all");
    browser.until(&format!("document.querySelector('h1').textContent.length >= {}", LONG - 1));
    browser.click("h1 .more", "Show less");
    browser.until("document.querySelector('h1').textContent.length < 5000");
    is_unharmed(page);
}

fn from_right_to_left(page: &Page) {
    let browser = &page.browser;
    open(page, ARABIC);
    let direction = "getComputedStyle([...document.querySelectorAll('h1, h1 *')].find((e) => e.dir === 'auto')).direction";
    assert_eq!(browser.value(direction), json!("rtl"));
    // The page around it stays as it was.
    assert_eq!(browser.value("getComputedStyle(document.querySelector('main')).direction"), json!("ltr"));
}

fn many_ratings(page: &Page) {
    let browser = &page.browser;
    open(page, "Rated often");
    browser.until("document.querySelector('#ratings').innerText.includes('10,000')");
    browser.click("#ratings summary", "Each rating");
    browser.until("document.querySelectorAll('#ratings tbody tr').length === 25");
    assert!(browser.text("#ratings tbody").contains("<script>"));
    // The page is small, whatever the data are.
    let elements = browser.value("document.querySelectorAll('*').length").as_u64().expect("a number");
    assert!(elements < 3_000, "{elements} elements");
    is_unharmed(page);
}

/// The same texts in the table of a query.
fn in_tables(page: &Page) {
    let browser = &page.browser;
    page.open("#/sparql?query=SELECT%20*%20%7B%20%3Fs%20%3Fp%20%3Fo%20%7D%20LIMIT%20200");
    browser.until("document.querySelector('.table-row')");
    is_unharmed(page);
}
