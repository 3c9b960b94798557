//! Focus nodes that share a key (SHACL 1.2, `sh:uniqueValuesFor`). The key of a node consists of a value for each of
//! the properties; a node without a value for one of them has no key.
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use std::collections::{HashMap, HashSet};

use super::duplicates::DuplicateFocusNodes;
use super::evaluation::{ShapeEvaluation, ValidationStop};
use super::ids::ShapeId;
use super::property_path::PropertyPath;
use super::shape::{ConstraintCheck, Shape};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_store::TermId;

/// How many keys a node may have: it has one for each combination of its values.
const MOST_KEYS: usize = 10_000;

impl ShapeEvaluation<'_, '_, '_> {
    /// The duplicates among the focus nodes of a shape.
    pub(super) fn duplicates_of(
        &self,
        id: ShapeId,
        shape: &Shape,
        nodes: &[TermId],
    ) -> Result<DuplicateFocusNodes, ValidationStop> {
        let mut found = DuplicateFocusNodes::default();
        for (place, constraint) in shape.constraints.iter().enumerate() {
            let ConstraintCheck::UniqueValuesFor(paths) = &constraint.check else { continue };
            let mut first: HashMap<Vec<TermId>, TermId> = HashMap::new();
            let mut duplicates = HashSet::new();
            for node in nodes {
                for key in self.keys(*node, paths)? {
                    if let Some(other) = first.insert(key, *node).filter(|other| other != node) {
                        duplicates.extend([other, *node]);
                    }
                }
            }
            found.add(id, place, duplicates);
        }
        Ok(found)
    }

    fn keys(
        &self,
        node: TermId,
        paths: &[std::sync::Arc<PropertyPath>],
    ) -> Result<Vec<Vec<TermId>>, ValidationStop> {
        let mut keys = vec![Vec::new()];
        for path in paths {
            let mut values = Vec::new();
            self.push_values(node, path, &mut values);
            if keys.len().saturating_mul(values.len()) > MOST_KEYS {
                let message = format!(
                    "a node has more than {MOST_KEYS} combinations of values for `sh:uniqueValuesFor`"
                );
                return Err(Box::new(Diagnostic::error("shacl::keys", message)));
            }
            let longer = keys.iter().flat_map(|key: &Vec<TermId>| {
                values.iter().map(move |value| key.iter().copied().chain([*value]).collect())
            });
            keys = longer.collect();
        }
        Ok(keys)
    }
}
