//! Interns the strings that the processor compares again and again: terms, IRIs, keywords.

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// An interned string.
///
/// Its constant `NO_DATATYPE` is in `expanded_arena.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct InternedName(u32);

impl InternedName {
    pub(super) const fn of_keyword(keyword: Keyword) -> Self {
        Self(keyword as u32)
    }

    /// The bounds of all names.
    pub(super) const FIRST: Self = Self(0);
    pub(super) const LAST: Self = Self(u32::MAX);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

macro_rules! keywords {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// The keywords (JSON-LD 1.1, section 1.7; framing keywords included).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(super) enum Keyword { $($name),* }

        const KEYWORDS: &[(Keyword, &str)] = &[$((Keyword::$name, $text)),*];
    };
}

keywords! {
    Id = "@id", Type = "@type", Value = "@value", Language = "@language", Direction = "@direction",
    Index = "@index", List = "@list", Set = "@set", Graph = "@graph", Included = "@included",
    Reverse = "@reverse", Nest = "@nest", Context = "@context", Base = "@base", Vocab = "@vocab",
    Container = "@container", Import = "@import", Json = "@json", None = "@none", Prefix = "@prefix",
    Propagate = "@propagate", Protected = "@protected", Version = "@version", Default = "@default",
    Embed = "@embed", Explicit = "@explicit", OmitDefault = "@omitDefault",
    Preserve = "@preserve", RequireAll = "@requireAll",
}

/// Returns whether a key of a document is a keyword of JSON-LD, not just any string that begins with `@`.
pub fn is_keyword(text: &str) -> bool {
    Keyword::from_text(text).is_some()
}

impl Keyword {
    /// Returns the keyword as it is written.
    pub(super) fn as_str(self) -> &'static str {
        KEYWORDS[self as usize].1
    }

    /// Returns the keyword that a string is.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        if !text.starts_with('@') {
            return None;
        }
        KEYWORDS.iter().find(|(_, keyword)| *keyword == text).map(|(keyword, _)| *keyword)
    }

    /// Returns the keyword as a name. The first names are the keywords.
    pub(super) fn name(self) -> InternedName {
        InternedName(self as u32)
    }

    /// Returns the keyword as one bit of a set of keywords.
    pub(super) fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Returns whether a text has the form of a keyword without being one (`"@" 1*ALPHA`, section 3.2).
pub(super) fn has_form_of_keyword(text: &str) -> bool {
    text.strip_prefix('@')
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// A name in the hash table. Because the hash is stored with it, growing the table reads no strings, and strings are
/// compared only if their hashes are equal.
#[derive(Debug, Clone, Copy)]
struct NameSlot {
    hash: u64,
    name: u32,
}

/// The interned strings of a processor.
pub(super) struct NameInterner {
    text: String,
    ends: Vec<u32>,
    table: HashTable<NameSlot>,
    hasher: FixedState,
}

impl Default for NameInterner {
    fn default() -> Self {
        let mut names = Self {
            text: String::new(),
            ends: vec![0],
            table: HashTable::new(),
            hasher: FixedState::default(),
        };
        for (_, keyword) in KEYWORDS {
            names.intern(keyword);
        }
        names
    }
}

impl NameInterner {
    pub(super) fn len(&self) -> usize {
        self.ends.len() - 1
    }

    #[inline]
    pub(super) fn text(&self, name: InternedName) -> &str {
        &self.text[self.ends[name.index()] as usize..self.ends[name.index() + 1] as usize]
    }

    /// Returns the keyword of a name.
    pub(super) fn keyword(&self, name: InternedName) -> Option<Keyword> {
        KEYWORDS.get(name.index()).map(|(keyword, _)| *keyword)
    }

    #[inline]
    pub(super) fn find(&self, text: &str) -> Option<InternedName> {
        self.find_hashed(self.hash(text), text)
    }

    #[inline]
    pub(super) fn intern(&mut self, text: &str) -> InternedName {
        self.intern_hashed(self.hash(text), text)
    }

    /// Returns the hash of a string, for callers that need it twice.
    #[inline]
    pub(super) fn hash(&self, text: &str) -> u64 {
        self.hasher.hash_one(text.as_bytes())
    }

    #[inline]
    pub(super) fn find_hashed(&self, hash: u64, text: &str) -> Option<InternedName> {
        let is_text = |slot: &NameSlot| slot.hash == hash && self.text(InternedName(slot.name)) == text;
        self.table.find(hash, is_text).map(|slot| InternedName(slot.name))
    }

    #[inline]
    pub(super) fn intern_hashed(&mut self, hash: u64, text: &str) -> InternedName {
        if let Some(name) = self.find_hashed(hash, text) {
            return name;
        }
        let name = self.len() as u32;
        self.text.push_str(text);
        // Names are parts of documents and contexts, which are below 4 GiB each. If one processor collects more, it
        // stops here.
        self.ends.push(u32::try_from(self.text.len()).expect("the names of one processor are below 4 GiB"));
        self.table.insert_unique(hash, NameSlot { hash, name }, |slot| slot.hash);
        InternedName(name)
    }
}
