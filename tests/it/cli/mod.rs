//! The program as a person and a script meet it.

pub(crate) mod add_remove;
pub(crate) mod bad_input;
pub(crate) mod bad_input_made;
mod check;
mod check_croissant;
mod check_fix;
mod check_store;
pub(crate) mod checkpoints;
#[cfg(unix)]
mod code_examples;
pub(crate) mod codes;
mod compare;
pub(crate) mod cross_pairs;
pub(crate) mod cross_queries;
pub(crate) mod diff;
pub(crate) mod diff_records;
mod drawings;
pub(crate) mod edits;
pub(crate) mod edits_arrive;
mod edits_of_tables;
pub(crate) mod equal_names;
mod evaluation_log;
mod excel;
pub(crate) mod figures;
pub(crate) mod filled_in;
pub(crate) mod fmt;
pub(crate) mod folders;
pub(crate) mod framing;
pub(crate) mod in_place;
pub(crate) mod input;
mod joints;
pub(crate) mod json_ld;
pub(crate) mod losses;
mod manual;
pub(crate) mod merge;
pub(crate) mod messages;
mod mistakes;
pub(crate) mod named_things;
pub(crate) mod new;
pub(crate) mod opening;
mod options;
pub(crate) mod output;
pub(crate) mod output_forms;
pub(crate) mod places_in_files;
mod preferences;
pub(crate) mod queries;
pub(crate) mod query;
mod query_checkpoints;
pub(crate) mod query_figures;
pub(crate) mod query_hints;
pub(crate) mod question_counts;
mod quiet;
pub(crate) mod random_split;
mod report_schemas;
mod schema;
pub(crate) mod secrets_everywhere;
mod selection;
#[cfg(feature = "net")]
mod server_secrets;
pub(crate) mod set;
pub(crate) mod shapes;
mod shell;
pub(crate) mod sidecar;
pub(crate) mod stats_figures;
pub(crate) mod stats_in_pieces;
pub(crate) mod store;
pub(crate) mod store_again;
mod store_backup;
mod store_dumped;
pub(crate) mod store_edits;
pub(crate) mod store_names;
pub(crate) mod store_pieces;
mod store_undo;
mod table_queries;
mod tables;
mod tables_peers;
pub(crate) mod templates;
#[cfg(target_os = "linux")]
mod terminal;
pub(crate) mod there_and_back;
pub(crate) mod train;
pub(crate) mod untrusted;
pub(crate) mod untrusted_sizes;
pub(crate) mod update;
pub(crate) mod validate;
pub(crate) mod validate_baseline;
pub(crate) mod validate_each;
pub(crate) mod validate_expect;
pub(crate) mod validate_formats;
pub(crate) mod validate_places;
pub(crate) mod validate_reasons;
pub(crate) mod validate_selection;
pub(crate) mod validate_shapes;
pub(crate) mod validate_shapes_graph;
mod validate_switched;
pub(crate) mod validate_unchecked;
mod validate_watch;
mod xml_tree;

/// The commands of the program and all their arguments.
fn program() -> clap::Command {
    let mut program = <evalgraph::cli::ProgramArguments as clap::CommandFactory>::command();
    // Arguments of commands are described when they are asked for.
    program.build();
    program
}
