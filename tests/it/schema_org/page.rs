//! The table of `docs/schema-org.md`: where the dialects of checkpoints leave schema.org.

use super::CheckedText;
use evalgraph::schema_org::{CheckLevel, CheckRule, SchemaOrgFinding};
use std::collections::BTreeSet;
use std::path::Path;

/// How the page names any property, and a node without a type.
const ANY: &str = "any";
const NO_TYPE: &str = "–";

/// A rule that a property of nodes of a class does not keep.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Departure {
    pub(crate) class: String,
    pub(crate) property: String,
    pub(crate) rule: String,
}

/// A row of the page.
pub(crate) struct Row {
    pub(crate) departure: Departure,
    pub(crate) dialects: BTreeSet<String>,
}

impl Departure {
    pub(crate) fn of(finding: &SchemaOrgFinding, text: &CheckedText) -> Self {
        let node = finding.statement.as_ref().map(|statement| &statement.node);
        let classes = node.map(|node| text.classes(node)).unwrap_or_default().join(", ");
        Self {
            class: if classes.is_empty() { NO_TYPE.to_owned() } else { classes },
            property: finding.property.clone(),
            rule: finding.code.name().to_owned(),
        }
    }

    pub(crate) fn level(&self) -> CheckLevel {
        CheckRule::named(&self.rule).expect("it is a rule").level()
    }
}

impl Row {
    pub(crate) fn has(&self, found: &Departure) -> bool {
        let Departure { class, property, rule } = &self.departure;
        *rule == found.rule && *class == found.class && (property == ANY || *property == found.property)
    }
}

/// The rows of the page.
pub(crate) fn departures() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema-org.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let rows: Vec<Row> = page.lines().filter_map(row).collect();
    assert!(rows.len() > 5, "the page has a table");
    rows
}

/// A row with the columns: on, property, rule, level, in, and what to do.
fn row(line: &str) -> Option<Row> {
    let cells: Vec<String> = line.split('|').map(|cell| cell.trim().replace('`', "")).collect();
    let [_, class, property, rule, level, dialects, _, _] = &cells[..] else { return None };
    let code = CheckRule::named(rule)?;
    assert_eq!(code.level().name(), level, "{line}");
    let departure = Departure { class: class.clone(), property: property.clone(), rule: rule.clone() };
    Some(Row { departure, dialects: dialects.split(", ").map(str::to_owned).collect() })
}
