//! The constraint components of SHACL Core: each checks the value nodes of a case against its parameters (section 4).
//!
//! `ShapeEvaluation` is defined in `evaluation.rs`.

use std::cmp::Ordering;

use super::comparable_literals::{ComparableLiteral, language_matches};
use super::details::InnerShapeCheck;
use super::evaluation::{ConstraintCase, ShapeEvaluation, ValidationStop};
use super::ids::{ConstantId, ShapeId};
use super::lexical_forms::is_well_formed;
use super::result::{CheckFindings, ConstraintFinding, InnerFailures};
use super::shape::{
    AllowedProperties, ConstraintCheck, FEW_ITEMS, NodeKinds, QualifiedCount, QualifiedValueShape, RangeBound,
};
use evalgraph_rdf::vocabulary::xsd;
use evalgraph_store::{RdfTermKind, TermId};

impl ShapeEvaluation<'_, '_, '_> {
    /// Checks the value nodes of a case against its constraint, and returns whether all of them meet it.
    pub(super) fn check(
        &mut self,
        case: &ConstraintCase<'_>,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let count = case.values.len() as u64;
        Ok(match case.check {
            ConstraintCheck::MinCount(least) => count >= *least || case.fail_counted(count, &mut findings),
            ConstraintCheck::MaxCount(most) => count <= *most || case.fail_counted(count, &mut findings),
            ConstraintCheck::HasValue(value) => {
                let value = self.plan.id(*value);
                self.value_nodes(case).contains(&value) || case.fail(None, &mut findings)
            }
            ConstraintCheck::UniqueLang => self.unique_languages(case, findings),
            ConstraintCheck::Equals(path)
            | ConstraintCheck::Disjoint(path)
            | ConstraintCheck::SubsetOf(path)
            | ConstraintCheck::LessThan(path)
            | ConstraintCheck::LessThanOrEquals(path) => self.check_pair(case, path, findings)?,
            ConstraintCheck::Property(shape) => self.property(case, *shape, findings)?,
            ConstraintCheck::Not(_)
            | ConstraintCheck::Node(_)
            | ConstraintCheck::And(_)
            | ConstraintCheck::Or(_)
            | ConstraintCheck::Xone(_) => self.logical(case, findings)?,
            ConstraintCheck::SomeValue(shape) => self.some_value(case, *shape, findings)?,
            ConstraintCheck::Qualified(qualified) => self.qualified(case, qualified, findings)?,
            ConstraintCheck::Closed(closed) => self.closed(case, closed, findings),
            ConstraintCheck::MemberShape(_)
            | ConstraintCheck::MinListLength(_)
            | ConstraintCheck::MaxListLength(_)
            | ConstraintCheck::UniqueMembers => self.check_lists(case, findings)?,
            ConstraintCheck::UniqueValuesFor(_) => {
                let is_unique = !self.duplicates.contains(case.shape, case.constraint, case.focus);
                is_unique || case.fail(None, &mut findings)
            }
            ConstraintCheck::Sparql(constraint) => self.check_sparql(case, constraint, findings)?,
            ConstraintCheck::Component(component) => self.check_component(case, component, findings)?,
            check => self.each(case, findings, |this, value| this.is_allowed(check, value)),
        })
    }

    /// Checks each value node against a condition.
    pub(super) fn each(
        &self,
        case: &ConstraintCase<'_>,
        mut findings: CheckFindings<'_>,
        mut is_allowed: impl FnMut(&Self, TermId) -> bool,
    ) -> bool {
        let mut conforms = true;
        for place in case.values.clone() {
            let value = self.values[place];
            if !is_allowed(self, value) {
                conforms = case.fail(Some(value), &mut findings);
                if !findings.wants_all() {
                    break;
                }
            }
        }
        conforms
    }

    /// Returns whether a value node meets a constraint that checks one value at a time
    /// ([`ConstraintCheck::tests_value`]).
    pub(super) fn is_allowed(&self, check: &ConstraintCheck, value: TermId) -> bool {
        let terms = &self.plan.terms;
        match check {
            ConstraintCheck::Class(classes) => classes.iter().any(|class| self.is_instance(value, *class)),
            ConstraintCheck::Datatype(datatypes) => {
                datatypes.iter().any(|datatype| self.has_datatype(value, *datatype))
            }
            ConstraintCheck::NodeKind(kinds) => self.has_kind(value, *kinds),
            ConstraintCheck::Bound(bound, limit) => self.is_within(value, *bound, self.plan.id(*limit)),
            ConstraintCheck::MinLength(least) => self.length(value).is_some_and(|length| length >= *least),
            ConstraintCheck::MaxLength(most) => self.length(value).is_some_and(|length| length <= *most),
            ConstraintCheck::Pattern(pattern) => {
                terms.with_text(value, |text| text.is_some_and(|text| pattern.regex.is_match(text)))
            }
            ConstraintCheck::SingleLine => terms.with_text(value, |text| {
                text.is_none_or(|text| {
                    !text.contains(['\n', '\r', '\u{c}', '\u{b}', '\u{85}', '\u{2028}', '\u{2029}'])
                })
            }),
            ConstraintCheck::LanguageIn(ranges) => terms.with_language(value, |language| {
                language.is_some_and(|tag| ranges.iter().any(|range| language_matches(tag, range)))
            }),
            ConstraintCheck::In(items) if items.len() > FEW_ITEMS => {
                self.plan.constant(value).is_some_and(|value| items.binary_search(&value).is_ok())
            }
            ConstraintCheck::In(items) => items.iter().any(|item| self.plan.id(*item) == value),
            ConstraintCheck::RootClass(roots) => {
                roots.iter().any(|root| self.plan.subclasses(*root).binary_search(&value).is_ok())
            }
            _ => true,
        }
    }

    fn is_instance(&self, value: TermId, class: ConstantId) -> bool {
        if !matches!(self.plan.terms.kind(value), RdfTermKind::Iri | RdfTermKind::BlankNode) {
            return false;
        }
        if !self.plan.terms.is_of_data(value) {
            return false;
        }
        let classes = self.plan.subclasses(class);
        self.view.subject_run(value).objects(self.plan.rdf_type).any(|class| match classes {
            [one] => class == *one,
            several => several.binary_search(&class).is_ok(),
        })
    }

    fn has_datatype(&self, value: TermId, datatype: ConstantId) -> bool {
        let terms = &self.plan.terms;
        let wanted = self.plan.id(datatype);
        if !terms.is_of_data(value) {
            return terms.with_text(wanted, |wanted| {
                let Some(wanted) = wanted else { return false };
                let is_of = |lexical: &str, own: &str| own == wanted && is_well_formed(lexical, own);
                terms.with_literal(value, is_of).unwrap_or(false)
            });
        }
        let dictionary = terms.dictionary();
        let kind = dictionary.kind(value);
        if dictionary.datatype_of(kind, value) != Some(wanted) {
            return false;
        }
        let datatype = match kind {
            // Any string is a valid `xsd:string`.
            RdfTermKind::String | RdfTermKind::LangString => return true,
            RdfTermKind::Integer => xsd::INTEGER,
            RdfTermKind::Decimal => xsd::DECIMAL,
            RdfTermKind::Double => xsd::DOUBLE,
            RdfTermKind::Float => xsd::FLOAT,
            RdfTermKind::Boolean => xsd::BOOLEAN,
            RdfTermKind::DateTime => xsd::DATE_TIME,
            RdfTermKind::Date => xsd::DATE,
            _ => dictionary.lexical(wanted),
        };
        is_well_formed(dictionary.lexical(value), datatype)
    }

    fn has_kind(&self, value: TermId, kinds: NodeKinds) -> bool {
        match self.plan.terms.kind(value) {
            RdfTermKind::Iri => kinds.iri,
            RdfTermKind::BlankNode => kinds.blank_node,
            _ => kinds.literal,
        }
    }

    /// The number of characters of an IRI or a literal; none for a blank node.
    fn length(&self, value: TermId) -> Option<u64> {
        self.plan.terms.with_text(value, |text| text.map(|text| text.chars().count() as u64))
    }

    pub(super) fn compare(&self, left: TermId, right: TermId) -> Option<Ordering> {
        let terms = &self.plan.terms;
        if let (Some(left), Some(right)) = (terms.short_integer(left), terms.short_integer(right)) {
            return Some(left.cmp(&right));
        }
        let compared = terms.with_literal(left, |lexical, datatype| {
            let left = ComparableLiteral::from_literal(lexical, datatype)?;
            terms.with_literal(right, |lexical, datatype| {
                left.compare(ComparableLiteral::from_literal(lexical, datatype)?)
            })?
        });
        compared.flatten()
    }

    fn is_within(&self, value: TermId, bound: RangeBound, limit: TermId) -> bool {
        // Values that cannot be compared fail: the comparison in SPARQL does not return true (section 4.3).
        let Some(order) = self.compare(value, limit) else { return false };
        match bound {
            RangeBound::MinExclusive => order.is_gt(),
            RangeBound::MinInclusive => order.is_ge(),
            RangeBound::MaxExclusive => order.is_lt(),
            RangeBound::MaxInclusive => order.is_le(),
        }
    }

    /// One failure for each language that several values have.
    fn unique_languages(&mut self, case: &ConstraintCase<'_>, mut findings: CheckFindings<'_>) -> bool {
        if case.values.len() < 2 {
            return true;
        }
        let terms = &self.plan.terms;
        let by_language = |left: &TermId, right: &TermId| {
            terms.with_language(*left, |left| {
                terms.with_language(*right, |right| compare_languages(left, right))
            })
        };
        let values = &mut self.values[case.values.clone()];
        // The value nodes are a set, so sorting them in place changes nothing for the other constraints.
        values.sort_unstable_by(by_language);
        let has_language = |value: &TermId| terms.with_language(*value, |language| language.is_some());
        let without = values.partition_point(|value| !has_language(value));
        let groups = values[without..].chunk_by(|left, right| by_language(left, right).is_eq());
        groups.filter(|group| group.len() > 1).fold(true, |_, _| case.fail(None, &mut findings))
    }

    /// Checks the value nodes against a property shape. Its results count as results of the whole validation.
    fn property(
        &mut self,
        case: &ConstraintCase<'_>,
        shape: ShapeId,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let mut conforms = true;
        for place in case.values.clone() {
            conforms &= self.validate(shape, self.values[place], findings.again())?;
            if !conforms && !findings.wants_all() {
                break;
            }
        }
        Ok(conforms)
    }

    /// Checks each value node against the shapes of a logical constraint (section 4.6), or of `sh:node`.
    fn logical(
        &mut self,
        case: &ConstraintCase<'_>,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let check = case.check;
        let mut conforms = true;
        for place in case.values.clone() {
            let value = self.values[place];
            if self.meets(check, value)? {
                continue;
            }
            conforms = false;
            if !findings.wants_all() {
                break;
            }
            let (count, details) = self.reasons(check, value)?;
            case.fail_with(Some(value), count, details, &mut findings);
        }
        Ok(conforms)
    }

    /// The failures that explain why a value does not meet a logical constraint, and how many of the shapes of
    /// `sh:xone` it conforms to. If it conforms to a shape that it must not conform to, no failure explains that.
    fn reasons(
        &mut self,
        check: &ConstraintCheck,
        value: TermId,
    ) -> Result<(Option<u64>, InnerFailures), ValidationStop> {
        Ok(match check {
            ConstraintCheck::Node(shape) => (None, self.details(&[InnerShapeCheck::new(*shape, value)])?),
            ConstraintCheck::And(shapes) => {
                let inner: Vec<InnerShapeCheck> =
                    shapes.iter().map(|shape| InnerShapeCheck::new(*shape, value)).collect();
                (None, self.details(&inner)?)
            }
            ConstraintCheck::Or(shapes) => {
                (None, self.details(&InnerShapeCheck::alternatives(shapes, value))?)
            }
            ConstraintCheck::Xone(shapes) => match self.count_conforming(shapes, value)? {
                0 => (Some(0), self.details(&InnerShapeCheck::alternatives(shapes, value))?),
                several => (Some(several as u64), InnerFailures::default()),
            },
            _ => (None, InnerFailures::default()),
        })
    }

    fn meets(&mut self, check: &ConstraintCheck, value: TermId) -> Result<bool, ValidationStop> {
        Ok(match check {
            ConstraintCheck::Node(shape) => self.conforms(*shape, value)?,
            ConstraintCheck::Not(shape) => !self.conforms(*shape, value)?,
            ConstraintCheck::And(shapes) => {
                for shape in shapes {
                    if !self.conforms(*shape, value)? {
                        return Ok(false);
                    }
                }
                true
            }
            ConstraintCheck::Or(shapes) => {
                for shape in shapes {
                    if self.conforms(*shape, value)? {
                        return Ok(true);
                    }
                }
                false
            }
            ConstraintCheck::Xone(shapes) => self.count_conforming(shapes, value)? == 1,
            _ => true,
        })
    }

    fn count_conforming(&mut self, shapes: &[ShapeId], value: TermId) -> Result<usize, ValidationStop> {
        let mut count = 0;
        for shape in shapes {
            count += usize::from(self.conforms(*shape, value)?);
        }
        Ok(count)
    }

    fn some_value(
        &mut self,
        case: &ConstraintCase<'_>,
        shape: ShapeId,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        for place in case.values.clone() {
            if self.conforms(shape, self.values[place])? {
                return Ok(true);
            }
        }
        let details = self.failing_values(case, shape, &findings)?;
        Ok(case.fail_with(None, None, details, &mut findings))
    }

    /// The reasons why the values of a case do not conform to a shape, if they are wanted.
    fn failing_values(
        &mut self,
        case: &ConstraintCase<'_>,
        shape: ShapeId,
        findings: &CheckFindings<'_>,
    ) -> Result<InnerFailures, ValidationStop> {
        if !findings.wants_all() {
            return Ok(InnerFailures::default());
        }
        let inner: Vec<InnerShapeCheck> =
            self.value_nodes(case).iter().map(|value| InnerShapeCheck::new(shape, *value)).collect();
        self.details(&inner)
    }

    fn qualified(
        &mut self,
        case: &ConstraintCase<'_>,
        qualified: &QualifiedValueShape,
        mut findings: CheckFindings<'_>,
    ) -> Result<bool, ValidationStop> {
        let mut count = 0;
        for place in case.values.clone() {
            let value = self.values[place];
            count += u64::from(self.is_counted(qualified, value)?);
        }
        let is_enough = match qualified.count {
            QualifiedCount::AtLeast(least) => count >= least,
            QualifiedCount::AtMost(most) => count <= most,
        };
        if is_enough {
            return Ok(true);
        }
        let details = match qualified.count {
            QualifiedCount::AtLeast(_) => self.failing_values(case, qualified.shape, &findings)?,
            QualifiedCount::AtMost(_) => InnerFailures::default(),
        };
        Ok(case.fail_with(None, Some(count), details, &mut findings))
    }

    fn is_counted(&mut self, qualified: &QualifiedValueShape, value: TermId) -> Result<bool, ValidationStop> {
        if !self.conforms(qualified.shape, value)? {
            return Ok(false);
        }
        // There are sibling shapes only with `sh:qualifiedValueShapesDisjoint` (section 4.7.3).
        for sibling in &qualified.siblings {
            if self.conforms(*sibling, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn closed(
        &mut self,
        case: &ConstraintCase<'_>,
        closed: &AllowedProperties,
        mut findings: CheckFindings<'_>,
    ) -> bool {
        let plan = self.plan;
        let has =
            |properties: &[ConstantId], predicate| properties.iter().any(|one| plan.id(*one) == predicate);
        let mut conforms = true;
        for place in case.values.clone() {
            let value = self.values[place];
            let by_types = closed.by_types.iter().flatten();
            let of_types: Vec<_> = by_types.filter(|(class, _)| self.is_instance(value, *class)).collect();
            for [_, predicate, object] in self.triples(Some(value), None, None) {
                if has(&closed.allowed, predicate) || of_types.iter().any(|(_, own)| has(own, predicate)) {
                    continue;
                }
                conforms = false;
                if let CheckFindings::All(all) = &mut findings {
                    all.push(ConstraintFinding { path: Some(predicate), ..case.finding(Some(object)) });
                }
            }
        }
        conforms
    }
}

/// Compares language tags regardless of case; none comes before all.
fn compare_languages(left: Option<&str>, right: Option<&str>) -> Ordering {
    let folded = |byte: u8| byte.to_ascii_lowercase();
    match (left, right) {
        (Some(left), Some(right)) => left.bytes().map(folded).cmp(right.bytes().map(folded)),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}
