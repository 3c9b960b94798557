//! What an engineer does: a query with its faults and what is proposed, named queries, figures, downloads.

use serde_json::json;

use super::page::{OF_ALL, Page, keys};
use crate::serve::served::Served;

const STATUS: &str = "document.querySelector('.status').innerText";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn queries_are_written_and_run() {
    let Some(page) = Page::of(|| Served::fixtures(&OF_ALL), "queries in a browser") else { return };
    faults(&page);
    completion(&page);
    result(&page);
    parameters(&page);
    figures(&page);
    page.is_quiet_but(&["/query - Failed to load resource: the server responded with a status of 400"]);
}

/// A fault is marked in the text with its message, its place and, where there is one, the way to mend it.
fn faults(page: &Page) {
    let browser = &page.browser;
    page.open("#/sparql");
    page.edit("SELECT ?text WHERE { ?q s:text ?text . FILTR(?text = 1) }");
    browser.until("document.querySelector('.faults li').innerText.includes('1:40')");
    browser.until("document.querySelector('.layer .fault').innerText.startsWith('FILTR')");
    browser.click(".faults button", "1:40");
    browser.until("document.activeElement.selectionStart === 39");
    // What is run is refused with the same message.
    browser.click(".tools button", "Run");
    browser.until("document.querySelector('.result .failure').innerText.includes('sparql::syntax')");
    page.edit("SELECT ?text WHERE { ?q s:text ?text }");
    browser.until("!document.querySelector('.faults li') && !document.querySelector('.layer .fault')");
}

/// What is proposed for a variable with a class is what the data have of that class.
fn completion(page: &Page) {
    let browser = &page.browser;
    page.open("#/sparql");
    // The vocabulary comes after the page.
    browser.script("return fetch('api/vocabulary').then((reply) => reply.text());", &[]);
    page.edit("SELECT * { ?q a s:Question ; s:accepted");
    let first = "document.querySelector('.proposals li:not(.else) .proposal').innerText";
    browser.until(&format!("{first} === 's:acceptedAnswer'"));
    browser.write(&keys::ENTER.to_string());
    browser.until("!document.querySelector('.proposals li')");
    let text = browser.text(".editor textarea");
    assert!(text.ends_with("s:acceptedAnswer"), "{text}");
    // A property that the data lack is not proposed.
    page.edit("SELECT * { ?q a s:Question ; s:telephon");
    browser.until("document.querySelector('.editor textarea').value.endsWith('telephon')");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(browser.value("document.querySelectorAll('.proposals li').length"), json!(0));
}

fn result(page: &Page) {
    let browser = &page.browser;
    page.open("#/sparql");
    page.edit("SELECT ?text WHERE { ?q a s:Question ; s:text ?text } ORDER BY ?text");
    browser.chord(keys::CONTROL, keys::ENTER);
    browser.until(&format!("/^\\d+ rows in /.test({STATUS})"));
    let rows = "[...document.querySelectorAll('.table-row')].map((e) => e.innerText)";
    let first = browser.value(rows);
    // The address has the query: opened again, it runs and answers the same.
    let address = browser.url();
    browser.load(&address);
    browser.until(&format!("/^\\d+ rows in /.test({STATUS})"));
    assert_eq!(browser.value(rows), first);
    // The file has what the server answers.
    browser.choose(".tools select", "text/csv");
    browser.click(".tools button", "Download");
    let file = page.download("result.csv");
    let served = browser.script(
        "return fetch('query', { method: 'POST', headers: { 'Content-Type': 'application/sparql-query', Accept: 'text/csv' },
           body: document.querySelector('.editor textarea').value }).then((reply) => reply.text());",
        &[],
    );
    assert_eq!(json!(file), served);
    assert!(file.starts_with("text\r\n") && file.lines().count() > 50, "{file}");
    // Rows can be narrowed.
    browser.click(".for-table input", "");
    browser.write("helicase unwinds");
    browser.until("document.querySelectorAll('.table-row').length === 0");
    browser.chord(keys::CONTROL, 'a');
    browser.write("enzyme unwinds");
    browser.until("document.querySelectorAll('.table-row').length === 1");
}

/// The parameters of a named query are a form, and an edited query keeps them.
fn parameters(page: &Page) {
    let browser = &page.browser;
    page.open("#/sparql");
    let named = "fetch('api/queries').then((reply) => reply.json()).then((all) => \
                 all.queries.find((one) => one.name === 'templates-by-size').title)";
    let title = browser.value(named).as_str().expect("it has a title").to_owned();
    browser.click(".names a", &title);
    browser.until(&format!("/^\\d+ rows in /.test({STATUS})"));
    let all = browser.value("Number(document.querySelector('.status').innerText.match(/\\d+/)[0])");
    assert!(all.as_u64().is_some_and(|rows| rows > 5), "{all}");
    assert_eq!(browser.text(".parameters input"), "1");
    browser.click(".parameters input", "");
    browser.chord(keys::CONTROL, 'a');
    browser.write(&format!("10000000{}", keys::ENTER));
    browser.until("location.hash.includes('p.least=10000000')");
    browser.until("document.querySelector('.result .empty')");
    // An edited one runs with the value of the form.
    browser.click(".editor textarea", "");
    browser.chord(keys::CONTROL, keys::END);
    browser.write(" # mine");
    browser.until("document.querySelector('.edited').innerText.startsWith('Edited')");
    browser.chord(keys::CONTROL, keys::ENTER);
    browser.until(&format!("{STATUS}.startsWith('0 rows in')"));
    let address = browser.url();
    browser.load(&address);
    browser.until(&format!("{STATUS}.startsWith('0 rows in')"));
    assert_eq!(browser.text(".parameters input"), "10000000");
}

/// A figure, its numbers, and the query behind it.
fn figures(page: &Page) {
    let browser = &page.browser;
    page.open("#/figures");
    browser.until("document.querySelectorAll('.figure svg').length >= 5");
    let systems =
        "[...document.querySelectorAll('.figure')].find((e) => e.querySelector('a[href$=\"name=systems\"]'))";
    // A bar for each of the systems.
    for system in ["karenina", "kwanzaa", "rlcf", "train"] {
        browser.until(&format!("{systems}.querySelector('.picture').textContent.includes('{system}')"));
    }
    browser.click(".figure a[href='#/sparql?name=systems']", "The query behind it");
    browser.until(&format!("/^4 rows in /.test({STATUS})"));
    browser.click(".tabs button", "Chart");
    browser.until("document.querySelector('.result .picture svg') && location.hash.includes('view=chart')");
    let address = browser.url();
    browser.load(&address);
    browser.until("document.querySelector('.result .picture svg')");
}
