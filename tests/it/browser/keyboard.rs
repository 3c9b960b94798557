//! The page by keys alone: from the link that skips the head to the list, one question, the editor, and out of it.

use serde_json::json;

use super::page::{OF_ALL, Page, keys};
use crate::serve::served::Served;

const FOCUSED: &str =
    "(document.activeElement.id || document.activeElement.className || document.activeElement.tagName)";

#[test]
#[ignore = "needs chromium and chromedriver"]
fn keys_are_enough() {
    let Some(page) = Page::of(|| Served::fixtures(&OF_ALL), "the page by keys alone in a browser") else {
        return;
    };
    beginning(&page);
    the_list(&page);
    the_editor(&page);
    page.is_quiet();
}

fn press(page: &Page, key: char) {
    page.browser.write(&key.to_string());
}

/// The first stop skips what is the same in all views; the next ones are the views.
fn beginning(page: &Page) {
    let browser = &page.browser;
    page.open("#/findings");
    press(page, keys::TAB);
    assert_eq!(browser.value(FOCUSED), json!("skip"));
    // It is seen where it has the focus.
    browser.until("document.getElementById('skip').getBoundingClientRect().top >= 0");
    let address = browser.url();
    press(page, keys::ENTER);
    browser.until("document.activeElement.id === 'main'");
    assert_eq!(browser.url(), address);
    page.open("#/findings");
    for _ in 0..3 {
        press(page, keys::TAB);
    }
    browser.until("document.activeElement.innerText === 'Questions'");
    press(page, keys::ENTER);
    // Whoever hears the page is at the heading of the view.
    browser
        .until("document.activeElement.tagName === 'H1' && document.activeElement.innerText === 'Questions'");
    browser.chord(keys::SHIFT, keys::TAB);
    browser.until("document.activeElement.closest('header')");
}

fn the_list(page: &Page) {
    let browser = &page.browser;
    let row = "Number(document.activeElement.closest('.row').dataset.index)";
    page.open("#/questions");
    browser.until("document.querySelector('.row .name')");
    browser.write("/");
    browser.until("document.activeElement.id === 'search'");
    press(page, keys::DOWN);
    browser.until(&format!("{row} === 0"));
    browser.write(&[keys::DOWN, keys::DOWN, keys::UP].iter().collect::<String>());
    browser.until(&format!("{row} === 1"));
    press(page, keys::END);
    browser.until(&format!(
        "{row} === Number(document.activeElement.closest('.row').getAttribute('aria-setsize')) - 1"
    ));
    press(page, keys::HOME);
    browser.until(&format!("{row} === 0"));
    press(page, keys::UP);
    browser.until("document.activeElement.id === 'search'");
    // Into a question, and to the next one.
    press(page, keys::DOWN);
    let first = browser.value("document.activeElement.innerText");
    press(page, keys::ENTER);
    browser.until(&format!("document.querySelector('.sheet h1').innerText === {first}"));
    browser.write("j");
    browser.until(&format!("document.querySelector('.sheet h1').innerText !== {first}"));
    browser.write("k");
    browser.until(&format!("document.querySelector('.sheet h1').innerText === {first}"));
}

/// The editor is not a trap: Tab leaves it both ways, and Escape only closes what is proposed.
fn the_editor(page: &Page) {
    let browser = &page.browser;
    page.open("#/sparql");
    page.edit("SELECT * WHERE { ?q a s:Que");
    browser.until("document.querySelector('.proposals li[aria-selected=true]')");
    let first = browser.value("document.activeElement.getAttribute('aria-activedescendant')");
    browser.until(&format!("document.getElementById({first}).getAttribute('aria-selected') === 'true'"));
    press(page, keys::ESCAPE);
    browser.until("!document.querySelector('.proposals li')");
    assert!(browser.text(".editor textarea").ends_with("s:Que"));
    browser.chord(keys::CONTROL, ' ');
    browser.until("document.querySelector('.proposals li')");
    press(page, keys::ENTER);
    browser.write(" }");
    assert_eq!(browser.text(".editor textarea"), "SELECT * WHERE { ?q a s:Question }");
    press(page, keys::TAB);
    browser.until("!document.activeElement.closest('.editor')");
    browser.chord(keys::SHIFT, keys::TAB);
    browser.until("document.activeElement.tagName === 'TEXTAREA'");
    browser.chord(keys::CONTROL, keys::ENTER);
    browser.until("document.querySelector('.table-row')");
}
