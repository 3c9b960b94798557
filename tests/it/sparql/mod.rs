//! Queries and updates.

pub(crate) mod algebra;
pub(crate) mod answers;
pub(crate) mod columns;
pub(crate) mod evaluation;
pub(crate) mod from;
mod grouped_forms;
mod growth;
mod limits;
pub(crate) mod messages;
pub(crate) mod parameters;
mod paths;
mod patterns;
mod plain_rows;
pub(crate) mod point;
pub(crate) mod prebinding;
pub(crate) mod results;
pub(crate) mod server_request;
pub(crate) mod services;
pub(crate) mod size;
pub(crate) mod terms;
pub(crate) mod traps;
pub(crate) mod update;
