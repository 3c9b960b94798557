//! What a colleague does who looks for a question: search, filters, one question, its findings with their lines.

use serde_json::json;

use super::page::{OF_ALL, Page};
use crate::serve::served::Served;

/// The text that counts the questions of the list.
const COUNT: &str = "document.querySelector('.above .count').innerText";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn a_question_is_found_and_read() {
    let Some(page) = Page::of(|| Served::fixtures(&OF_ALL), "a question looked for in a browser") else {
        return;
    };
    searching(&page);
    filtering(&page);
    reading(&page);
    finding(&page);
    on_a_phone(&page);
    in_colours(&page);
    page.is_quiet();
}

fn searching(page: &Page) {
    let browser = &page.browser;
    page.open("");
    browser.until(&format!("/^\\d+ questions$/.test({COUNT})"));
    let all = browser.value(COUNT);
    browser.write("/");
    browser.write("termination e-mail");
    browser.until(&format!("{COUNT} === '3 questions'"));
    // Each word is marked where it stands.
    browser.until("document.querySelectorAll('.row .name mark').length === 6");
    // The address follows, and opened again it is the same list.
    browser.until("location.hash.includes('search=termination')");
    browser.reload();
    browser.until(&format!("{COUNT} === '3 questions'"));
    assert_eq!(browser.text("#search"), "termination e-mail");
    browser.click("#search", "");
    browser.write(" nowhere-at-all");
    browser.until("document.querySelector('.empty h2')");
    browser.click(".empty button", "Clear the search");
    browser.until(&format!("{COUNT} === {all}"));
}

fn filtering(page: &Page) {
    let browser = &page.browser;
    page.open("#/questions");
    browser.click(".choice", "Kwanzaa");
    browser.until("location.hash === '#/questions?system=kwanzaa'");
    // What is counted beside the filter is what is left.
    browser.until(
        "document.querySelector('[data-key=\"system=kwanzaa\"] .count').innerText + ' questions' \
         === document.querySelector('.above .count').innerText",
    );
    browser.until("[...document.querySelectorAll('.row .meta b')].every((e) => e.innerText === 'Kwanzaa')");
    browser.click(".choice", "Not answerable");
    browser.until("location.hash.includes('answerable=false')");
    browser.until("document.querySelectorAll('.chip').length === 2");
    let few = browser.value(COUNT);
    // The way back is a step for each filter, and the way forth is the address.
    let address = browser.url();
    browser.back();
    browser.until(&format!("document.querySelectorAll('.chip').length === 1 && {COUNT} !== {few}"));
    browser.load(&address);
    browser.until(&format!("document.querySelectorAll('.chip').length === 2 && {COUNT} === {few}"));
    browser.click(".chips button", "Clear all");
    browser.until("location.hash === '#/questions' && document.querySelectorAll('.chip').length === 0");
}

fn reading(page: &Page) {
    let browser = &page.browser;
    page.open("#/questions?search=double+helix");
    browser.until(&format!("{COUNT} === '1 question'"));
    browser.click(".row .name", "Which enzyme");
    page.stands();
    browser.until("document.querySelector('h1').innerText.startsWith('Which enzyme unwinds')");
    assert_eq!(browser.text("#answer .answer"), "DNA helicase");
    assert!(browser.text("#ratings").contains("1 rating"), "{}", browser.text("#ratings"));
    assert!(browser.text("#template code").contains("class Answer"), "{}", browser.text("#template code"));
    // The line of the file that the page names is the one that it shows.
    let place = browser.text("#file .place-line code");
    let (file, line) = place.rsplit_once(':').expect("a line");
    assert!(file.ends_with("fixtures/karenina/s0-cell-biology.jsonld"), "{place}");
    assert_eq!(browser.value("document.querySelector('.lines .here').dataset.line"), json!(line));
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/karenina/s0-cell-biology.jsonld");
    let text = std::fs::read_to_string(path).expect("the fixture is there");
    let number: usize = line.parse().expect("a number");
    let written = text.lines().nth(number - 1).expect("the file has the line");
    assert_eq!(browser.text(".lines .here").trim_end(), written.trim_end());
    // Its address opened again is the same question, and the way back leads to the same list.
    let address = browser.url();
    browser.back();
    browser.until(&format!("{COUNT} === '1 question'"));
    browser.load(&address);
    page.stands();
    assert_eq!(browser.text("#answer .answer"), "DNA helicase");
}

fn finding(page: &Page) {
    let browser = &page.browser;
    page.open("#/findings");
    // A rule about all files together has no line in any.
    browser.until("document.querySelector('.finding .place')");
    browser.until(
        "[...document.querySelectorAll('.finding .place')].every((e) => e.innerText === 'all files' \
         || /:\\d+/.test(e.innerText))",
    );
    browser.click(".severity-tab", "Warnings");
    browser.until("location.hash.includes('severity=warning')");
    browser.until(
        "[...document.querySelectorAll('.finding .severity')].every((e) => e.innerText === 'Warning')",
    );
    // A finding leads to its question, where the same is told with the same line.
    page.open("#/findings?search=cell-biology");
    let link = "document.querySelector('.finding a[href^=\"#/question?\"]')";
    browser.until(link);
    let place = browser.value(&format!("{link}.closest('.finding').querySelector('.place').innerText"));
    browser.click(".finding a[href^='#/question?']", "");
    browser.until("document.querySelector('.sheet #findings .place')");
    let places = "[...document.querySelectorAll('#findings .place')]";
    browser.until(&format!("{places}.some((e) => e.innerText === {place})"));
}

/// No view is wider than a small phone.
fn on_a_phone(page: &Page) {
    let browser = &page.browser;
    page.open("#/questions?search=double+helix");
    browser.until(&format!("{COUNT} === '1 question'"));
    let question = browser.value("document.querySelector('.row .name').getAttribute('href')");
    let question = question.as_str().expect("a link").to_owned();
    browser.size(360, 740);
    let views = [
        "#/questions",
        &question,
        "#/findings",
        "#/figures",
        "#/sparql?name=systems",
        "#/sparql?name=systems&view=chart",
    ];
    for view in views {
        page.open(view);
        if view.contains("name=") {
            browser.until("document.querySelector('.table-row, .picture svg')");
        }
        let width = browser.value("document.documentElement.scrollWidth");
        assert!(width.as_u64().is_some_and(|width| width <= 360), "{view} is {width} wide");
    }
    // Filters are behind a button there, and can be used.
    page.open("#/questions");
    browser.until("document.querySelector('.row .name')");
    browser.click("button.filters", "Filters");
    browser.click(".choice", "Kwanzaa");
    browser.until("location.hash.includes('system=kwanzaa')");
    browser.size(1280, 900);
}

/// The page has the colours of the system, until others are chosen, which stay.
fn in_colours(page: &Page) {
    let browser = &page.browser;
    let dark = "(() => { const n = getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number); \
                return n.every((one) => one < 70); })()";
    page.open("#/questions");
    browser.until(&format!("!{dark}"));
    browser.colours("dark");
    browser.until(dark);
    browser.click("#theme", "");
    browser.until(&format!("!{dark}"));
    browser.reload();
    page.stands();
    browser.until(&format!("!{dark}"));
    browser.click("#theme", "");
    browser.colours("light");
    browser.until(dark);
    browser.click("#theme", "");
    browser.until(&format!("!{dark}"));
}
