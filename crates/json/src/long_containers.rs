//! The starts of values in long arrays and objects. With them, a search for one of many values does not walk the others
//! again.

use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock, RwLock};

use super::json_token::{JsonMember, TokenId};

/// The tables of the containers that were searched.
#[derive(Debug, Default)]
pub(super) struct LongContainers {
    pub(super) values: RwLock<HashMap<TokenId, Arc<[TokenId]>>>,
    pub(super) objects: RwLock<HashMap<TokenId, Arc<LongObject>>>,
    pub(super) hasher: RandomState,
}

/// An object with many members.
#[derive(Debug, Default)]
pub(super) struct LongObject {
    pub(super) walked: AtomicUsize,
    /// The members by the hashes of their keys.
    pub(super) sorted: OnceLock<Vec<(u64, JsonMember)>>,
}
