//! Finds the kind of the records in a file: from the user, or else from the name of the file or its REST path, or else
//! from the names of arrays in an object, or else from the keys of each record.
//!
//! If a name and the keys disagree, or the keys fit several kinds, the kind is not guessed.

use super::dataset_files::DatasetFile;
use super::families::{FAMILIES, RecordKindFamily, family};
use super::kinds::RecordKind;
use super::record_names::AskedRecords;
use super::reply_paths::{WORDS_OF_LISTS, as_name, is_number};
use super::rlcf_profile::RlcfProfile;
use super::root_shapes::is_named_array;
use crate::records::RecordName;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_json::{JsonDocument, KeySymbol, TokenId};
use std::collections::HashMap;
use std::fmt::Write as _;

/// A record with its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RlcfRecord {
    /// Its kind.
    pub kind: RecordKind,
    /// The object. In a broken file, it may be any value.
    pub value: TokenId,
    /// Its index in the array; 0 for a single record.
    pub index: usize,
}

/// Records that form one list of a file.
#[derive(Debug, Clone)]
pub struct RecordList {
    /// The key of the array in an object with several; `None` for the root of the file.
    pub key: Option<TokenId>,
    /// `true` if the records are items of an array; otherwise the value itself is the only record.
    pub is_array: bool,
    /// The records in the order of the file.
    pub records: Vec<RlcfRecord>,
    /// The dataset file, if the records are rows of one.
    pub rows_of: Option<&'static DatasetFile>,
}

impl RecordList {
    /// Returns the kind of the records. If records and requests for them are mixed, it is the kind of the records.
    pub fn kind(&self) -> Option<RecordKind> {
        self.records.iter().map(|record| record.kind).min()
    }
}

/// The source from which the kinds are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToldBy {
    /// From the user.
    Asked,
    /// From the name of the file or its REST path.
    Path(&'static str),
    /// From the names of arrays in an object.
    NamedArrays,
    /// From the keys of the records.
    Keys,
}

/// The records of a file.
#[derive(Debug, Clone)]
pub struct RlcfFileRecords {
    /// The lists in the order of the file.
    pub lists: Vec<RecordList>,
    /// The source from which the kinds are known.
    pub by: ToldBy,
}

impl RlcfFileRecords {
    /// Returns all records.
    pub fn records(&self) -> impl Iterator<Item = RlcfRecord> + '_ {
        self.lists.iter().flat_map(|list| list.records.iter().copied())
    }

    /// Returns whether the file is an error reply of the API.
    pub fn is_error_reply(&self) -> bool {
        let mut records = self.records().peekable();
        records.peek().is_some() && records.all(|record| record.kind == RecordKind::ErrorReply)
    }
}

use RecordKind as K;

/// The meaning of a file's path: a dataset file, or a family of kinds.
enum PathMeaning {
    Rows(&'static DatasetFile),
    Family(&'static RecordKindFamily),
}

/// Searches the parts of a path from the end: `replies/users/7.json` and `users_all.json` both mean users.
fn named_by_path(path: &str) -> Option<PathMeaning> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let mut parts: Vec<String> =
        path.split(['/', '\\']).filter(|part| !part.is_empty()).map(as_name).collect();
    let file = parts.pop()?;
    parts.push(file.split('.').find(|part| !part.is_empty()).unwrap_or_default().to_owned());
    loop {
        let part = parts.pop()?;
        if let Some(file) = DatasetFile::of_stem(&part) {
            return Some(PathMeaning::Rows(file));
        }
        let pair = parts.last().map(|before| format!("{before}/{part}"));
        if let Some(family) = pair.and_then(|pair| family(&pair)) {
            return Some(PathMeaning::Family(family));
        }
        let mut name = part.as_str();
        loop {
            if let Some(family) = family(name) {
                return Some(PathMeaning::Family(family));
            }
            let Some((shorter, _)) = name.rsplit_once('_') else { break };
            name = shorter;
        }
        // The name may be followed by the number of a record, or by a word for a list.
        let says_nothing = is_number(&part) || WORDS_OF_LISTS.contains(&part.as_str());
        if !says_nothing {
            return None;
        }
    }
}

/// Finds the records of a document and their kinds.
///
/// `path` is the path of the file, or of the request to which it is the reply.
///
/// # Errors
/// `rlcf::kind` with the place of a record whose kind is not clear, and the candidates.
pub fn tell(
    document: &JsonDocument,
    path: &str,
    asked: Option<RecordName>,
) -> Result<RlcfFileRecords, Box<Diagnostic>> {
    let root = document.root();
    let mut teller = RecordKindFinder { document, told: HashMap::new() };
    if let Some(asked) = asked.and_then(AskedRecords::from_name) {
        return Ok(RlcfFileRecords { lists: vec![teller.list_of(None, root, asked)], by: ToldBy::Asked });
    }
    // Any request can get an error reply, so it is recognised before the path decides.
    if teller.is_error_reply(root) {
        let asked = AskedRecords::Kind(K::ErrorReply);
        return Ok(RlcfFileRecords { lists: vec![teller.list_of(None, root, asked)], by: ToldBy::Keys });
    }
    let named = named_by_path(path);
    if let Some(PathMeaning::Rows(file)) = named {
        let list = teller.list_of(None, root, AskedRecords::Rows(file));
        return Ok(RlcfFileRecords { lists: vec![list], by: ToldBy::Path(file.stem) });
    }
    if let Some(lists) = teller.named_arrays(root)? {
        return Ok(RlcfFileRecords { lists, by: ToldBy::NamedArrays });
    }
    let (family, by) = match named {
        Some(PathMeaning::Family(family)) => (Some(family), ToldBy::Path(family.names[0])),
        _ => (None, ToldBy::Keys),
    };
    Ok(RlcfFileRecords { lists: vec![teller.list(None, root, family)?], by })
}

/// Returns whether any record of a file, in an array or in the arrays of an object, has all keys of a signature that
/// contains a key of `own`.
pub(super) fn has_record_with(document: &JsonDocument, own: &[&str]) -> bool {
    let root = document.root();
    let mut teller = RecordKindFinder { document, told: HashMap::new() };
    let mut is_clear = |record: TokenId| {
        let has_own = |keys: &&[&str]| keys.iter().any(|key| own.contains(key));
        let has_all = |keys: &&[&str]| keys.iter().all(|key| document.get(record, key).is_some());
        let signatures = teller.candidates(record).into_iter().flat_map(RecordKind::signatures);
        signatures.copied().filter(has_own).any(|keys| has_all(&keys))
    };
    if document.is_array(root) {
        return document.items(root).any(is_clear);
    }
    let mut lists = document.members(root).map(|member| member.value);
    is_clear(root) || lists.any(|list| document.items(list).any(&mut is_clear))
}

struct RecordKindFinder<'d> {
    document: &'d JsonDocument,
    /// The candidate kinds by the keys of a record. Records with the same keys in the same order are looked up once.
    told: HashMap<Vec<KeySymbol>, Vec<RecordKind>>,
}

impl RecordKindFinder<'_> {
    /// Makes a list of records whose kind is known.
    fn list_of(&self, key: Option<TokenId>, value: TokenId, name: AskedRecords) -> RecordList {
        let (kind, rows_of) = match name {
            AskedRecords::Kind(kind) => (kind, None),
            AskedRecords::Rows(file) => (K::DatasetRow, Some(file)),
        };
        let is_array = self.document.is_array(value);
        let record = |(index, value)| RlcfRecord { kind, value, index };
        let records = if is_array {
            self.document.items(value).enumerate().map(record).collect()
        } else {
            vec![record((0, value))]
        };
        RecordList { key, is_array, records, rows_of }
    }

    /// Makes a list of records whose kinds follow from a family and their keys, or only from their keys. All belong to
    /// one family, because one table reads the list. A record without distinctive keys gets the kind of its neighbours,
    /// if at least half of the records have such keys.
    fn list(
        &mut self,
        key: Option<TokenId>,
        value: TokenId,
        family: Option<&RecordKindFamily>,
    ) -> Result<RecordList, Box<Diagnostic>> {
        let is_array = self.document.is_array(value);
        let values: Vec<TokenId> = if is_array { self.document.items(value).collect() } else { vec![value] };
        let allowed = |kind: &RecordKind| family.is_none_or(|family| family.kinds.contains(kind));
        let usual = if is_array { self.usual_kind(&values).filter(allowed) } else { None };
        let mut records = Vec::with_capacity(values.len());
        let mut first: Option<RecordKind> = None;
        for (index, value) in values.into_iter().enumerate() {
            let kind = match usual.filter(|usual| self.may_be(value, *usual, family.is_some())) {
                Some(usual) => usual,
                None => self.kind(value, family)?,
            };
            if let Some(first) = first
                && !may_stand_together(first, kind)
            {
                return Err(self.mixed(value, first, kind));
            }
            first = first.or(Some(kind));
            records.push(RlcfRecord { kind, value, index });
        }
        Ok(RecordList { key, is_array, records, rows_of: None })
    }

    /// Returns the kind of the first record that fits only one kind, if at least half of the objects fit some kind.
    /// Values that are not objects do not count.
    fn usual_kind(&mut self, values: &[TokenId]) -> Option<RecordKind> {
        let (mut usual, mut told, mut untold) = (None, 0_usize, 0_usize);
        for &value in values.iter().filter(|&&value| self.document.is_object(value)) {
            match self.candidates(value).as_slice() {
                [] => untold += 1,
                [kind] => {
                    usual = usual.or(Some(*kind));
                    told += 1;
                }
                _ => told += 1,
            }
        }
        usual.filter(|_| told >= untold)
    }

    /// Returns whether a record may be of this kind: its keys fit no kind, or, if the file's name says nothing, this
    /// kind is one of those that they fit.
    fn may_be(&mut self, value: TokenId, kind: RecordKind, is_named: bool) -> bool {
        let candidates = self.candidates(value);
        candidates.is_empty() || (!is_named && candidates.contains(&kind))
    }

    /// Finds the lists of an object with named arrays of records.
    fn named_arrays(&mut self, root: TokenId) -> Result<Option<Vec<RecordList>>, Box<Diagnostic>> {
        if !self.document.is_object(root) || !self.candidates(root).is_empty() {
            return Ok(None);
        }
        let mut lists = Vec::new();
        for member in self.document.members(root) {
            let name = self.document.symbol_text(member.symbol);
            let Some(family) = family(name).filter(|_| is_named_array(name)) else { continue };
            let is_list = self.document.is_array(member.value);
            let is_config =
                self.document.is_object(member.value) && !self.candidates(member.value).is_empty();
            if is_list && name == "users" && self.are_without_ids(member.value) && self.is_alone(root) {
                return Ok(Some(vec![self.list_of(None, root, AskedRecords::Kind(K::BulkUserCreate))]));
            }
            if is_list || is_config {
                lists.push(self.list(Some(member.key), member.value, Some(family))?);
            }
        }
        let is_yaml = self.is_alone(root);
        for record in lists.iter_mut().flat_map(|list| &mut list.records) {
            // An object with only this key, and tasks without ids, comes from a YAML file.
            if is_yaml && record.kind == K::LegalTaskCreate {
                record.kind = K::YamlTask;
            }
        }
        Ok((!lists.is_empty()).then_some(lists))
    }

    fn is_alone(&self, object: TokenId) -> bool {
        self.document.members(object).count() == 1
    }

    fn are_without_ids(&self, array: TokenId) -> bool {
        let mut items = self.document.items(array).peekable();
        items.peek().is_some() && items.all(|item| self.document.get(item, "id").is_none())
    }

    fn is_error_reply(&mut self, root: TokenId) -> bool {
        let only = match self.document.is_array(root) {
            true => {
                let mut items = self.document.items(root);
                items.next().filter(|_| items.next().is_none())
            }
            false => Some(root),
        };
        only.is_some_and(|record| self.candidates(record) == [K::ErrorReply])
    }

    /// Returns the kinds whose keys fit an object best.
    fn candidates(&mut self, object: TokenId) -> Vec<RecordKind> {
        let keys: Vec<KeySymbol> = self.document.members(object).map(|member| member.symbol).collect();
        if let Some(told) = self.told.get(&keys) {
            return told.clone();
        }
        let names: Vec<&str> = keys.iter().map(|&key| self.document.symbol_text(key)).collect();
        let told = candidates(&names);
        self.told.insert(keys, told.clone());
        told
    }

    fn kind(
        &mut self,
        value: TokenId,
        family: Option<&RecordKindFamily>,
    ) -> Result<RecordKind, Box<Diagnostic>> {
        let by_keys = self.candidates(value);
        let Some(RecordKindFamily { names, kinds }) = family else {
            return match by_keys.as_slice() {
                [kind] => Ok(*kind),
                [] => Err(self.unclear(value, "its keys fit no kind", &[])),
                kinds => Err(self.unclear(value, "its keys fit several kinds", kinds)),
            };
        };
        let both: Vec<RecordKind> = kinds.iter().copied().filter(|kind| by_keys.contains(kind)).collect();
        match both.as_slice() {
            [kind, ..] => Ok(*kind),
            // A record without distinctive keys is of the first kind that the name allows.
            [] if by_keys.is_empty() => Ok(kinds[0]),
            [] if by_keys == [K::ErrorReply] => Ok(K::ErrorReply),
            [] => {
                let all: Vec<RecordKind> = kinds.iter().chain(&by_keys).copied().collect();
                let why = format!("its keys do not fit the name `{}`", names[0]);
                Err(self.unclear(value, &why, &all))
            }
        }
    }

    fn mixed(&self, value: TokenId, first: RecordKind, kind: RecordKind) -> Box<Diagnostic> {
        let message = format!("a record of kind `{kind}` in a list that begins with `{first}`");
        let help = "put each kind into its own file, or into its own array in one object";
        Box::new(Diagnostic::error("rlcf::mixed", message).at(self.document.place(value)).with_help(help))
    }

    fn unclear(&self, value: TokenId, why: &str, kinds: &[RecordKind]) -> Box<Diagnostic> {
        let mut message = format!("it is not clear which kind of record this is: {why}");
        for (at, kind) in kinds.iter().enumerate() {
            let _ = write!(message, "{} `{kind}`", if at == 0 { "; it may be" } else { " or" });
        }
        Box::new(Diagnostic::error("rlcf::kind", message).at(self.document.place(value)).with_help(help![
            "say which with ",
            setting("record").to("KIND"),
            ", or name the file after it, such as `feedback.json`"
        ]))
    }
}

/// Returns whether two kinds are equal or belong to one family, such as records and requests for them.
fn may_stand_together(left: RecordKind, right: RecordKind) -> bool {
    left == right
        || FAMILIES.iter().any(|family| family.kinds.contains(&left) && family.kinds.contains(&right))
}

/// Returns the kinds that an object with these keys may have: those with the most of its keys.
fn candidates(keys: &[&str]) -> Vec<RecordKind> {
    let mut best = Vec::new();
    let mut most = i64::MIN;
    for kind in RecordKind::ALL {
        let known = keys.iter().filter(|key| kind.class(RlcfProfile::Seed).has(key)).count();
        let unknown = keys.len() - known;
        let fits = |signature: &&&[&str]| {
            // A single key does not suffice if the object has keys that the kind lacks.
            (signature.len() > 1 || unknown == 0) && signature.iter().all(|key| keys.contains(key))
        };
        if !kind.signatures().iter().any(|signature| fits(&signature)) {
            continue;
        }
        let fit = known as i64 - unknown as i64;
        if fit > most {
            best.clear();
            most = fit;
        }
        if fit == most {
            best.push(kind);
        }
    }
    best
}
