//! The task types, each written once, with their input and feedback fields: our own ten, those of the schema document,
//! those that RLCF ships, or those of a task configuration.

use crate::checking::schema::{CoercionMode, SchemaFieldType, expected_words, is_of_type};
use evalgraph_diagnostics::Diagnostic;
use evalgraph_json::{JsonDocument, TokenId};
use std::borrow::Cow;

/// The type of a field's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// A string.
    Str,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// `true` or `false`.
    Bool,
    /// An array.
    List(Box<ValueType>),
    /// An object with values of a type.
    Dict(Box<ValueType>),
    /// One of several strings.
    Literal(Vec<String>),
    /// Anything.
    Any,
}

impl ValueType {
    /// Reads the name of a type, as configurations write it: `str`, `List[str]`, `Dict[str, float]`,
    /// `Literal['a', 'b']`. Any other string is [`ValueType::Any`].
    pub fn parse(name: &str) -> Self {
        Self::parse_at(name, 0)
    }

    fn parse_at(name: &str, depth: usize) -> Self {
        let name = name.trim();
        let inner = |head: &str| name.strip_prefix(head)?.strip_prefix('[')?.strip_suffix(']');
        // Types are only a few levels deep. A deeper one is not read as a type.
        if depth > 8 {
            return Self::Any;
        }
        match name {
            "str" | "string" => Self::Str,
            "int" | "integer" => Self::Int,
            "float" | "number" => Self::Float,
            "bool" | "boolean" => Self::Bool,
            "list" | "List" | "array" => Self::List(Box::new(Self::Any)),
            "dict" | "Dict" | "object" => Self::Dict(Box::new(Self::Any)),
            _ => {
                if let Some(item) = inner("List").or_else(|| inner("list")) {
                    return Self::List(Box::new(Self::parse_at(item, depth + 1)));
                }
                if let Some(pair) = inner("Dict").or_else(|| inner("dict")) {
                    let value = pair.split_once(',').map_or("", |(_, value)| value);
                    return Self::Dict(Box::new(Self::parse_at(value, depth + 1)));
                }
                let Some(words) = inner("Literal") else { return Self::Any };
                let word = |word: &str| word.trim().trim_matches(['\'', '"']).to_owned();
                Self::Literal(words.split(',').map(word).collect())
            }
        }
    }

    /// Returns the type of the value itself in the common language, which says nothing about the values inside it.
    fn outer(&self) -> SchemaFieldType {
        match self {
            Self::Str | Self::Literal(_) => SchemaFieldType::Text,
            Self::Int => SchemaFieldType::Integer,
            Self::Float => SchemaFieldType::Number,
            Self::Bool => SchemaFieldType::Boolean,
            Self::List(_) => SchemaFieldType::AnyArray,
            Self::Dict(_) => SchemaFieldType::AnyObject,
            Self::Any => SchemaFieldType::Json,
        }
    }

    /// Returns the first value that is not of the type: the value itself or one inside it.
    pub fn misfit(&self, document: &JsonDocument, value: TokenId) -> Option<TokenId> {
        if !is_of_type(document, CoercionMode::Written, value, &self.outer()) {
            return Some(value);
        }
        match self {
            Self::Literal(words) => {
                let is_known =
                    words.iter().any(|word| document.string(value).is_some_and(|text| *word == text));
                (!is_known).then_some(value)
            }
            Self::List(item) => document.items(value).find_map(|inner| item.misfit(document, inner)),
            Self::Dict(of) => document.members(value).find_map(|member| of.misfit(document, member.value)),
            _ => None,
        }
    }

    /// Describes the type for messages.
    pub fn describe(&self) -> Cow<'static, str> {
        match self {
            Self::List(item) if **item == Self::Str => "an array of strings".into(),
            Self::Dict(value) if **value == Self::Float => "an object of numbers".into(),
            Self::Literal(words) => format!("one of {}", words.join(", ")).into(),
            _ => expected_words(&self.outer()),
        }
    }
}

/// A field of the input or feedback of a task type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskField {
    /// Its key.
    pub key: String,
    /// The type of its value.
    pub value: ValueType,
    /// `true` if it is required.
    pub required: bool,
}

/// A task type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskType {
    /// Its name.
    pub name: String,
    /// The fields of `input_data`; `None` if they are not known.
    pub input_data: Option<Vec<TaskField>>,
    /// The fields of `feedback_data`; `None` if they are not known.
    pub feedback_data: Option<Vec<TaskField>>,
    /// The keys of feedback that have the right answer.
    pub ground_truth_keys: Vec<String>,
}

/// A set of task types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskTypes {
    /// The types.
    pub types: Vec<TaskType>,
}

/// The parts of a task type for which the document has a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DocumentPart {
    None,
    Input,
    Both,
}

/// A row of the table of task types: name, parts in the document, input, feedback, ground truth. Fields are `key:type`, or
/// `key:type?` if they may be missing.
type TaskTypeRow = (&'static str, DocumentPart, &'static str, &'static str, &'static str);

/// The task types, in the order of the shipped enumeration. The given macro makes a row of each. A type with more than its
/// name is one of our own ten. If the document has a table for a type, it says which fields are required. In the other
/// types, all input is required, and in the feedback the right answer and its reasons.
macro_rules! each_task_type {
    ($row:ident) => {
        [
            $row!(
                "SUMMARIZATION",
                DocumentPart::Input,
                "document:str",
                "revised_summary:str rating:str reasoning:str key_points_coverage:str? factual_accuracy:str?",
                "revised_summary"
            ),
            $row!(
                "CLASSIFICATION",
                DocumentPart::Both,
                "text:str unit:str",
                "validated_labels:List[str] reasoning:str confidence_per_label:Dict[str,float] missed_labels:str?",
                "validated_labels"
            ),
            $row!(
                "QA",
                DocumentPart::Both,
                "question:str context:str",
                "validated_answer:str position:str reasoning:str source_accuracy:str completeness:str",
                "validated_answer"
            ),
            $row!(
                "PREDICTION",
                DocumentPart::None,
                "facts:str",
                "chosen_outcome:str reasoning:str confidence:float? risk_factors:str?",
                "chosen_outcome"
            ),
            $row!(
                "NLI",
                DocumentPart::None,
                "premise:str hypothesis:str",
                "chosen_label:str reasoning:str confidence:float? logical_structure:str?",
                "chosen_label"
            ),
            $row!(
                "NER",
                DocumentPart::None,
                "tokens:List[str] text:str",
                "validated_tags:List[str] reasoning:str entity_corrections:str? missed_entities:str?",
                "validated_tags"
            ),
            $row!(
                "DRAFTING",
                DocumentPart::None,
                "source:str task:str instruction:str",
                "revised_target:str rating:str reasoning:str style_improvements:str? legal_compliance:str?",
                "revised_target"
            ),
            $row!(
                "RISK_SPOTTING",
                DocumentPart::None,
                "text:str",
                "validated_risk_labels:List[str] validated_severity:int reasoning:str mitigation_suggestions:str? \
                 regulatory_references:str?",
                "validated_risk_labels validated_severity"
            ),
            $row!(
                "DOCTRINE_APPLICATION",
                DocumentPart::None,
                "facts:str question:str",
                "chosen_label:str reasoning:str doctrine_analysis:str? precedent_citations:str? \
                 alternative_interpretations:str?",
                "chosen_label"
            ),
            $row!("COMPLIANCE_RISK_SPOTTING"),
            $row!("DOC_CLAUSE_CLASSIFICATION"),
            $row!("DRAFTING_GENERATION_PARALLEL"),
            $row!("NAMED_ENTITY_BIO"),
            $row!("NLI_ENTAILMENT"),
            $row!(
                "STATUTORY_RULE_QA",
                DocumentPart::Both,
                "question:str rule_id:str context_full:str context_count:int relevant_articles:str category:str \
                 tags:str metadata_full:str",
                "validated_answer:str position:str reasoning:str legal_accuracy:str citation_quality:str \
                 omitted_articles:str? citation_corrections:str?",
                "validated_answer"
            ),
            $row!("SUMMARIZATION_PAIRS"),
            $row!("VIOLATION_OUTCOME_PREDICTION"),
        ]
    };
}
pub(super) use each_task_type;

macro_rules! own {
    ($name:literal) => {
        None
    };
    ($($row:tt)*) => {
        Some(($($row)*))
    };
}

const TYPES: [Option<TaskTypeRow>; 17] = each_task_type!(own);

impl TaskTypes {
    /// Returns our own ten task types.
    pub fn own() -> Self {
        Self { types: TYPES.iter().flatten().map(task_type).collect() }
    }

    /// Returns only what the schema document contains: for most types, just their names.
    pub fn document() -> Self {
        let mut types = Self::own().types;
        for (task_type, (_, part, ..)) in types.iter_mut().zip(TYPES.iter().flatten()) {
            if *part == DocumentPart::None {
                task_type.input_data = None;
                task_type.ground_truth_keys.clear();
            }
            if *part != DocumentPart::Both {
                task_type.feedback_data = None;
            }
        }
        Self { types }
    }

    /// Returns the configuration that RLCF ships, which has the same fields. All input is required, but no field of the
    /// feedback, because the program does not check feedback.
    pub fn shipped() -> Self {
        let mut types = Self::own().types;
        for field in types.iter_mut().flat_map(|task_type| task_type.feedback_data.iter_mut().flatten()) {
            field.required = false;
        }
        Self { types }
    }

    /// Returns the type with this name.
    pub fn get(&self, name: &str) -> Option<&TaskType> {
        self.types.iter().find(|task_type| task_type.name == name)
    }

    /// Reads a task configuration: an object with `task_types`, each with `input_data` and `feedback_data` from key to
    /// type. A type may end in `(optional)`, or be inside `Optional[…]`.
    ///
    /// # Errors
    /// `rlcf::task-config` with the place of the value that does not fit.
    pub fn read(document: &JsonDocument) -> Result<Self, Box<Diagnostic>> {
        let root = document.root();
        let types = document.get(root, "task_types").filter(|&types| document.is_object(types));
        let Some(types) = types else {
            return Err(fault(document, root, "a task configuration has an object `task_types`"));
        };
        let mut read = Vec::new();
        for member in document.members(types) {
            let name = document.symbol_text(member.symbol).to_owned();
            if !document.is_object(member.value) {
                return Err(fault(
                    document,
                    member.value,
                    &format!("the task type `{name}` is not an object"),
                ));
            }
            let keys = document.get(member.value, "ground_truth_keys");
            let keys = keys.into_iter().flat_map(|keys| document.items(keys));
            read.push(TaskType {
                name,
                input_data: fields(document, member.value, "input_data")?,
                feedback_data: fields(document, member.value, "feedback_data")?,
                ground_truth_keys: keys.filter_map(|key| document.string(key).map(Into::into)).collect(),
            });
        }
        Ok(Self { types: read })
    }
}

fn task_type(&(name, _, input, feedback, ground_truth): &TaskTypeRow) -> TaskType {
    let fields = |text: &str| {
        let field = |word: &str| {
            let (key, value) = word.split_once(':').unwrap_or((word, ""));
            let (value, required) = value.strip_suffix('?').map_or((value, true), |value| (value, false));
            TaskField { key: key.to_owned(), value: ValueType::parse(value), required }
        };
        Some(text.split_whitespace().map(field).collect())
    };
    TaskType {
        name: name.to_owned(),
        input_data: fields(input),
        feedback_data: fields(feedback),
        ground_truth_keys: ground_truth.split_whitespace().map(str::to_owned).collect(),
    }
}

fn fields(
    document: &JsonDocument,
    task_type: TokenId,
    key: &'static str,
) -> Result<Option<Vec<TaskField>>, Box<Diagnostic>> {
    let Some(table) = document.get(task_type, key) else { return Ok(None) };
    if !document.is_object(table) {
        return Err(fault(document, table, &format!("`{key}` is not an object from keys to types")));
    }
    let field = |member: evalgraph_json::JsonMember| {
        let written = document.string(member.value).unwrap_or_default();
        let mut text = written.trim();
        let mut required = true;
        for (mark, is_required) in [("(optional)", false), ("(required)", true)] {
            if let Some(rest) = text.strip_suffix(mark) {
                (text, required) = (rest.trim(), is_required);
            }
        }
        if let Some(inner) = text.strip_prefix("Optional[").and_then(|rest| rest.strip_suffix(']')) {
            (text, required) = (inner, false);
        }
        let key = document.symbol_text(member.symbol).to_owned();
        TaskField { key, value: ValueType::parse(text), required }
    };
    Ok(Some(document.members(table).map(field).collect()))
}

fn fault(document: &JsonDocument, value: TokenId, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error("rlcf::task-config", message).at(document.place(value)))
}
