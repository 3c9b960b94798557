//! Names unread statements of a graph in the terms of the file: by the keys of its records, which the tables list, and
//! by the parts of a checkpoint.

use super::shape::{FileShape, MemberForm, RecordMember, RecordShape, own_namespace};
use super::tracked_graph::UnreadStatements;
use evalgraph_diagnostics::article::with_article;
use evalgraph_rdf::quad_buffer::BufferTermId;
use std::collections::{BTreeMap, BTreeSet};

/// Parts of a checkpoint that no other system has, by class; they are reported as a whole.
const WHOLE: [(&str, &str); 2] = [("SoftwareSourceCode", "a template"), ("Rating", "a trait or rating")];

/// Properties that lead from one part of a checkpoint to another, each with the class of its target. Such a property
/// is not reported if the target is.
const LINKS: [(&str, &str); 6] = [
    ("additionalProperty", "PropertyValue"),
    ("variableMeasured", "PropertyValue"),
    ("hasPart", "SoftwareSourceCode"),
    ("rating", "Rating"),
    ("contentRating", "Rating"),
    ("globalRubric", "Rating"),
];

/// The most keys that are listed together.
const MOST_KEYS: usize = 4;

/// Something that the file does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DescribedLoss {
    /// Its description for messages.
    pub what: String,
    /// How often it was lost.
    pub count: u64,
    /// The first nodes that lost it.
    pub nodes: Vec<BufferTermId>,
}

/// The keys of records by class and property, and the properties between the nodes of one record.
#[derive(Default)]
struct RecordKeys {
    keys: BTreeMap<(String, String), BTreeSet<String>>,
    links: BTreeSet<(String, String)>,
}

/// Names the unread statements. `files` are the tables of the graph's files. A statement that only links parts that
/// are named anyway is left out.
pub fn in_words(unread: &[UnreadStatements], files: &[FileShape]) -> Vec<DescribedLoss> {
    let mut keys = RecordKeys::default();
    for file in files {
        keys.walk(file.root, &mut Vec::new());
        if let Some((_, shape)) = file.records.beside_root() {
            keys.walk(shape, &mut Vec::new());
        }
    }
    let has = |class: &str| unread.iter().any(|unread| unread.class == class && unread.property != "type");
    let is_tie = |unread: &&UnreadStatements| {
        let UnreadStatements { class, property, .. } = *unread;
        (property == "type" && (has(class) || keys.has_class(class)))
            || LINKS.iter().any(|(link, class)| link == property && has(class))
            || keys.links.contains(&(class.clone(), property.clone()))
    };
    let (ties, named): (Vec<&UnreadStatements>, Vec<&UnreadStatements>) = unread.iter().partition(is_tie);
    let told = if named.is_empty() { ties.clone() } else { named };
    let mut lost: BTreeMap<String, DescribedLoss> = BTreeMap::new();
    for unread in told {
        if WHOLE.iter().any(|(class, _)| *class == unread.class) {
            continue;
        }
        add(keys.words(unread), unread, &mut lost);
    }
    for (class, words) in WHOLE {
        // Each node states its class once.
        let whole = ties.iter().find(|unread| unread.class == class && unread.property == "type").copied();
        let of_class = unread.iter().filter(|unread| unread.class == class);
        if let Some(unread) = whole.or_else(|| of_class.max_by_key(|unread| unread.count)) {
            add(words.to_owned(), unread, &mut lost);
        }
    }
    lost.into_values().collect()
}

fn add(what: String, unread: &UnreadStatements, lost: &mut BTreeMap<String, DescribedLoss>) {
    let empty = DescribedLoss { what: what.clone(), count: 0, nodes: Vec::new() };
    let found = lost.entry(what).or_insert(empty);
    found.count += unread.count;
    found.nodes.extend(unread.nodes.iter().take(3usize.saturating_sub(found.nodes.len())));
}

impl RecordKeys {
    fn has_class(&self, class: &str) -> bool {
        self.keys.keys().chain(&self.links).any(|(known, _)| known == class)
    }

    fn words(&self, unread: &UnreadStatements) -> String {
        let UnreadStatements { class, property, .. } = unread;
        if property == "acceptedText" {
            return "the texts of `answer` besides the first".to_owned();
        }
        if let Some(keys) = self.keys.get(&(class.clone(), property.clone())) {
            return shown(keys);
        }
        match class.as_str() {
            "" => format!("`{property}`"),
            "PropertyValue" => format!("the property `{property}`"),
            "DataFeed" | "Dataset" => format!("`{property}` of the dataset"),
            class => format!("`{property}` of {}", with_article(class)),
        }
    }

    /// Collects the keys of a shape. Recurses by the depth of the tables, and skips a shape inside itself.
    fn walk(&mut self, shape: &'static RecordShape, above: &mut Vec<&'static str>) {
        if above.contains(&shape.name) {
            return;
        }
        above.push(shape.name);
        let classes = classes(shape.node);
        for member in shape.members {
            self.member(member, &classes, "", above);
        }
        above.pop();
    }

    fn member(
        &mut self,
        member: &RecordMember,
        classes: &[String],
        prefix: &str,
        above: &mut Vec<&'static str>,
    ) {
        let key = if prefix.is_empty() { member.key.to_owned() } else { format!("{prefix}.{}", member.key) };
        if let MemberForm::Group(members) = member.form {
            for member in members {
                self.member(member, classes, &key, above);
            }
            return;
        }
        let mut classes = classes.to_vec();
        let steps: Vec<&str> = member.path.split('/').collect();
        for (at, step) in steps.iter().enumerate() {
            let step = own_namespace(step).map_or(*step, |(_, local)| local);
            let (property, node) = step.split_once(':').unwrap_or((step, ""));
            let is_last = at + 1 == steps.len();
            for class in &classes {
                let place = (class.clone(), property.to_owned());
                if is_last && !member.key.is_empty() {
                    self.keys.entry(place).or_default().insert(key.clone());
                } else {
                    self.links.insert(place);
                }
            }
            classes = self::classes(node);
        }
        if let Some(shape) = shape_in(member.form) {
            self.walk(shape, above);
        }
    }
}

fn shape_in(form: MemberForm) -> Option<&'static RecordShape> {
    match form {
        MemberForm::Node(shape)
        | MemberForm::Nodes(shape)
        | MemberForm::Entries(shape)
        | MemberForm::OtherMembers(_, shape) => Some(shape),
        MemberForm::Derived(form)
        | MemberForm::Where(_, form)
        | MemberForm::OfList(form)
        | MemberForm::Alone(form) => shape_in(*form),
        _ => None,
    }
}

/// Returns the local names of the classes of a node in a path.
fn classes(node: &str) -> Vec<String> {
    let end = node.find(['{', '#', '@']).unwrap_or(node.len());
    let local = |class: &str| own_namespace(class).map_or(class, |(_, local)| local).to_owned();
    node[..end].split('+').map(local).collect()
}

fn shown(keys: &BTreeSet<String>) -> String {
    if keys.len() > MOST_KEYS
        && let Some((group, _)) = keys.first().and_then(|key| key.split_once('.'))
    {
        return format!("`{group}`");
    }
    let quoted: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    quoted.join(" or ")
}
