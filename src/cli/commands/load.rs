//! `evalgraph load`: puts all files into the store, each into a graph of its own, or none.

use crate::cli::arguments::reading::Grouped;
use clap::Args;

use crate::cli::arguments::size;
use crate::cli::ending::{listen, writer};
use crate::cli::{Answer, Stop};
use evalgraph_diagnostics::{Diagnostic, Report};
use evalgraph_engine::input::options::Inputs;
use evalgraph_engine::load::json_ld::JsonLd;
use evalgraph_engine::load::json_ld::LoadOptions;
use evalgraph_engine::load::loader::Loader;
use evalgraph_engine::load::opened::CheckpointPieces;
use evalgraph_engine::workspace::import::{Import, ImportOptions};

const EXAMPLES: &str = "\
Examples:
  evalgraph load checkpoints/
  evalgraph load run-7.jsonld --dry-run          (what would change)
  evalgraph load checkpoints/ --prune            (and forget files that are gone)
  evalgraph load run-7.jsonld --replace          (although an update has changed its graph)

A file that is loaded again replaces its graph; one that has not changed is left alone, unless it would
be read otherwise: by other options, or with another context beside it. What comes on stdin goes by the
name of `--dataset`, else by its content. All files are loaded or none, unless `--keep-going` is given.";

/// The help text of the inputs of `load`, where the store is not an input.
const INPUTS: &str = "Files, directories, glob patterns, URLs, or `-` for stdin; gzip and zstd are opened";

/// The arguments of `load`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("inputs", |inputs| inputs.help(INPUTS)))]
pub(super) struct LoadArguments {
    #[command(flatten)]
    pub(super) input: Grouped<Inputs>,
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
    /// Read checkpoints in pieces of that many bytes, however small they are; the graphs are the same
    #[arg(long, value_name = "SIZE", value_parser = size, hide = true)]
    in_pieces_of: Option<u64>,
    #[command(flatten)]
    pub(super) loading: Grouped<LoadOptions>,
}

/// Runs `load`.
pub(super) fn run(arguments: &LoadArguments, report: &mut Report) -> Result<Answer, Stop> {
    let LoadArguments { input, loading, .. } = arguments;
    report.set_strictness(input.reading.strictness);
    if input.inputs.is_empty() {
        let missing = Diagnostic::error("input::none", "there is no file to load");
        return Err(missing.with_help("name files, directories or `-`").into());
    }
    let store = input.store.open_store()?;
    listen();
    let writer = writer("load", arguments.dry_run);
    let json_ld = JsonLd::new(&loading.iris, &loading.json_ld, &input.reading)?.noting_contexts();
    let loader = Loader::new(input, &json_ld, loading.plain, report.shows_all());
    let mut import = Import::begin(&store, &writer, loader, loading, arguments.options())?;
    import.files(report)?;
    import.commit(report)?;
    Ok(Answer::Yes)
}

impl LoadArguments {
    fn options(&self) -> ImportOptions {
        let of_bytes =
            |bytes| CheckpointPieces { from: 0, bytes: usize::try_from(bytes).unwrap_or(usize::MAX) };
        ImportOptions {
            replaces: self.replace,
            prunes: self.prune,
            checkpoint_pieces: self.in_pieces_of.map(of_bytes).unwrap_or_default(),
        }
    }
}
