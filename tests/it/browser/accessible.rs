//! The page for those who do not see it well or use no mouse: each view is looked at in light and dark colours, by the tree that
//! the browser shows to screen readers, by what its texts look like, and by the way of the Tab key.

use serde_json::{Value, json};

use super::page::{OF_ALL, Page, keys};
use crate::serve::served::Served;

const SCRIPT: &str = include_str!("accessible.js");

/// What people can do something with, as the browser tells it to other programs.
const CONTROLS: [&str; 13] = [
    "button",
    "checkbox",
    "combobox",
    "ComboBoxSelect",
    "dialog",
    "DisclosureTriangle",
    "link",
    "listbox",
    "option",
    "searchbox",
    "spinbutton",
    "tab",
    "textbox",
];

/// More stops of the Tab key are not gone through in each view: lists are alike.
const MOST_STOPS: usize = 40;

struct View {
    address: &'static str,
    /// What is there once it stands.
    ready: &'static str,
}

const VIEWS: [View; 10] = [
    View {
        address: "#/questions",
        ready: "document.querySelector('.row .name') && document.querySelector('.choice')",
    },
    View {
        address: "#/questions?search=nowhere-at-all&system=kwanzaa",
        ready: "document.querySelector('.empty')",
    },
    View { address: "QUESTION helix", ready: "document.querySelector('#ratings')" },
    View { address: "QUESTION termination review", ready: "document.querySelector('.feedback')" },
    View { address: "QUESTION bessie coleman", ready: "document.querySelector('#sources')" },
    View { address: "#/findings", ready: "document.querySelector('.finding')" },
    View { address: "#/figures", ready: "document.querySelectorAll('.figure svg').length > 4" },
    View { address: "#/sparql", ready: "document.querySelector('.names a')" },
    View { address: "#/sparql?name=templates-by-size", ready: "document.querySelector('.table-row')" },
    View { address: "#/none", ready: "document.querySelector('h1')" },
];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn each_view_is_for_everybody() {
    let Some(page) = Page::of(|| Served::fixtures(&OF_ALL), "how accessible the page is") else { return };
    let mut faults = Vec::new();
    for view in &VIEWS {
        open(&page, view);
        for colours in ["light", "dark"] {
            page.browser.colours(colours);
            page.browser.until("document.getAnimations().length === 0");
            let at = format!("{} in {colours} colours", view.address);
            faults.extend(of_texts(&page).into_iter().map(|fault| format!("{at}: {fault}")));
        }
        faults.extend(of_names(&page).into_iter().map(|fault| format!("{}: {fault}", view.address)));
        faults.extend(of_stops(&page).into_iter().map(|fault| format!("{}: {fault}", view.address)));
        page.browser.colours("light");
    }
    // A fault of a query, marked, with proposals open.
    page.open("#/sparql");
    page.edit("SELECT * WHERE { ?q s:text ?t . FILTR(?t) }");
    page.browser.until("document.querySelector('.faults li') && document.querySelector('.layer .fault')");
    for colours in ["light", "dark"] {
        page.browser.colours(colours);
        faults.extend(
            of_texts(&page).into_iter().map(|fault| format!("a fault in {colours} colours: {fault}")),
        );
    }
    assert!(faults.is_empty(), "{faults:#?}");
    page.is_quiet();
    wrong_things_are_told(&page);
}

/// A page with faults has them told.
fn wrong_things_are_told(page: &Page) {
    page.browser.colours("light");
    page.open("#/questions");
    page.browser.until(VIEWS[0].ready);
    page.browser.script(
        "const text = document.createElement('p');
         text.textContent = 'pale';
         text.style.color = '#888';
         const control = document.createElement('button');
         document.querySelector('main').append(text, control);
         document.getElementById('search').tabIndex = 3;",
        &[],
    );
    let texts = of_texts(page);
    for told in ["contrast 3.", "goes before others: input#search"] {
        assert!(texts.iter().any(|fault| fault.contains(told)), "{told}: {texts:#?}");
    }
    assert_eq!(of_names(page), ["without a name: \"button\""]);
    assert!(of_stops(page).iter().any(|fault| fault.starts_with("stop ")));
}

fn open(page: &Page, view: &View) {
    match view.address.strip_prefix("QUESTION ") {
        None => page.open(view.address),
        Some(words) => {
            page.open(&format!("#/questions?search={}", words.replace(' ', "+")));
            page.browser.click(".row .name", "");
            page.browser.until("document.querySelector('.sheet')");
        }
    }
    page.stands();
    page.browser.until(view.ready);
}

fn of_texts(page: &Page) -> Vec<String> {
    let told = page.browser.script(SCRIPT, &[]);
    let faults = told["faults"].as_array().expect("a list");
    faults.iter().map(|fault| fault.as_str().expect("a text").to_owned()).collect()
}

/// Controls without a name in the tree that screen readers get.
fn of_names(page: &Page) -> Vec<String> {
    let tree = page.browser.cdp("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().expect("a list");
    let shown = nodes.iter().filter(|node| node["ignored"] == json!(false));
    let is_control = |node: &&Value| {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        let mut properties = node["properties"].as_array().into_iter().flatten();
        let is_stop =
            properties.any(|one| one["name"] == "focusable" && one["value"]["value"] == json!(true));
        CONTROLS.contains(&role) || (is_stop && role != "RootWebArea" && role != "main")
    };
    let controls: Vec<&Value> = shown.filter(is_control).collect();
    let is_nameless =
        |node: &&&Value| node["name"]["value"].as_str().is_none_or(|name| name.trim().is_empty());
    let mut faults: Vec<String> = controls
        .iter()
        .filter(is_nameless)
        .map(|node| format!("without a name: {}", node["role"]["value"]))
        .collect();
    if controls.len() < 5 {
        faults.push(format!("only {} controls are told", controls.len()));
    }
    faults
}

/// The Tab key stops where the page says, in the order of the document, and each stop is seen.
fn of_stops(page: &Page) -> Vec<String> {
    let browser = &page.browser;
    browser.script("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0);", &[]);
    let count = browser.value("window.stops.length").as_u64().expect("a number") as usize;
    let mut faults = Vec::new();
    // The place where the next stop is looked for is the beginning of the page.
    browser.script(
        "document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex');",
        &[],
    );
    let mut wanted = 0;
    while wanted < count.min(MOST_STOPS) {
        browser.write(&keys::TAB.to_string());
        let at = browser.script(
            "const e = document.activeElement;
             const at = window.stops.indexOf(e);
             const style = getComputedStyle(e);
             const isScroller = /auto|scroll/.test(style.overflowX + style.overflowY);
             const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
             const text = `${e.tagName} ${e.className} ${(e.innerText ?? '').slice(0, 40)}`;
             return { at, isScroller, isSeen: ring || style.boxShadow !== 'none' || e.matches('textarea, #main'), text };",
            &[],
        );
        if at["at"] == json!(-1) && at["isScroller"] == json!(true) {
            continue;
        }
        if at["at"] != json!(wanted) {
            faults.push(format!("stop {wanted} of the Tab key is {} instead", at["text"]));
            break;
        }
        if at["isSeen"] != json!(true) {
            faults.push(format!("the focus is not seen on {}", at["text"]));
        }
        wanted += 1;
    }
    faults
}
