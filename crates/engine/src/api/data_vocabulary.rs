//! The classes and properties that occur in the data, how many nodes have each, and which kinds of values they have.
//! The schema page shows them, and the query editor suggests them.
//!
//! Each property's column is walked once. The classes of a node are looked up by its number. Most nodes have one of a
//! few sets of classes, so counts are kept per set.

use std::collections::{BTreeSet, HashMap};

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::shortened::cut;
use evalgraph_rdf::vocabulary::rdf;
use evalgraph_sparql::{CancellationToken, QueryPrefixes};
use evalgraph_store::{Dataset, DatasetView, DefaultGraph, RdfTermKind, TermId};

/// The maximum number of classes, and of properties per class.
const MOST: usize = 500;
/// The maximum number of characters of an example.
const LONGEST: usize = 80;
/// The maximum number of values per property whose datatype is read from the value's text.
const MOST_READ: usize = 1_000;
/// How many values of a property are tried to find an informative example.
const MOST_TRIED: usize = 16;

/// The vocabulary of a state of the data. Each list begins with the most frequent entry.
#[derive(Debug, Default)]
pub struct DataVocabulary {
    /// The classes, most instances first.
    pub classes: Vec<ClassUsage>,
    /// How many classes are not in the list.
    pub more_classes: usize,
    /// The properties of all nodes, including nodes without a class.
    pub properties: Vec<IriCount>,
    /// How many properties are not in the list.
    pub more_properties: usize,
}

/// A class or a property, and how many nodes have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IriCount {
    /// The IRI.
    pub iri: String,
    /// How many nodes have it.
    pub count: usize,
}

/// A class.
#[derive(Debug)]
pub struct ClassUsage {
    /// The class, and how many instances it has.
    pub class: IriCount,
    /// The properties of its instances.
    pub properties: Vec<PropertyUsage>,
    /// How many properties are not in the list.
    pub more: usize,
}

/// A property of a class.
#[derive(Debug)]
pub struct PropertyUsage {
    /// The property, and how many instances have it.
    pub property: IriCount,
    /// The kinds of values: `iri`, `blank`, or the datatype.
    pub types: BTreeSet<String>,
    /// The classes of the values that are nodes.
    pub classes: BTreeSet<String>,
    /// An example value.
    pub example: Option<String>,
}

impl DataVocabulary {
    /// Collects the vocabulary of the union of the data's graphs.
    ///
    /// # Errors
    ///
    /// The reason of the cancellation, if there is one.
    pub fn from_dataset(
        dataset: &Dataset,
        cancellation: &CancellationToken,
    ) -> Result<Self, Box<Diagnostic>> {
        let view = dataset.view(DefaultGraph::Union);
        let sets = ClassSets::from_dataset(dataset, &view);
        let reader = DataVocabularyReader { dataset, view: &view, prefixes: QueryPrefixes::new() };
        let (classes, more_classes) = reader.counted(sets.counts());
        let mut by_class: HashMap<TermId, Vec<(TermId, ObservedValues)>> =
            classes.iter().map(|(class, _)| (*class, Vec::new())).collect();
        let mut properties = Vec::new();
        let mut places = vec![NONE; sets.sets.len()];
        for predicate in dataset.predicates_of_data() {
            cancellation.check()?;
            let column = ClassSetColumn::from_predicate(predicate, &reader, &sets, &mut places);
            properties.push((predicate, column.nodes()));
            for (class, values) in column.by_class(&sets) {
                if let Some(of_class) = by_class.get_mut(&class) {
                    of_class.push((predicate, values));
                }
            }
        }
        let classes = classes.into_iter().map(|(id, class)| {
            let values: HashMap<TermId, ObservedValues> =
                by_class.remove(&id).into_iter().flatten().collect();
            let counts = values.iter().map(|(property, values)| (*property, values.nodes)).collect();
            let (properties, more) = reader.counted(counts);
            let properties = properties.into_iter().filter_map(|(id, property)| {
                let values = values.get(&id)?;
                let classes =
                    values.sets.iter().flat_map(|set| &sets.sets[*set]).map(|class| reader.text(*class));
                let (types, example) = (reader.types(values), reader.example(values));
                Some(PropertyUsage { property, types, classes: classes.collect(), example })
            });
            ClassUsage { class, properties: properties.collect(), more }
        });
        let classes = classes.collect();
        let (properties, more_properties) = reader.counted(properties);
        let properties = properties.into_iter().map(|(_, property)| property).collect();
        Ok(Self { classes, more_classes, properties, more_properties })
    }
}

/// The sets of classes that nodes have; the first one is empty.
struct ClassSets {
    sets: Vec<Vec<TermId>>,
    /// The index of each node's set, by the number of the node.
    by_node: Vec<u32>,
    /// How many nodes have each set.
    nodes: Vec<usize>,
}

impl ClassSets {
    fn from_dataset(dataset: &Dataset, view: &DatasetView<'_>) -> Self {
        let dictionary = dataset.dictionary();
        let mut sets = Self { sets: vec![Vec::new()], by_node: Vec::new(), nodes: vec![0] };
        let class = oxrdf::NamedNodeRef::new_unchecked(rdf::TYPE);
        let Some(predicate) = dictionary.find(class.into()) else { return sets };
        sets.by_node = vec![0; dictionary.len() + 1];
        let mut places: HashMap<Vec<TermId>, u32> = HashMap::new();
        let mut note = |node: TermId, classes: &mut Vec<TermId>| {
            let place = match places.get(classes.as_slice()) {
                Some(place) => *place,
                None => {
                    // Node numbers have 32 bits, and there are fewer sets than nodes.
                    let place = sets.sets.len() as u32;
                    places.insert(classes.clone(), place);
                    sets.sets.push(classes.clone());
                    sets.nodes.push(0);
                    place
                }
            };
            sets.by_node[node.index()] = place;
            sets.nodes[place as usize] += 1;
            classes.clear();
        };
        // The triples are ordered by node.
        let mut open: Option<TermId> = None;
        let mut classes = Vec::new();
        for [node, _, class] in view.default_triples(None, Some(predicate), None) {
            if let Some(last) = open.filter(|last| *last != node) {
                note(last, &mut classes);
            }
            open = Some(node);
            if dictionary.kind(class) == RdfTermKind::Iri {
                classes.push(class);
            }
        }
        if let Some(last) = open {
            note(last, &mut classes);
        }
        sets
    }

    fn of_node(&self, node: TermId) -> usize {
        self.by_node.get(node.index()).map_or(0, |place| *place as usize)
    }

    /// Returns how many nodes each class has.
    fn counts(&self) -> Vec<(TermId, usize)> {
        let mut counts: HashMap<TermId, usize> = HashMap::new();
        for (classes, nodes) in self.sets.iter().zip(&self.nodes) {
            classes.iter().for_each(|class| *counts.entry(*class).or_default() += nodes);
        }
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

/// The values of a property on the nodes of one class or of one set of classes.
#[derive(Debug, Clone, Default)]
struct ObservedValues {
    nodes: usize,
    last: Option<TermId>,
    /// The kinds, one bit per kind.
    kinds: u16,
    /// The datatypes that are not among the kinds.
    datatypes: BTreeSet<TermId>,
    /// The indexes of the sets of classes that the values have.
    sets: BTreeSet<usize>,
    examples: Vec<TermId>,
}

impl ObservedValues {
    fn add(&mut self, node: TermId, value: TermId, kind: RdfTermKind) {
        if self.last != Some(node) {
            self.last = Some(node);
            self.nodes += 1;
        }
        self.kinds |= 1 << kind as u16;
        if kind != RdfTermKind::BlankNode && self.examples.len() < MOST_TRIED {
            self.examples.push(value);
        }
    }

    /// Adds the values of other nodes.
    fn join(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.kinds |= other.kinds;
        self.datatypes.extend(&other.datatypes);
        self.sets.extend(&other.sets);
        let room = MOST_TRIED.saturating_sub(self.examples.len());
        self.examples.extend(other.examples.iter().take(room));
    }
}

/// The index of an absent set.
const NONE: u32 = u32::MAX;

/// The values of a property, by the sets of classes of its nodes. Each set occurs once.
struct ClassSetColumn(Vec<(usize, ObservedValues)>);

impl ClassSetColumn {
    /// Walks the values of a property. `places` has one number per set and is restored before this returns.
    fn from_predicate(
        predicate: TermId,
        reader: &DataVocabularyReader<'_>,
        sets: &ClassSets,
        places: &mut [u32],
    ) -> Self {
        let dictionary = reader.dataset.dictionary();
        let mut column: Vec<(usize, ObservedValues)> = Vec::new();
        let mut read = 0;
        for [node, _, value] in reader.view.default_triples(None, Some(predicate), None) {
            let kind = dictionary.kind(value);
            let set = sets.of_node(node);
            if places[set] == NONE {
                places[set] = column.len() as u32;
                column.push((set, ObservedValues::default()));
            }
            let (_, values) = &mut column[places[set] as usize];
            values.add(node, value, kind);
            if matches!(kind, RdfTermKind::Iri | RdfTermKind::BlankNode) {
                values.sets.insert(sets.of_node(value));
            }
            if kind == RdfTermKind::OtherTyped && read < MOST_READ {
                read += 1;
                values.datatypes.extend(dictionary.datatype(value));
            }
        }
        column.iter().for_each(|(set, _)| places[*set] = NONE);
        Self(column)
    }

    fn nodes(&self) -> usize {
        self.0.iter().map(|(_, values)| values.nodes).sum()
    }

    fn by_class(self, sets: &ClassSets) -> HashMap<TermId, ObservedValues> {
        let mut by_class: HashMap<TermId, ObservedValues> = HashMap::new();
        for (set, values) in self.0 {
            sets.sets[set].iter().for_each(|class| by_class.entry(*class).or_default().join(&values));
        }
        by_class
    }
}

/// Reads the texts of terms.
struct DataVocabularyReader<'r> {
    dataset: &'r Dataset,
    view: &'r DatasetView<'r>,
    prefixes: QueryPrefixes,
}

impl DataVocabularyReader<'_> {
    /// Returns the most frequent terms with their IRIs, and how many terms were left out.
    fn counted(&self, mut counts: Vec<(TermId, usize)>) -> (Vec<(TermId, IriCount)>, usize) {
        // Terms are numbered in order of appearance, which orders terms with equal counts.
        counts.sort_unstable_by_key(|(id, count)| (usize::MAX - count, *id));
        let more = counts.len().saturating_sub(MOST);
        counts.truncate(MOST);
        let named = counts.into_iter().map(|(id, count)| (id, IriCount { iri: self.text(id), count }));
        (named.collect(), more)
    }

    fn text(&self, id: TermId) -> String {
        self.view.with_text(id, str::to_owned).unwrap_or_default()
    }

    fn types(&self, values: &ObservedValues) -> BTreeSet<String> {
        let short = |iri: &str| self.prefixes.shorten(iri).unwrap_or_else(|| iri.to_owned());
        let mut types: BTreeSet<String> =
            values.datatypes.iter().map(|datatype| short(&self.text(*datatype))).collect();
        for (kind, name) in KINDS {
            if values.kinds & 1 << kind as u16 != 0 {
                types.insert(name.to_owned());
            }
        }
        types
    }

    /// Returns an informative value that is not a `file:` IRI, cut if it is long.
    fn example(&self, values: &ObservedValues) -> Option<String> {
        let shown = |value: &TermId| {
            let is_iri = self.dataset.dictionary().kind(*value) == RdfTermKind::Iri;
            let text = self.view.with_text(*value, |text| {
                let is_private = is_iri && text.starts_with("file:");
                (!is_private && !text.trim().is_empty()).then(|| cut(text, LONGEST - 1).into_owned())
            });
            text.flatten()
        };
        values.examples.iter().find_map(shown)
    }
}

/// The names of the kinds of values.
const KINDS: [(RdfTermKind, &str); 12] = [
    (RdfTermKind::Iri, "iri"),
    (RdfTermKind::BlankNode, "blank"),
    (RdfTermKind::String, "xsd:string"),
    (RdfTermKind::LangString, "rdf:langString"),
    (RdfTermKind::Integer, "xsd:integer"),
    (RdfTermKind::Decimal, "xsd:decimal"),
    (RdfTermKind::Double, "xsd:double"),
    (RdfTermKind::Float, "xsd:float"),
    (RdfTermKind::Boolean, "xsd:boolean"),
    (RdfTermKind::DateTime, "xsd:dateTime"),
    (RdfTermKind::Date, "xsd:date"),
    (RdfTermKind::Json, "rdf:JSON"),
];
