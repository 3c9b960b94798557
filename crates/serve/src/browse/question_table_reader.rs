//! Reads the questions of a dataset into columns, in one walk along the quads of each property, for the graphs of all
//! systems.
//!
//! `QuestionTable` is defined in `question_table.rs`.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::links::{RowLink, RowLinkList, anywhere, in_graph};
use super::name_lookup::{NameLookup, PropertyStatement};
use super::node_lookup::NodeLookup;
use super::number_order::put_in_order;
use super::numbered_texts::{NumberedTexts, licence_of, read_keywords, read_licences};
use super::question_table::{QuestionDocument, QuestionRow, QuestionTable};
use super::rating_tally::read_ratings;
use super::searchable_texts::SearchableTexts;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::api::LoadedData;
use evalgraph_formats::checking::spelled_truth;
use evalgraph_formats::checkpoint::template::{TemplateState, state};
use evalgraph_formats::items::is_answer;
use evalgraph_sparql::CancellationToken;
use evalgraph_store::TermId;

/// The classes of questions.
pub(super) const QUESTION: [&str; 2] = ["Question", "eg:LegalTask"];
/// The classes of root nodes of documents.
pub(super) const ROOTS: [&str; 2] = ["DataFeed", "Dataset"];
/// The properties with the text of a question. The second is used if the first is missing.
pub(super) const TEXTS: [&str; 2] = ["text", "name"];
/// The properties that point to a template, or contain its text.
pub(super) const TEMPLATES: [&str; 2] = ["hasPart", "answerTemplate"];
/// The property that says whether a question is finished.
pub(super) const FINISHED: &str = "finished";

/// The property of a dataset that is its licence has this name.
const LICENCE: &str = "license";

/// How many rows are prepared for a search at once.
const PART: usize = 4096;

impl QuestionTable {
    /// Reads the questions of a state of the data.
    ///
    /// # Errors
    ///
    /// An error if the data cannot be read, or if the evaluation was cancelled.
    pub(crate) fn read(
        loaded: &LoadedData,
        cancellation: &CancellationToken,
    ) -> Result<Self, Box<Diagnostic>> {
        let (dataset, files) = (loaded.dataset(), loaded.files()?);
        let names = NameLookup::new(dataset);
        let mut reader = QuestionTableReader::begin(&names, &files);
        cancellation.check()?;
        reader.read_items();
        reader.read_texts();
        reader.read_finished();
        cancellation.check()?;
        reader.read_catalog();
        let templates = reader.templates();
        read_ratings(&names, &mut reader.rows, &reader.keys, &reader.nodes);
        cancellation.check()?;
        let mut words = KeywordNumbers::default();
        let (mut keywords, mut licences) = (NumberedTexts::default(), NumberedTexts::default());
        let of_rows = [
            read_keywords(&names, &reader.keys, &reader.items, &mut keywords),
            read_licences(&names, &reader.answers, &mut licences),
        ];
        reader.read_documents(&mut licences);
        words.put(of_rows, &reader.documents, &mut reader.rows);
        cancellation.check()?;
        let searched = reader.searched(&templates);
        if let Some(fault) = dataset.fault() {
            return Err(Box::new(fault.clone()));
        }
        Ok(reader.finish(words.0, keywords, licences, searched))
    }
}

/// The numbers of keywords and licences, row by row.
#[derive(Default)]
struct KeywordNumbers(Vec<u32>);

impl KeywordNumbers {
    /// Assigns each row its keywords, and its licences: those of the sources of its answer, and that of its dataset.
    fn put(
        &mut self,
        [keywords, licences]: [RowLinkList; 2],
        documents: &[QuestionDocument],
        rows: &mut [QuestionRow],
    ) {
        let (mut keywords, mut licences) = (keywords.walk(), licences.walk());
        let here = |words: &Vec<u32>| u32::try_from(words.len()).unwrap_or(u32::MAX);
        for (at, row) in rows.iter_mut().enumerate() {
            row.keywords = here(&self.0);
            self.0.extend(keywords.links_of(at as u64).iter().map(|link| link.row));
            row.licences = here(&self.0);
            let of_sources = licences.links_of(at as u64).iter().map(|link| link.row);
            let of_dataset = documents[row.document as usize].licence;
            let all: BTreeSet<u32> = of_sources.chain(of_dataset).collect();
            self.0.extend(all);
            row.end = here(&self.0);
        }
        self.0.shrink_to_fit();
    }
}

struct QuestionTableReader<'r> {
    names: &'r NameLookup<'r>,
    documents: Vec<QuestionDocument>,
    rows: Vec<QuestionRow>,
    systems: NumberedTexts,
    datasets: NumberedTexts,
    /// The rows, by graph and node.
    keys: RowLinkList,
    /// The rows, by node.
    nodes: RowLinkList,
    /// The rows, by graph and item.
    items: RowLinkList,
    /// The rows, by node of the accepted answer.
    answers: RowLinkList,
}

impl<'r> QuestionTableReader<'r> {
    /// Finds the questions. A comment on an answer is not a question.
    fn begin(names: &'r NameLookup<'r>, files: &HashMap<String, String>) -> Self {
        let remarks: BTreeSet<u64> =
            names.quads("comment").map(|found| in_graph(found.graph, found.object)).collect();
        let mut found: Vec<(TermId, TermId)> = QUESTION.iter().flat_map(|class| names.nodes(class)).collect();
        found.retain(|(graph, node)| remarks.is_empty() || !remarks.contains(&in_graph(*graph, *node)));
        found.sort_unstable();
        found.dedup();
        let (mut documents, mut rows) = (Vec::<QuestionDocument>::new(), Vec::with_capacity(found.len()));
        for (graph, node) in found {
            if documents.last().is_none_or(|last| last.graph != graph) {
                let iri = names.id(graph);
                let file = files.get(&iri).cloned();
                let (system, dataset, title, licence) = (None, None, None, None);
                documents.push(QuestionDocument { graph, iri, file, system, dataset, title, licence });
            }
            rows.push(QuestionRow::new(documents.len() as u32 - 1, node));
        }
        let numbered = || rows.iter().zip(0..);
        let graph = |row: &QuestionRow| documents[row.document as usize].graph;
        let keys = numbered().map(|(row, at)| RowLink { key: in_graph(graph(row), row.node), row: at });
        let keys: RowLinkList = keys.collect();
        let nodes = numbered().map(|(row, at)| RowLink { key: anywhere(row.node), row: at }).collect();
        let (systems, datasets) = (NumberedTexts::default(), NumberedTexts::default());
        let (items, answers) = (RowLinkList::default(), RowLinkList::default());
        Self { names, documents, rows, systems, datasets, keys, nodes, items, answers }
    }

    /// Returns the rows that the values of a property belong to, by graph and value.
    fn links_to_values(&self, property: &str) -> RowLinkList {
        let mut keys = self.keys.walk();
        let mut links = Vec::new();
        for PropertyStatement { graph, subject, object } in self.names.quads(property) {
            let rows = keys.links_of(in_graph(graph, subject)).iter();
            links.extend(rows.map(|link| RowLink { key: in_graph(graph, object), row: link.row }));
        }
        links.into_iter().collect()
    }

    fn read_items(&mut self) {
        let mut items = Vec::new();
        let mut keys = self.keys.walk();
        for PropertyStatement { graph, subject, object } in self.names.quads("item") {
            for link in keys.links_of(in_graph(graph, object)) {
                items.push(RowLink { key: in_graph(graph, subject), row: link.row });
                let row = &mut self.rows[link.row as usize];
                let is_better = row.item.is_none_or(|known| {
                    let order = |item| (!self.names.is_iri(item), item);
                    order(subject) < order(known)
                });
                if is_better {
                    row.item = Some(subject);
                }
            }
        }
        self.items = items.into_iter().collect();
        for holders in [&self.items, &self.keys] {
            let mut walk = holders.walk();
            for PropertyStatement { graph, subject, object } in self.names.quads("dateModified") {
                for link in walk.links_of(in_graph(graph, subject)) {
                    self.rows[link.row as usize].modified.get_or_insert(object);
                }
            }
        }
    }

    fn read_texts(&mut self) {
        for property in TEXTS {
            // The properties are in the order of their precedence. The search ends when every row has a text.
            if self.rows.iter().all(|row| row.text.is_some()) {
                break;
            }
            let mut keys = self.keys.walk();
            let mut found: Vec<(u32, TermId)> = Vec::new();
            for PropertyStatement { graph, subject, object } in self.names.quads(property) {
                let links = keys.links_of(in_graph(graph, subject)).iter();
                found.extend(links.map(|link| (link.row, object)));
            }
            let is_missing = |row: &u32| self.rows[*row as usize].text.is_none();
            found.retain(|(row, text)| is_missing(row) && self.names.is_literal(*text));
            for (row, text) in self.first_texts(found) {
                self.rows[row as usize].text = Some(text);
            }
        }
        let mut direct: Vec<(u32, TermId)> = Vec::new();
        let mut nodes = Vec::new();
        let accepted = self.links_to_values("acceptedAnswer");
        for link in accepted.iter() {
            // The lower half of the key is the node.
            match TermId::of_number(link.key as u32) {
                Some(answer) if self.names.is_literal(answer) => direct.push((link.row, answer)),
                Some(answer) => nodes.push(RowLink { key: anywhere(answer), row: link.row }),
                None => {}
            }
        }
        let mut answers = accepted.walk();
        for PropertyStatement { graph, subject, object } in self.names.quads("text") {
            let links = answers.links_of(in_graph(graph, subject)).iter();
            direct.extend(links.map(|link| (link.row, object)));
        }
        for (row, text) in self.first_texts(direct) {
            self.rows[row as usize].answer = Some(text);
        }
        self.answers = nodes.into_iter().collect();
    }

    /// Returns the first string of each row in code point order, which all readers of questions use.
    fn first_texts(&self, mut found: Vec<(u32, TermId)>) -> Vec<(u32, TermId)> {
        found.sort_unstable();
        found.dedup();
        let mut first: Vec<(u32, TermId)> = Vec::with_capacity(found.len());
        for (row, text) in found {
            match first.last_mut() {
                Some((last, known)) if *last == row => {
                    if self.names.text(text) < self.names.text(*known) {
                        *known = text;
                    }
                }
                _ => first.push((row, text)),
            }
        }
        first
    }

    /// Reads which questions are finished. If a file says so about any question, its other questions are not finished.
    /// For other files it is unknown.
    fn read_finished(&mut self) {
        let Some(finished) = self.names.string(FINISHED) else { return };
        let name = self.names.name("name");
        let view = &self.names.view;
        let properties =
            name.into_iter().flat_map(|name| view.named_quads([None, Some(name), Some(finished)]));
        let keys = properties.map(|([subject, ..], graph)| RowLink { key: in_graph(graph, subject), row: 0 });
        let named: RowLinkList = keys.collect();
        if named.is_empty() {
            return;
        }
        let mut walk = named.walk();
        let mut values = Vec::new();
        for PropertyStatement { graph, subject, object } in self.names.quads("value") {
            if !walk.links_of(in_graph(graph, subject)).is_empty()
                && let Some(truth) =
                    self.names.truth(object).or_else(|| spelled_truth(&self.names.text(object)))
            {
                values.push(RowLink { key: in_graph(graph, subject), row: u32::from(truth) });
            }
        }
        let values: RowLinkList = values.into_iter().collect();
        let (mut keys, mut walk) = (self.keys.walk(), values.walk());
        for PropertyStatement { graph, subject, object } in self.names.quads("additionalProperty") {
            let Some(value) = walk.links_of(in_graph(graph, object)).last() else { continue };
            for link in keys.links_of(in_graph(graph, subject)) {
                let finished = &mut self.rows[link.row as usize].finished;
                *finished = Some(finished.unwrap_or(false) || value.row == 1);
            }
        }
        let mut says = vec![false; self.documents.len()];
        for row in self.rows.iter().filter(|row| row.finished.is_some()) {
            says[row.document as usize] = true;
        }
        for row in self.rows.iter_mut().filter(|row| says[row.document as usize]) {
            row.finished.get_or_insert(false);
        }
    }

    /// Reads the facts of the catalog about nodes. A node in several graphs can be answered in only some of them.
    fn read_catalog(&mut self) {
        let names = self.names;
        let mut answerable: Vec<(u32, bool)> = Vec::new();
        let mut walk = self.nodes.walk();
        for (node, value) in names.of_catalog("eg:answerable") {
            let Some(truth) = names.truth(value) else { continue };
            answerable.extend(walk.links_of(anywhere(node)).iter().map(|link| (link.row, truth)));
        }
        answerable.sort_unstable();
        for said in answerable.chunk_by(|one, other| one.0 == other.0) {
            let (at, truth) = said[0];
            let answer = self.rows[at as usize].answer;
            let has_answer = || answer.is_some_and(|answer| is_answer(&names.text(answer)));
            let is_one = said.iter().all(|(_, other)| *other == truth);
            self.rows[at as usize].answerable = Some(if is_one { truth } else { has_answer() });
        }
        let mut ids: Vec<(u32, TermId)> = Vec::new();
        let mut walk = self.nodes.walk();
        for (node, id) in names.of_catalog("eg:localId") {
            ids.extend(walk.links_of(anywhere(node)).iter().map(|link| (link.row, id)));
        }
        for (row, id) in self.first_texts(ids) {
            self.rows[row as usize].local_id = Some(id);
        }
        for (node, value) in names.of_catalog("eg:disagreement") {
            for link in self.nodes.links_of(anywhere(node)) {
                self.rows[link.row as usize].disagreement = names.number(value);
            }
        }
        for (node, value) in names.of_catalog("eg:contested") {
            for link in self.nodes.links_of(anywhere(node)) {
                self.rows[link.row as usize].is_contested |= names.truth(value) == Some(true);
            }
        }
    }

    /// Returns the texts of templates; the key of a link is the row, and its row is the number of the text.
    fn templates(&self) -> RowLinkList {
        let (mut texts, mut nodes) = (Vec::new(), Vec::new());
        for property in TEMPLATES {
            for link in self.links_to_values(property).iter() {
                match TermId::of_number(link.key as u32) {
                    Some(text) if self.names.is_literal(text) => {
                        texts.push(RowLink { key: u64::from(link.row), row: text.number() });
                    }
                    _ => nodes.push(link),
                }
            }
        }
        let nodes: RowLinkList = nodes.into_iter().collect();
        if !nodes.is_empty() {
            let mut walk = nodes.walk();
            for PropertyStatement { graph, subject, object } in self.names.quads("text") {
                let links = walk.links_of(in_graph(graph, subject)).iter();
                texts.extend(links.map(|link| RowLink { key: u64::from(link.row), row: object.number() }));
            }
        }
        texts.into_iter().collect()
    }

    /// Reads the facts of the catalog about files, and the facts of datasets about themselves.
    fn read_documents(&mut self, licences: &mut NumberedTexts) {
        let names = self.names;
        let root_of = |class: &&str| names.nodes(class).map(|(graph, node)| in_graph(graph, node));
        let roots: RowLinkList = ROOTS.iter().flat_map(root_of).map(|key| RowLink { key, row: 0 }).collect();
        let by_graph: HashMap<TermId, usize> =
            self.documents.iter().enumerate().map(|(at, document)| (document.graph, at)).collect();
        let mut of_catalog =
            |property: &str, values: &mut NumberedTexts, put: fn(&mut QuestionDocument, u32)| {
                for document in &mut self.documents {
                    let view = &names.view;
                    let property = names.name(property).into_iter().filter(|_| names.catalog.is_some());
                    let mut said = property.flat_map(|property| {
                        view.triples_of([Some(document.graph), Some(property), None], names.catalog)
                    });
                    if let Some([.., value]) = said.next() {
                        put(document, values.number(&names.text(value)));
                    }
                }
            };
        of_catalog("eg:system", &mut self.systems, |document, system| document.system = Some(system));
        of_catalog("eg:dataset", &mut self.datasets, |document, dataset| document.dataset = Some(dataset));
        let mut walk = roots.walk();
        for PropertyStatement { graph, subject, object } in names.quads("license") {
            if !walk.links_of(in_graph(graph, subject)).is_empty()
                && let Some(at) = by_graph.get(&graph)
                && let Some(licence) = licence_of(names, graph, object)
            {
                self.documents[*at].licence = Some(licences.number(&licence));
            }
        }
        self.read_kept_licences(&roots, licences);
        for document in &mut self.documents {
            let nodes = NodeLookup::of_graph(names, document.graph);
            let titles = roots.nodes_of(document.graph).filter_map(|root| nodes.text(root, "name"));
            document.title = titles.min();
        }
    }

    /// Reads licences that datasets store as a named property, because their format has no key for it.
    fn read_kept_licences(&mut self, roots: &RowLinkList, licences: &mut NumberedTexts) {
        let names = self.names;
        if names.string(LICENCE).is_none() {
            return;
        }
        for document in self.documents.iter_mut().filter(|document| document.licence.is_none()) {
            let nodes = NodeLookup::of_graph(names, document.graph);
            let properties =
                roots.nodes_of(document.graph).flat_map(|root| nodes.objects(root, "additionalProperty"));
            let mut named = properties.filter(|property| nodes.texts(*property, "name").contains(LICENCE));
            let licence = named.find_map(|property| nodes.text(property, "value"));
            document.licence = licence.map(|licence| licences.number(&licence));
        }
    }

    /// Reads the texts of all rows, for searches and to decide whether a person wrote a template.
    fn searched(&mut self, templates: &RowLinkList) -> SearchableTexts {
        let (dataset, rows) = (self.names.dataset(), &self.rows);
        self.names.view.expect(3 * rows.len());
        let read = |begin: usize| {
            let names = NameLookup::new(dataset);
            let mut searched = SearchableTexts::default();
            let (mut written, mut templates) = (Vec::new(), templates.walk());
            for (row, at) in rows[begin..].iter().take(PART).zip(begin..) {
                let text = row.text.map(|text| names.text(text)).unwrap_or_default();
                searched.add(&text);
                for other in [row.answer, row.local_id].into_iter().flatten() {
                    names.view.with_text(other, |other| searched.add(other));
                }
                searched.end_row();
                let is_written = |code: &RowLink| {
                    let code = TermId::of_number(code.row);
                    let state = code.and_then(|code| names.view.with_text(code, |code| state(code, &text)));
                    state == Some(TemplateState::Written)
                };
                written.push(templates.links_of(at as u64).iter().any(is_written));
            }
            (searched, written)
        };
        let begins: Vec<usize> = (0..rows.len()).step_by(PART).collect();
        let parts: Vec<(SearchableTexts, Vec<bool>)> = begins.par_iter().map(|begin| read(*begin)).collect();
        let files = self.documents.iter().map(|document| document.file.as_deref());
        let mut searched = SearchableTexts::of_files(files);
        let mut written = Vec::with_capacity(rows.len());
        for (part, of_part) in parts {
            searched.append(&part);
            written.extend(of_part);
        }
        searched.finish();
        for (row, is_written) in self.rows.iter_mut().zip(written) {
            row.has_template = is_written;
        }
        searched
    }

    fn finish(
        self,
        words: Vec<u32>,
        keywords: NumberedTexts,
        licences: NumberedTexts,
        searched: SearchableTexts,
    ) -> QuestionTable {
        let mut by_file: Vec<u32> = (0..self.rows.len() as u32).collect();
        let place = |row: usize| {
            let row = &self.rows[row];
            let document = &self.documents[row.document as usize];
            (document.file.is_none(), document.file.as_deref(), row.document)
        };
        // The rows of a document are already in ascending order.
        put_in_order(&mut by_file, &|one, other| place(one).cmp(&place(other)));
        QuestionTable {
            documents: self.documents,
            rows: self.rows,
            systems: self.systems.into_texts(),
            datasets: self.datasets.into_texts(),
            licences: licences.into_texts(),
            keywords: keywords.into_texts(),
            words,
            items: self.items,
            nodes: self.nodes,
            searched,
            by_file,
            orders: Default::default(),
        }
    }
}
