//! A change of a question in the browser: shown, made, taken back, and refused where somebody else was faster.

use super::page::{Page, keys};
use crate::serve::served::{Served, store_of};

#[test]
#[ignore = "needs chromium and chromedriver"]
fn an_answer_is_changed_and_taken_back() {
    let folder = std::cell::OnceCell::new();
    let serve = || {
        let folder = folder.get_or_init(|| store_of(&["fixtures/karenina/s0-cell-biology.jsonld"]));
        Served::start(folder.path(), &["--write", "--no-token"])
    };
    let Some(page) = Page::of(serve, "a change in a browser") else { return };
    let browser = &page.browser;
    page.open("#/questions?search=helix");
    browser.click(".row .name", "Which enzyme");
    browser.until("document.querySelector('#answer .answer').innerText === 'DNA helicase'");
    change(&page, "An unwinding enzyme");
    browser.until("document.querySelector('#answer .answer').innerText === 'An unwinding enzyme'");
    let answers = "fetch('query', { method: 'POST', headers: { 'Content-Type': 'application/sparql-query', Accept: 'text/csv' }, \
                   body: 'SELECT ?t { ?q s:text ?x ; s:acceptedAnswer/s:text ?t FILTER(CONTAINS(?x, \"helix\")) }' }) \
                   .then((reply) => reply.text())";
    assert_eq!(browser.value(answers), "t\r\nAn unwinding enzyme\r\n");
    browser.click(".undo button", "Undo");
    browser.until("document.querySelector('#answer .answer').innerText === 'DNA helicase'");
    assert_eq!(browser.value(answers), "t\r\nDNA helicase\r\n");
    // Someone else is faster: the change is refused, and theirs stays.
    begin(&page, "Mine");
    browser.script(
        "const key = new URLSearchParams(location.hash.split('?')[1]);
         return fetch('api/change', { method: 'POST', headers: { 'Content-Type': 'application/json' },
           body: JSON.stringify({ graph: key.get('graph'), id: key.get('id'), answer: 'Theirs', dry: false }) })
           .then((reply) => reply.text());",
        &[],
    );
    browser.click(".review button", "Make the change");
    browser.until("document.querySelector('.review .failure').innerText.includes('Someone else')");
    assert_eq!(browser.value(answers), "t\r\nTheirs\r\n");
    page.is_quiet_but(&["status of 412"]);
}

/// Writes another answer, and has the change shown.
fn begin(page: &Page, answer: &str) {
    let browser = &page.browser;
    browser.click(".question .actions button", "Edit");
    browser.until("document.activeElement.matches('.edit textarea')");
    browser.chord(keys::CONTROL, 'a');
    browser.write(answer);
    browser.click(".edit button", "Show the change");
    browser.until("document.querySelector('.difference ins')");
    assert_eq!(browser.text(".difference ins"), answer);
}

fn change(page: &Page, answer: &str) {
    begin(page, answer);
    page.browser.click(".review button", "Make the change");
}
