//! The names with one correct answer, taken from the findings of a check: a name in a different letter case, and one
//! that a single term has replaced.

use std::collections::BTreeMap;

use crate::code::CheckRule;
use crate::schema_org_finding::SchemaOrgFinding;
use crate::term_kind::VocabularyTermKind;
use crate::vocabulary_terms::SchemaOrgVocabulary;
use evalgraph_rdf::vocabulary::rdf;

/// The role of a name in a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NameRole<'r> {
    Property,
    Class,
    Datatype,
    /// A value of the property with this IRI.
    Value(&'r str),
}

/// The correct names by the wrong ones, without their namespaces.
#[derive(Debug, Default)]
pub(super) struct NameCorrections {
    properties: BTreeMap<String, String>,
    classes: BTreeMap<String, String>,
    datatypes: BTreeMap<String, String>,
    /// The values of each property.
    values: BTreeMap<String, BTreeMap<String, String>>,
}

impl NameCorrections {
    /// The renamings for findings.
    pub(super) fn from_findings(findings: &[SchemaOrgFinding], vocabulary: &SchemaOrgVocabulary) -> Self {
        let mut renamings = Self::default();
        for finding in findings {
            renamings.note(finding, vocabulary);
        }
        renamings
    }

    pub(super) fn is_empty(&self) -> bool {
        [&self.properties, &self.classes, &self.datatypes].iter().all(|names| names.is_empty())
            && self.values.values().all(BTreeMap::is_empty)
    }

    /// The correct name for a wrong one.
    pub(super) fn get(&self, role: NameRole<'_>, name: &str) -> Option<&str> {
        let names = match role {
            NameRole::Property => Some(&self.properties),
            NameRole::Class => Some(&self.classes),
            NameRole::Datatype => Some(&self.datatypes),
            // The subject of a list item is a cell, and not the node that has the property.
            NameRole::Value(rdf::FIRST) => {
                return self.values.values().find_map(|names| names.get(name)).map(|it| &**it);
            }
            NameRole::Value(property) => self.values.get(property),
        };
        names?.get(name).map(String::as_str)
    }

    fn note(&mut self, finding: &SchemaOrgFinding, vocabulary: &SchemaOrgVocabulary) -> Option<()> {
        let SchemaOrgFinding { code, term, suggest, statement, .. } = finding;
        let (name, statement) = (term.as_deref()?, statement.as_ref()?);
        let predicate = statement.predicate.as_ref()?.as_str();
        let (names, kinds): (_, &[VocabularyTermKind]) = match code {
            CheckRule::UnknownProperty => (&mut self.properties, &[VocabularyTermKind::Property]),
            CheckRule::UnknownType if predicate == rdf::TYPE => {
                (&mut self.classes, &[VocabularyTermKind::Class, VocabularyTermKind::Datatype])
            }
            CheckRule::UnknownType => (&mut self.datatypes, &[VocabularyTermKind::Datatype]),
            CheckRule::Superseded if statement.value.is_none() => {
                (&mut self.properties, &[VocabularyTermKind::Property])
            }
            CheckRule::Superseded if predicate == rdf::TYPE => {
                (&mut self.classes, &[VocabularyTermKind::Class, VocabularyTermKind::Datatype])
            }
            CheckRule::UnknownTerm | CheckRule::EnumValue | CheckRule::Superseded => (
                self.values.entry(predicate.to_owned()).or_default(),
                &[
                    VocabularyTermKind::Member,
                    VocabularyTermKind::Class,
                    VocabularyTermKind::Datatype,
                    VocabularyTermKind::Property,
                ],
            ),
            _ => return None,
        };
        let right = match code {
            CheckRule::Superseded => sole_successor(vocabulary, name, kinds)?,
            _ => {
                let meant = suggest.as_deref().filter(|meant| differ_in_case(name, meant))?;
                sole_successor(vocabulary, meant, kinds).unwrap_or(meant)
            }
        };
        names.insert(name.to_owned(), right.to_owned());
        Some(())
    }
}

fn differ_in_case(name: &str, meant: &str) -> bool {
    name != meant && name.to_lowercase() == meant.to_lowercase()
}

/// The term that has replaced another one, if each step on the way has a single successor of its kind.
fn sole_successor<'v>(
    vocabulary: &'v SchemaOrgVocabulary,
    name: &str,
    kinds: &[VocabularyTermKind],
) -> Option<&'v str> {
    let mut term = kinds.iter().find_map(|kind| vocabulary.term(name, *kind))?;
    let last = term.successor()?;
    while term.name() != last.name() {
        let next: Vec<&str> = term.superseded_by().collect();
        let [name] = next[..] else { return None };
        term = vocabulary.term(name, term.kind())?;
    }
    Some(last.name())
}
