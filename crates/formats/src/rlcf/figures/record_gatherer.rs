//! Reads the records of files for the figures: every record with an id, whether in a list of its kind or in the record
//! to which it belongs.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, NaiveDateTime};
use serde_json::{Map, Number, Value};

use super::model::{
    Credential, ExpertUser, Feedback, FeedbackRating, FreeFormData, LegalTask, ModelResponse, RlcfDataset,
};
use crate::rlcf::{RecordKind, RlcfFileRecords};
use evalgraph_json::{JsonDocument, JsonKind, TokenId};

/// The key of a secret, which is never read.
const SECRET: &str = "api_key";

/// Gathers records from the files of one dataset.
///
/// Other methods are in `from_graph.rs`.
#[derive(Debug, Default)]
pub struct RecordGatherer {
    records: RlcfDataset,
    places: HashMap<(RecordKind, String), usize>,
    /// Credentials that are not inside their users, with the ids of the users.
    credentials: Vec<(String, Credential)>,
    ratings: HashMap<String, FeedbackRating>,
    summary: GatheringSummary,
}

/// Counts the records that are not used, and names those that contradict each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GatheringSummary {
    /// Records without an id, to which no reference can refer.
    pub without_id: usize,
    /// Records of kinds from which no figure is computed.
    pub of_other_kinds: usize,
    /// Records with the id of an earlier record and different content. The first one counts, and its gaps are filled
    /// from the later ones.
    pub differing: Vec<(RecordKind, String)>,
    /// Credentials whose users are missing.
    pub credentials_without_user: usize,
}

impl RecordGatherer {
    /// Adds the records of a file.
    pub fn add(&mut self, document: &JsonDocument, told: &RlcfFileRecords) {
        for record in told.records() {
            self.add_value(document, record.value, record.kind);
        }
    }

    /// Adds a record of a kind.
    pub(super) fn add_value(&mut self, document: &JsonDocument, value: TokenId, kind: RecordKind) {
        self.add_record(&ObjectFields { document, value }, kind);
    }

    /// Returns the records in the order of their ids, and a summary of those that are left out.
    pub fn finish(mut self) -> (RlcfDataset, GatheringSummary) {
        for (user, credential) in std::mem::take(&mut self.credentials) {
            match self.places.get(&(RecordKind::User, user)) {
                Some(&place) => add_credential(&mut self.records.users[place], credential),
                None => self.summary.credentials_without_user += 1,
            }
        }
        let mut records = self.records;
        records.sort();
        (records, self.summary)
    }

    fn add_record(&mut self, reader: &ObjectFields<'_>, kind: RecordKind) {
        match kind {
            RecordKind::User => self.add_user(reader),
            RecordKind::Credential => match reader.id("user_id") {
                Some(user) => self.credentials.push((user, reader.credential())),
                None => self.summary.without_id += 1,
            },
            RecordKind::LegalTask => self.add_task(reader),
            RecordKind::Response => self.add_response(reader, None),
            RecordKind::Feedback => self.add_feedback(reader, None),
            RecordKind::FeedbackRating => self.add_rating(reader, None),
            _ => self.summary.of_other_kinds += 1,
        }
    }

    /// Returns the id of a record, and counts a record without one.
    fn own_id(&mut self, reader: &ObjectFields<'_>) -> Option<String> {
        let id = reader.id("id");
        self.summary.without_id += usize::from(id.is_none());
        id
    }

    fn add_user(&mut self, reader: &ObjectFields<'_>) {
        let Some(id) = self.own_id(reader) else { return };
        let user = ExpertUser {
            id: id.clone(),
            username: reader.text("username").unwrap_or_else(|| id.clone()),
            authority_score: reader.number("authority_score").unwrap_or(0.0),
            track_record_score: reader.number("track_record_score").unwrap_or(0.0),
            baseline_credential_score: reader.number("baseline_credential_score").unwrap_or(0.0),
            credentials: reader.inner("credentials").iter().map(ObjectFields::credential).collect(),
        };
        self.add_or_merge(
            RecordKind::User,
            id,
            user,
            |records| &mut records.users,
            |first, more| {
                for credential in &more.credentials {
                    add_credential(first, credential.clone());
                }
            },
        );
    }

    fn add_task(&mut self, reader: &ObjectFields<'_>) {
        let Some(id) = self.own_id(reader) else { return };
        for response in reader.inner("responses") {
            self.add_response(&response, Some(&id));
        }
        let task = LegalTask {
            id: id.clone(),
            task_type: reader.text("task_type").unwrap_or_default(),
            input_data: reader.data("input_data").unwrap_or_default(),
            ground_truth_data: reader.data("ground_truth_data"),
            status: reader.text("status"),
        };
        self.add_or_merge(
            RecordKind::LegalTask,
            id,
            task,
            |records| &mut records.tasks,
            |first, more| {
                first.ground_truth_data =
                    first.ground_truth_data.take().or_else(|| more.ground_truth_data.clone());
                first.status = first.status.take().or_else(|| more.status.clone());
            },
        );
    }

    fn add_response(&mut self, reader: &ObjectFields<'_>, task: Option<&str>) {
        let Some(id) = self.own_id(reader) else { return };
        for feedback in reader.inner("feedback") {
            self.add_feedback(&feedback, Some(&id));
        }
        let response = ModelResponse {
            id: id.clone(),
            task_id: reader.id("task_id").or_else(|| task.map(str::to_owned)).unwrap_or_default(),
            output_data: reader.data("output_data").unwrap_or_default(),
            model_version: reader.text("model_version").unwrap_or_default(),
        };
        self.add_or_merge(
            RecordKind::Response,
            id,
            response,
            |records| &mut records.responses,
            |first, more| {
                fill(&mut first.task_id, &more.task_id);
            },
        );
    }

    fn add_feedback(&mut self, reader: &ObjectFields<'_>, response: Option<&str>) {
        let Some(id) = self.own_id(reader) else { return };
        for rating in reader.inner("ratings") {
            self.add_rating(&rating, Some(&id));
        }
        let feedback = Feedback {
            id: id.clone(),
            user_id: reader.id("user_id").unwrap_or_default(),
            response_id: reader.id("response_id").or_else(|| response.map(str::to_owned)).unwrap_or_default(),
            accuracy_score: reader.number("accuracy_score"),
            community_helpfulness_rating: reader.number("community_helpfulness_rating").unwrap_or(0.0),
            consistency_score: reader.number("consistency_score"),
            feedback_data: reader.data("feedback_data").unwrap_or_default(),
            submitted_at: reader.text("submitted_at").and_then(|text| time_of(&text)),
        };
        self.add_or_merge(
            RecordKind::Feedback,
            id,
            feedback,
            |records| &mut records.feedback,
            |first, more| {
                fill(&mut first.response_id, &more.response_id);
            },
        );
    }

    fn add_rating(&mut self, reader: &ObjectFields<'_>, feedback: Option<&str>) {
        let feedback_id = reader.id("feedback_id").or_else(|| feedback.map(str::to_owned));
        let (Some(feedback_id), Some(helpfulness_score)) = (feedback_id, reader.number("helpfulness_score"))
        else {
            self.summary.without_id += 1;
            return;
        };
        let rating = FeedbackRating { feedback_id, helpfulness_score };
        // The same rating may be both in a list and in its feedback.
        let Some(id) = reader.id("id") else {
            self.records.ratings.push(rating);
            return;
        };
        match self.ratings.get(&id) {
            Some(first) if *first == rating => {}
            Some(_) => self.summary.differing.push((RecordKind::FeedbackRating, id)),
            None => {
                self.ratings.insert(id, rating.clone());
                self.records.ratings.push(rating);
            }
        }
    }

    /// Adds a record to its list, or fills the gaps of the first record with its id.
    fn add_or_merge<T: PartialEq>(
        &mut self,
        kind: RecordKind,
        id: String,
        mut record: T,
        list: fn(&mut RlcfDataset) -> &mut Vec<T>,
        merge: impl Fn(&mut T, &T),
    ) {
        let key = (kind, id);
        let records = list(&mut self.records);
        let Some(&place) = self.places.get(&key) else {
            self.places.insert(key, records.len());
            records.push(record);
            return;
        };
        let first = &mut records[place];
        // After each fills the gaps of the other, two records are equal unless they contradict each other.
        merge(first, &record);
        merge(&mut record, first);
        if *first != record {
            self.summary.differing.push(key);
        }
    }
}

/// Fills an empty id of a record from another record.
fn fill(id: &mut String, other: &str) {
    if id.is_empty() {
        other.clone_into(id);
    }
}

/// Adds a credential, unless the user already has it.
fn add_credential(user: &mut ExpertUser, credential: Credential) {
    let is_there =
        |known: &Credential| *known == credential || (!credential.id.is_empty() && known.id == credential.id);
    if !user.credentials.iter().any(is_there) {
        user.credentials.push(credential);
    }
}

/// Returns the id of a record, as text.
pub(super) fn id_of(document: &JsonDocument, record: TokenId) -> Option<String> {
    ObjectFields { document, value: record }.id("id")
}

/// An object of a file.
struct ObjectFields<'d> {
    document: &'d JsonDocument,
    value: TokenId,
}

impl<'d> ObjectFields<'d> {
    fn get(&self, key: &str) -> Option<TokenId> {
        self.document.get(self.value, key).filter(|&token| self.document.kind(token) != JsonKind::Null)
    }

    /// Returns a number or string as the text of an id.
    fn id(&self, key: &str) -> Option<String> {
        let token = self.get(key)?;
        let number = self.document.number(token).map(str::to_owned);
        number.or_else(|| self.document.string(token).map(Into::into)).filter(|id| !id.is_empty())
    }

    fn text(&self, key: &str) -> Option<String> {
        self.document.string(self.get(key)?).map(Into::into)
    }

    fn number(&self, key: &str) -> Option<f64> {
        let token = self.get(key)?;
        let text = self.document.string(token);
        let lexical = self.document.number(token).or_else(|| text.as_deref().map(str::trim))?;
        lexical.parse().ok().filter(|number: &f64| number.is_finite())
    }

    fn data(&self, key: &str) -> Option<FreeFormData> {
        match to_value(self.document, self.get(key)?) {
            Value::Object(data) => Some(data),
            _ => None,
        }
    }

    fn inner(&self, key: &str) -> Vec<Self> {
        let items = self.get(key).into_iter().flat_map(|array| self.document.items(array));
        items.map(|value| Self { document: self.document, value }).collect()
    }

    fn credential(&self) -> Credential {
        let value = self.get("value").map(|token| super::python_text::text(&to_value(self.document, token)));
        Credential {
            id: self.id("id").unwrap_or_default(),
            credential_type: self.text("type").unwrap_or_default(),
            value: value.unwrap_or_default(),
        }
    }
}

/// Returns a value as Python's `json` reads it: numbers with a fraction or an exponent, and integers beyond 64 bits,
/// become floats. An `api_key` is left out.
pub fn to_value(document: &JsonDocument, token: TokenId) -> Value {
    match document.kind(token) {
        JsonKind::True => Value::Bool(true),
        JsonKind::False => Value::Bool(false),
        JsonKind::Number => to_number(document.number(token).unwrap_or_default()),
        JsonKind::Array => document.items(token).map(|item| to_value(document, item)).collect(),
        JsonKind::Object => {
            // A secret must not get into figures or exports.
            let members = document.members(token);
            let members = members.filter(|member| document.symbol_text(member.symbol) != SECRET);
            let pairs = members.map(|member| {
                (document.symbol_text(member.symbol).to_owned(), to_value(document, member.value))
            });
            Value::Object(pairs.collect::<Map<_, _>>())
        }
        JsonKind::Null => Value::Null,
        JsonKind::String | JsonKind::EscapedString | JsonKind::Key | JsonKind::ReplacedKey => {
            document.string(token).map_or(Value::Null, |text| Value::String(text.into_owned()))
        }
    }
}

fn to_number(lexical: &str) -> Value {
    if let Ok(number) = lexical.parse::<i64>() {
        return Value::from(number);
    }
    if let Ok(number) = lexical.parse::<u64>() {
        return Value::from(number);
    }
    let float = lexical.parse::<f64>().ok().and_then(Number::from_f64);
    float.map_or_else(|| Value::String(lexical.to_owned()), Value::Number)
}

/// Returns a time in UTC. A time without a zone is UTC, as RLCF writes it.
fn time_of(text: &str) -> Option<NaiveDateTime> {
    let text = text.trim();
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.naive_utc());
    }
    let formats = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M"];
    let time = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
    time.or_else(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0))
}
