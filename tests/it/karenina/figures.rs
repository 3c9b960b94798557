//! The figures that `stats` prints, of every fixture.

use crate::karenina::fixtures::{figures, fixture, fixtures_in};

#[test]
fn figures_of_the_fixtures() {
    let mut text = String::new();
    for folder in ["karenina", "revisions", "results"] {
        for name in fixtures_in(folder) {
            let document = fixture(&name);
            let figures = figures(&document);
            text.push_str(&format!("{name}\n"));
            for (label, value) in figures.rows() {
                text.push_str(&format!("  {label:16}{value}\n"));
            }
        }
    }
    insta::assert_snapshot!(text);
}
