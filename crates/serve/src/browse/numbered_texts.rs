//! The keywords and licences of questions: strings that several rows share, numbered.

use std::collections::HashMap;

use super::links::{RowLink, RowLinkList, anywhere, in_graph};
use super::name_lookup::{NameLookup, PropertyStatement};
use evalgraph_formats::own_properties::{KEYWORDS, keywords_of_text};
use evalgraph_store::TermId;

/// Distinct strings, numbered in the order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct NumberedTexts {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
}

impl NumberedTexts {
    /// Returns the number of a string.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let number = self.texts.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        number
    }

    /// Returns the strings by number.
    pub(super) fn into_texts(self) -> Vec<String> {
        self.texts
    }
}

/// Reads the keywords of rows; the key of a link is the row, and its row is the number of the keyword. Keywords are
/// properties of the question or of its item, or a property whose string is a list.
pub(super) fn read_keywords(
    names: &NameLookup<'_>,
    keys: &RowLinkList,
    items: &RowLinkList,
    values: &mut NumberedTexts,
) -> RowLinkList {
    let mut found: Vec<RowLink> = Vec::new();
    for holders in [keys, items] {
        let mut walk = holders.walk();
        for PropertyStatement { graph, subject, object } in names.quads("keywords") {
            let rows = walk.links_of(in_graph(graph, subject));
            if let Some(keyword) = (!rows.is_empty()).then(|| names.lexical(object)).flatten() {
                let number = values.number(&keyword);
                found.extend(rows.iter().map(|link| RowLink { key: u64::from(link.row), row: number }));
            }
        }
    }
    let named = names.string(KEYWORDS).zip(names.name("name").first().copied());
    let properties: RowLinkList = named
        .into_iter()
        .flat_map(|(keywords, name)| names.view.named_quads([None, Some(name), Some(keywords)]))
        .map(|([subject, ..], graph)| RowLink { key: in_graph(graph, subject), row: 0 })
        .collect();
    if properties.is_empty() {
        return found.into_iter().collect();
    }
    let (mut walk, mut rows) = (properties.walk(), keys.walk());
    let mut holders = Vec::new();
    for PropertyStatement { graph, subject, object } in names.quads("additionalProperty") {
        if !walk.links_of(in_graph(graph, object)).is_empty() {
            let of_subject = rows.links_of(in_graph(graph, subject)).iter();
            holders.extend(of_subject.map(|link| RowLink { key: in_graph(graph, object), row: link.row }));
        }
    }
    let holders: RowLinkList = holders.into_iter().collect();
    let mut walk = holders.walk();
    for PropertyStatement { graph, subject, object } in names.quads("value") {
        let rows = walk.links_of(in_graph(graph, subject));
        if rows.is_empty() {
            continue;
        }
        for keyword in keywords_of_text(&names.text(object)).unwrap_or_default() {
            let number = values.number(&keyword);
            found.extend(rows.iter().map(|link| RowLink { key: u64::from(link.row), row: number }));
        }
    }
    found.into_iter().collect()
}

/// Reads the licences of rows: those of the documents that their accepted answers cite or are based on, directly or
/// through a passage.
pub(super) fn read_licences(
    names: &NameLookup<'_>,
    answers: &RowLinkList,
    values: &mut NumberedTexts,
) -> RowLinkList {
    let mut licensed = Vec::new();
    let mut known: HashMap<_, Option<u32>> = HashMap::new();
    for PropertyStatement { graph, subject, object } in names.quads("license") {
        let number = known
            .entry((graph, object))
            .or_insert_with(|| licence_of(names, graph, object).map(|licence| values.number(&licence)));
        licensed.extend(number.map(|number| RowLink { key: anywhere(subject), row: number }));
    }
    if licensed.is_empty() {
        return RowLinkList::default();
    }
    let documents: RowLinkList = licensed.iter().copied().collect();
    for (subject, object) in names.union("isPartOf") {
        licensed.extend(
            documents
                .links_of(anywhere(object))
                .iter()
                .map(|link| RowLink { key: anywhere(subject), ..*link }),
        );
    }
    let sources: RowLinkList = licensed.into_iter().collect();
    let mut found = Vec::new();
    for property in ["citation", "isBasedOn"] {
        for (subject, object) in names.union(property) {
            let rows = answers.links_of(anywhere(subject));
            if rows.is_empty() {
                continue;
            }
            for licence in sources.links_of(anywhere(object)) {
                found.extend(rows.iter().map(|link| RowLink { key: u64::from(link.row), row: licence.row }));
            }
        }
    }
    found.into_iter().collect()
}

/// Returns the name of a licence: a string, the name of a node, or the IRI of a node without a name.
pub(super) fn licence_of(names: &NameLookup<'_>, graph: TermId, licence: TermId) -> Option<String> {
    if let Some(text) = names.lexical(licence) {
        return Some(text);
    }
    let name = names.name("name").into_iter();
    let mut named =
        name.flat_map(|name| names.view.triples_of([Some(licence), Some(name), None], Some(graph)));
    let named = named.find_map(|[.., name]| names.lexical(name));
    named.or_else(|| names.is_iri(licence).then(|| names.text(licence)))
}
