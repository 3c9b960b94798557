//! `evalgraph load`: loads all files into the store, each into its own graph, or loads none.

use crate::cli::arguments::option_groups::GroupedOptions;
use clap::Args;

use crate::cli::arguments::size;
use crate::cli::run_ending::{listen, writer};
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::{Diagnostic, RunReport};
use evalgraph_engine::input::input_options::RunInputs;
use evalgraph_engine::load::document_loading::DocumentLoading;
use evalgraph_engine::load::large_checkpoint::CheckpointPieces;
use evalgraph_engine::load::read_session::LoadOptions;
use evalgraph_engine::load::read_session::ReadSession;
use evalgraph_engine::workspace::import::{ImportOptions, StoreImport};

const EXAMPLES: &str = "\
Examples:
  evalgraph load checkpoints/
  evalgraph load run-7.jsonld --dry-run          (what would change)
  evalgraph load checkpoints/ --prune            (and forget files that are gone)
  evalgraph load run-7.jsonld --replace          (although an update has changed its graph)

A file that is loaded again replaces its graph; one that has not changed is left alone, unless it would
be read otherwise: by other options, or with another context beside it. Input from stdin is named by
`--dataset`, or else by its content. All files are loaded or none, unless `--keep-going` is given.";

/// The help text for the inputs of `load`. Unlike other commands, `load` does not read the store.
const INPUTS: &str = "Files, directories, glob patterns, URLs, or `-` for stdin; gzip and zstd are opened";

/// The arguments of `load`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("inputs", |inputs| inputs.help(INPUTS)))]
pub(super) struct LoadArguments {
    #[command(flatten)]
    pub(super) input: GroupedOptions<RunInputs>,
    /// Load again, and lose changes made in the store
    ///
    /// Also files that are in the store as they are
    #[arg(long)]
    replace: bool,
    /// Forget files below the folders that are gone
    ///
    /// Their graphs are removed: the files were deleted or renamed
    #[arg(long)]
    prune: bool,
    /// Say what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Read checkpoints in pieces of that many bytes, even small files; the graphs are the same
    #[arg(long, value_name = "SIZE", value_parser = size, hide = true)]
    in_pieces_of: Option<u64>,
    #[command(flatten)]
    pub(super) loading: GroupedOptions<LoadOptions>,
}

/// Runs `load`.
pub(super) fn run(arguments: &LoadArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
    let LoadArguments { input, loading, .. } = arguments;
    report.set_strictness(input.reading.strictness);
    if input.inputs.is_empty() {
        let missing = Diagnostic::error("input::none", "there is no file to load");
        return Err(missing.with_help("name files, directories or `-`").into());
    }
    let store = input.store.open_store()?;
    listen();
    let writer = writer("load", arguments.dry_run);
    let session = ReadSession::new(&loading.iris, &loading.json_ld, &input.reading)?.noting_contexts();
    let session = session.for_store(arguments.checkpoint_pieces());
    let loader = DocumentLoading::new(input, &session, loading.plain, report.shows_all());
    let options = ImportOptions { replaces: arguments.replace, prunes: arguments.prune };
    let mut import = StoreImport::begin(&store, &writer, loader, loading, options)?;
    import.files(report)?;
    import.commit(report)?;
    Ok(CommandAnswer::Yes)
}

impl LoadArguments {
    fn checkpoint_pieces(&self) -> CheckpointPieces {
        let of_bytes =
            |bytes| CheckpointPieces { from: 0, bytes: usize::try_from(bytes).unwrap_or(usize::MAX) };
        self.in_pieces_of.map(of_bytes).unwrap_or_default()
    }
}
