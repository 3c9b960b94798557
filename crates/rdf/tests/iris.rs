//! Compares our decision whether an IRI is well formed with another implementation, the crate `iref`.

use evalgraph_rdf::iri::{is_iri, is_iri_reference};
use proptest::prelude::*;

/// Pieces that IRIs are made of, and pieces that break them.
const PIECES: [&str; 56] = [
    "http:",
    "urn:",
    "a+b-c.1:",
    "1a:",
    ":",
    "//",
    "/",
    "?",
    "#",
    "[",
    "]",
    "[::1]",
    "[v1.a:b]",
    "[1::2::3]",
    "[::ffff:1.2.3.4]",
    "[fe80::1%25eth0]",
    ":80",
    ":8a",
    "@",
    "user",
    "%41",
    "%4",
    "%zz",
    "%",
    "é",
    "中",
    "\u{e000}",
    "\u{f0000}",
    "\u{fffe}",
    "\u{fdd0}",
    "\u{200e}",
    "\u{a0}",
    " ",
    "\t",
    "<",
    ">",
    "\"",
    "{",
    "}",
    "|",
    "\\",
    "^",
    "`",
    "a",
    "b",
    ".",
    "..",
    "-",
    "~",
    "!$&'()*+,;=",
    "example.org",
    "1.2.3.4",
    "\u{7f}",
    "\u{85}",
    "\u{1f600}",
    "\u{1fffe}",
];

fn pieces() -> impl Strategy<Value = String> {
    let one = prop::sample::select(PIECES.as_slice());
    prop::collection::vec(one, 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn two_judges_agree(text in pieces(), scheme in prop::sample::select(["", "http://", "urn:", "s:/"].as_slice())) {
        let text = format!("{scheme}{text}");
        prop_assert_eq!(is_iri(&text), iref::Iri::new(&text).is_ok(), "{:?}", text);
        prop_assert_eq!(is_iri_reference(&text), iref::IriRef::new(&text).is_ok(), "{:?}", text);
    }
}
