//! Pictures of the page for its documentation, and for whoever changes how it looks.
//!
//! `EVALGRAPH_PICTURES=FOLDER` makes one of each view, in light and dark colours, on a desk and on a phone.

use std::path::Path;

use super::page::{OF_ALL, Page};
use crate::serve::served::Served;

struct View {
    name: &'static str,
    address: &'static str,
    ready: &'static str,
}

/// The first one lets the rules run, whose findings the others show.
const VIEWS: [View; 6] = [
    View { name: "findings", address: "#/findings", ready: "document.querySelector('.finding')" },
    View {
        name: "questions",
        address: "#/questions",
        ready: "document.querySelector('.row .name') && document.querySelector('.choice')",
    },
    View { name: "question", address: "QUESTION", ready: "document.querySelector('#findings .place')" },
    View {
        name: "figures",
        address: "#/figures",
        ready: "document.querySelectorAll('.figure svg').length > 4",
    },
    View { name: "sparql", address: "#/sparql?name=systems", ready: "document.querySelector('.table-row')" },
    View {
        name: "chart",
        address: "#/sparql?name=rating-values&view=chart",
        ready: "document.querySelector('.result .picture svg')",
    },
];

/// A window, by the name that its pictures have.
struct Size {
    name: &'static str,
    width: u32,
    height: u32,
}

const SIZES: [Size; 2] =
    [Size { name: "", width: 1280, height: 720 }, Size { name: "-phone", width: 360, height: 740 }];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn pictures_of_each_view() {
    // Without the variable they are made, and not kept: what cannot be drawn is told in time.
    let given = std::env::var_os("EVALGRAPH_PICTURES").map(|folder| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        std::fs::create_dir_all(&folder).expect("there is room");
        folder
    });
    let Some(page) = Page::of(|| Served::fixtures(&OF_ALL), "pictures of the page") else { return };
    let browser = &page.browser;
    for view in &VIEWS {
        browser.size(SIZES[0].width, SIZES[0].height);
        if view.address == "QUESTION" {
            page.open("#/questions?search=mitosis");
            browser.click(".row .name", "");
            browser.until("document.querySelector('.sheet')");
        } else {
            page.open(view.address);
        }
        browser.until(view.ready);
        page.stands();
        for size in &SIZES {
            browser.size(size.width, size.height);
            for colours in ["light", "dark"] {
                browser.colours(colours);
                browser.until("document.getAnimations().length === 0");
                let picture = browser.picture();
                assert!(picture.len() > 5_000, "{}: {} bytes", view.name, picture.len());
                let colours = if colours == "dark" { "-dark" } else { "" };
                let name = format!("{}{}{colours}.png", view.name, size.name);
                if let Some(folder) = &given {
                    std::fs::write(folder.join(name), picture).expect("there is room");
                }
            }
        }
        browser.colours("light");
    }
    page.is_quiet();
}
