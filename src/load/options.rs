//! How documents reach a dataset.

use super::json_ld::JsonLdSettings;
use crate::input::options::IriOptions;

/// Tells how documents reach a dataset.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadOptions {
    /// Whether exactly what the specification yields is loaded: no merged namespaces, no minted ids.
    pub(crate) plain: bool,
    /// The name of the dataset, where it is not to be the root's `@id` or the file's stem.
    pub(crate) dataset: Option<String>,
    pub(crate) iris: IriOptions,
    pub(crate) json_ld: JsonLdSettings,
}
