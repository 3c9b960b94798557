//! Pages: any text can be read, and what is found in it is JSON of the page.

#![no_main]

use evalgraph::json::{Limits, parse};
use evalgraph::jsonld::{HtmlPage, ScriptSelection};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (fragment, page) = text.split_once('\n').unwrap_or(("", text));
    for extract_all_scripts in [false, true] {
        let selection = ScriptSelection {
            fragment: Some(fragment).filter(|fragment| !fragment.is_empty()),
            profile: Some("http://www.w3.org/ns/json-ld#context"),
            extract_all_scripts,
        };
        let Ok(found) = HtmlPage::parse("page", page.to_owned(), selection, Limits::default()) else {
            continue;
        };
        let document = &found.document;
        let root = document.root();
        let values: Vec<_> =
            if document.is_array(root) { document.items(root).collect() } else { vec![root] };
        for value in values {
            let script = document.raw(value).to_owned();
            parse("script", script, Limits::default()).expect("a script is JSON by itself");
            let place = document.place(value);
            assert!(place.line >= 1 && place.bytes.end <= document.text().len() as u64);
        }
    }
});
