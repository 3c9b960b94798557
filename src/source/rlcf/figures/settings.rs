//! The weights and thresholds that the figures are computed with: the documents' numbers, those that
//! RLCF ships, or a file in the form of RLCF's `model_config`.

use std::fmt;

use super::expression::{Expression, ExpressionError};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::nearest::nearest;
use crate::json::{Document, TokenId};

/// Whose numbers are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// The documents'.
    Seed,
    /// Those of the configuration that RLCF ships.
    Shipped,
}

impl Profile {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Seed, Self::Shipped];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Shipped => "shipped",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// How much each part counts in the authority of an expert.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuthorityWeights {
    /// Of the credentials.
    pub baseline_credentials: f64,
    /// Of what was done so far.
    pub track_record: f64,
    /// Of what was done of late.
    pub recent_performance: f64,
}

/// From which value on something is said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// Above this disagreement a task is contested.
    pub disagreement: f64,
    /// Above this entropy, in nats, a field is a point of contention.
    pub contention: f64,
    /// Above this percentage of the weight a summary or draft is accepted as it is.
    pub rating_majority: f64,
    /// Above this sum the bias of a task is high.
    pub bias_high: f64,
    /// Above this sum it is medium.
    pub bias_medium: f64,
}

/// How a type of credential is scored.
#[derive(Debug, Clone, PartialEq)]
pub struct CredentialRule {
    /// The type.
    pub name: String,
    /// What the score is multiplied by.
    pub weight: f64,
    /// What gives the score of a value.
    pub scoring_function: ScoringFunction,
}

/// What gives the score of a credential's value.
#[derive(Debug, Clone, PartialEq)]
pub enum ScoringFunction {
    /// A score for each value, and one for all others.
    Map {
        /// Values with their scores.
        values: Vec<(String, f64)>,
        /// The score of any other value.
        default: f64,
    },
    /// A formula over the value as a number, or why it cannot be read.
    Formula(Result<Expression, ExpressionError>),
}

/// All that the figures are computed with.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The parts of an authority.
    pub authority_weights: AuthorityWeights,
    /// How much one feedback counts in the track record.
    pub update_factor: f64,
    /// The track record of an expert without any feedback.
    pub initial_track_record: f64,
    /// From which value on something is said.
    pub thresholds: Thresholds,
    /// The types of credentials that count.
    pub credential_types: Vec<CredentialRule>,
    /// Whether what is right is also looked for under the keys that the task configuration gives it;
    /// the program looks under others only.
    pub reads_configured_truth: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self::of(Profile::Seed)
    }
}

impl Settings {
    /// The numbers of a profile.
    pub fn of(profile: Profile) -> Self {
        let degree =
            map("ACADEMIC_DEGREE", 0.3, &[("Bachelor", 1.0), ("LLM", 1.1), ("JD", 1.2), ("PhD", 1.5)]);
        let thresholds = Thresholds {
            disagreement: 0.4,
            contention: 0.5,
            rating_majority: 60.0,
            bias_high: 1.0,
            bias_medium: 0.5,
        };
        let weights = |baseline_credentials, track_record, recent_performance| AuthorityWeights {
            baseline_credentials,
            track_record,
            recent_performance,
        };
        match profile {
            Profile::Seed => Self {
                authority_weights: weights(0.3, 0.5, 0.2),
                update_factor: 0.05,
                initial_track_record: 0.5,
                thresholds,
                credential_types: vec![
                    degree,
                    formula("PROFESSIONAL_EXPERIENCE", 0.4, "0.5 + 0.2 * sqrt(value)"),
                    formula("PUBLICATION", 0.2, "min(0.8 + 0.1 * value, 1.4)"),
                    map("INSTITUTIONAL_ROLE", 0.1, &[("Junior", 0.7), ("Senior", 1.1), ("Partner", 1.4)]),
                ],
                reads_configured_truth: true,
            },
            Profile::Shipped => Self {
                authority_weights: weights(0.4, 0.4, 0.2),
                update_factor: 0.05,
                initial_track_record: 0.0,
                thresholds: Thresholds { disagreement: 0.3, ..thresholds },
                credential_types: vec![degree],
                reads_configured_truth: false,
            },
        }
    }

    /// These settings with what a document in the form of `model_config` says in their place. The
    /// types of credentials are taken as a whole.
    ///
    /// # Errors
    /// `rlcf::config` with the place of a key that is none, of a value that is no number, or of a formula that
    /// cannot be read.
    pub fn with(mut self, document: &Document) -> Result<Self, Box<Diagnostic>> {
        let reader = Reader { document };
        let root = document.root();
        if !document.is_object(root) {
            return Err(reader.fault(root, "an object with the keys of `model_config` is expected"));
        }
        reader.check_keys()?;
        let weights = &mut self.authority_weights;
        let thresholds = &mut self.thresholds;
        let numbers = [
            (["authority_weights", "baseline_credentials"], &mut weights.baseline_credentials),
            (["authority_weights", "track_record"], &mut weights.track_record),
            (["authority_weights", "recent_performance"], &mut weights.recent_performance),
            (["track_record", "update_factor"], &mut self.update_factor),
            (["track_record", "initial"], &mut self.initial_track_record),
            (["thresholds", "disagreement"], &mut thresholds.disagreement),
            (["thresholds", "contention"], &mut thresholds.contention),
            (["thresholds", "rating_majority"], &mut thresholds.rating_majority),
            (["thresholds", "bias_high"], &mut thresholds.bias_high),
            (["thresholds", "bias_medium"], &mut thresholds.bias_medium),
        ];
        for (path, number) in numbers {
            if let Some(token) = reader.find(root, &path) {
                *number = reader.number(token)?;
            }
        }
        if let Some(types) = reader.find(root, &["baseline_credentials", "types"]) {
            let rules = document
                .members(types)
                .map(|member| reader.rule(document.symbol_text(member.symbol), member.value));
            self.credential_types = rules.collect::<Result<_, _>>()?;
        }
        Ok(self)
    }
}

fn map(name: &str, weight: f64, values: &[(&str, f64)]) -> CredentialRule {
    let values = values.iter().map(|&(value, score)| (value.to_owned(), score)).collect();
    CredentialRule {
        name: name.to_owned(),
        weight,
        scoring_function: ScoringFunction::Map { values, default: 0.0 },
    }
}

fn formula(name: &str, weight: f64, expression: &str) -> CredentialRule {
    let scoring_function = ScoringFunction::Formula(Expression::parse(expression));
    CredentialRule { name: name.to_owned(), weight, scoring_function }
}

struct Reader<'d> {
    document: &'d Document,
}

/// The keys of `model_config` and of what stands in it, and those that are ours: the way to an object, `*` for
/// any key, and its keys.
const KEYS: [(&[&str], &[&str]); 7] = [
    (&[], &["authority_weights", "track_record", "thresholds", "baseline_credentials"]),
    (&["authority_weights"], &["baseline_credentials", "track_record", "recent_performance"]),
    (&["track_record"], &["update_factor", "initial"]),
    (&["thresholds"], &["disagreement", "contention", "rating_majority", "bias_high", "bias_medium"]),
    (&["baseline_credentials"], &["types"]),
    (&["baseline_credentials", "types", "*"], &["weight", "scoring_function"]),
    (
        &["baseline_credentials", "types", "*", "scoring_function"],
        &["type", "values", "default", "expression"],
    ),
];

impl Reader<'_> {
    /// Refuses keys that would count nothing, so that a slip of the pen is seen.
    fn check_keys(&self) -> Result<(), Box<Diagnostic>> {
        for (path, known) in KEYS {
            for object in self.objects(path) {
                for member in self.document.members(object) {
                    let key = self.document.symbol_text(member.symbol);
                    if !known.contains(&key) {
                        return Err(self.unknown(member.key, (key, known)));
                    }
                }
            }
        }
        Ok(())
    }

    fn unknown(&self, token: TokenId, (key, known): (&str, &[&str])) -> Box<Diagnostic> {
        let fault = self.fault(token, format!("`{key}` is no setting"));
        Box::new(fault.with_help(match nearest(key, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("there are `{}`", known.join("`, `")),
        }))
    }

    /// The objects at the end of a way from the root.
    fn objects(&self, path: &[&str]) -> Vec<TokenId> {
        let mut objects = vec![self.document.root()];
        for step in path {
            let members = |object: TokenId| self.document.members(object);
            objects = objects
                .into_iter()
                .filter(|&object| self.document.is_object(object))
                .flat_map(members)
                .filter(|member| *step == "*" || self.document.symbol_text(member.symbol) == *step)
                .map(|member| member.value)
                .collect();
        }
        objects.retain(|&object| self.document.is_object(object));
        objects
    }

    fn find(&self, from: TokenId, path: &[&str]) -> Option<TokenId> {
        path.iter().try_fold(from, |token, key| self.document.get(token, key))
    }

    fn fault(&self, token: TokenId, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("rlcf::config", message).at(self.document.place(token)))
    }

    fn number(&self, token: TokenId) -> Result<f64, Box<Diagnostic>> {
        let number = self.document.number(token).and_then(|lexical| lexical.parse::<f64>().ok());
        let number = number.filter(|number| number.is_finite());
        number.ok_or_else(|| self.fault(token, "a number is expected"))
    }

    fn rule(&self, name: &str, token: TokenId) -> Result<CredentialRule, Box<Diagnostic>> {
        let member = |from: TokenId, key: &str| {
            let missing = || self.fault(from, format!("`{key}` of credential type `{name}` is missing"));
            self.document.get(from, key).ok_or_else(missing)
        };
        let weight = self.number(member(token, "weight")?)?;
        let function = member(token, "scoring_function")?;
        let kind = member(function, "type")?;
        let scoring_function = match self.document.string(kind).as_deref() {
            Some("map") => {
                let default = self.document.get(function, "default");
                ScoringFunction::Map {
                    values: self.scores(function)?,
                    default: default.map_or(Ok(0.0), |token| self.number(token))?,
                }
            }
            Some("formula") => {
                let token = member(function, "expression")?;
                let text = self.document.string(token);
                let text = text.ok_or_else(|| self.fault(token, "a formula is expected"))?;
                let parsed = Expression::parse(&text);
                if let Err(fault) = &parsed {
                    return Err(self.fault(token, format!("the formula cannot be read: {fault}")));
                }
                ScoringFunction::Formula(parsed)
            }
            _ => return Err(self.fault(kind, "`map` or `formula` is expected")),
        };
        Ok(CredentialRule { name: name.to_owned(), weight, scoring_function })
    }

    fn scores(&self, function: TokenId) -> Result<Vec<(String, f64)>, Box<Diagnostic>> {
        let Some(values) = self.document.get(function, "values") else { return Ok(Vec::new()) };
        let scores = self.document.members(values).map(|member| {
            let value = self.document.symbol_text(member.symbol).to_owned();
            self.number(member.value).map(|score| (value, score))
        });
        scores.collect()
    }
}
