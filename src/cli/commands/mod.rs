//! The commands, one a file, and the command line that names them.

mod add;
mod canon;
mod check;
mod compact;
mod convert;
mod corpus_name;
mod diff;
mod doctor;
mod dump;
mod expand;
mod explain;
mod export;
mod figures;
mod flatten;
mod fmt;
mod frame;
mod from_rdf;
mod graphs;
mod init;
mod load;
mod merge;
mod new;
mod queries;
mod query;
mod remove;
mod schema_org;
#[cfg(feature = "serve")]
mod serve;
mod set;
mod shapes;
mod split;
mod stats;
mod templates;
mod to_rdf;
mod update;
mod validate;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::deferred::Deferred;
use crate::cli::limits::LimitArguments;
use crate::cli::printer::DiagnosticsFormat;
use crate::cli::{Answer, Stop};
use crate::diagnostic::Report;

/// RDF and linked data for evaluation datasets: checkpoints in, answers out, and the line where a
/// file is wrong.
#[derive(Debug, Parser)]
#[command(name = "evalgraph", version, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    pub(in crate::cli) common: CommonArguments,
}

/// What every command takes.
#[derive(Debug, Parser)]
#[command(name = "evalgraph", disable_help_subcommand = true)]
pub(in crate::cli) struct CommonArguments {
    /// How errors and warnings are written to stderr
    #[arg(long, global = true, value_name = "FORM", default_value = "text", help_heading = "Messages")]
    pub(in crate::cli) diagnostics: DiagnosticsFormat,

    #[command(flatten)]
    pub(in crate::cli) limits: LimitArguments,
}

impl Arguments {
    /// Tells whether the limits hold for the whole run, and not for each request of a server.
    pub(in crate::cli) fn is_one_run(&self) -> bool {
        #[cfg(feature = "serve")]
        return !matches!(self.command, Command::Serve(_));
        #[cfg(not(feature = "serve"))]
        true
    }

    /// Reads the command line of the process.
    ///
    /// # Errors
    ///
    /// A command line that is wrong or asks for help.
    pub(in crate::cli) fn of_process() -> Result<Self, clap::Error> {
        let mut program = Self::command();
        let name = std::env::args_os().nth(1);
        // What all commands share is copied to each, which takes longer than a small query.
        if let Some(command) = name.and_then(|name| program.find_subcommand(name).cloned()) {
            program = CommonArguments::command().subcommand(command);
        }
        let mut matches = program.try_get_matches_from_mut(std::env::args_os())?;
        let arguments = Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut program));
        // Freeing it takes longer than leaving it.
        std::mem::forget(program);
        arguments
    }
}

const EXAMPLES: &str = "\
Examples:
  evalgraph stats checkpoint.jsonld
  evalgraph query checkpoints/ -n overview
  evalgraph query checkpoint.jsonld -q 'SELECT ?text { ?q a s:Question ; s:text ?text }'
  evalgraph convert checkpoint.jsonld --to ttl

Exit status: 0 done or yes, 1 ran fine and the answer is no, 2 could not run.";

/// Lists the commands: the help text of each, its arguments, and its module.
macro_rules! commands {
    ($($(#[$help:meta])* $name:ident($module:ident::$arguments:ident),)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$help])* $name(Deferred<$module::$arguments>),)*
        }

        /// Runs the command that was asked for.
        pub(in crate::cli) fn run(arguments: Arguments, report: &mut Report) -> Result<Answer, Stop> {
            match arguments.command {
                $(Command::$name(Deferred(arguments)) => $module::run(&arguments, report),)*
            }
        }
    };
}

commands! {
    /// Say what each file is: dialect, questions, traits, dates, quads, warnings
    Stats(stats::StatsArguments),
    /// Ask a SPARQL query of files or of the store
    Query(query::QueryArguments),
    /// Change the store by a SPARQL update, or write what one makes of files
    Update(update::UpdateArguments),
    /// Give a question another answer, other keywords or another state
    Set(set::SetArguments),
    /// Add a question, or keywords for one that is there
    Add(add::AddArguments),
    /// Remove a question with all that belongs to it, or some of its keywords
    Remove(remove::RemoveArguments),
    /// List the named queries, or show one
    Queries(queries::QueriesArguments),
    /// Make an empty store, where files are loaded once and asked for weeks
    Init(init::InitArguments),
    /// Put files into the store, or replace what was read from them before
    Load(load::LoadArguments),
    /// List the graphs of the store, or drop some
    Graphs(graphs::GraphsArguments),
    /// Write the quads of the store
    Dump(dump::DumpArguments),
    /// Write graphs for other stores: files for their bulk loaders
    Export(export::ExportArguments),
    /// Say whether the store is whole, and make it whole where it is not
    Doctor(doctor::DoctorArguments),
    /// Answer the SPARQL protocols over HTTP
    #[cfg(feature = "serve")]
    Serve(serve::ServeArguments),
    /// Convert between RDF formats, and records and checkpoints between their systems' forms
    Convert(convert::ConvertArguments),
    /// JSON-LD expansion, exactly as the specification has it
    Expand(expand::ExpandArguments),
    /// JSON-LD compaction, exactly as the specification has it
    Compact(compact::CompactArguments),
    /// JSON-LD flattening: every node once, exactly as the specification has it
    Flatten(flatten::FlattenArguments),
    /// JSON-LD framing: the nodes a frame asks for, nested as it shows
    Frame(frame::FrameArguments),
    /// JSON-LD to RDF, exactly as the specification has it
    ToRdf(to_rdf::ToRdfArguments),
    /// RDF to JSON-LD, exactly as the specification has it
    FromRdf(from_rdf::FromRdfArguments),
    /// The canonical form of RDF (RDFC-1.0), or its hash
    Canon(canon::CanonArguments),
    /// Say what two files do not share
    Diff(diff::DiffArguments),
    /// Check files by the rules of those who read them, or any data against shapes in SHACL
    Validate(validate::ValidateArguments),
    /// Say where data leave schema.org, and what to write instead
    Check(check::CheckArguments),
    /// List the built-in shapes, show them, or write shapes as queries in SPARQL
    Shapes(shapes::ShapesArguments),
    /// Make the table of facts of a release of schema.org
    SchemaOrg(schema_org::SchemaOrgArguments),
    /// Lay checkpoints out in one way, so that their versions differ in few lines
    Fmt(fmt::FmtArguments),
    /// Put several checkpoints into one, question by question
    Merge(merge::MergeArguments),
    /// Split a checkpoint into several with a share of its questions each
    Split(split::SplitArguments),
    /// Write the answer templates of a checkpoint to files, and take edited ones back
    Templates(templates::TemplatesArguments),
    /// Make a checkpoint from a table of questions and answers
    New(new::NewArguments),
    /// Say what the files of downloaded pages are called in a corpus
    CorpusName(corpus_name::CorpusNameArguments),
    /// Compute RLCF's figures: experts' authority, disagreement and consensus of tasks, bias
    Figures(figures::FiguresArguments),
    /// Say what the code of a finding or the name of a rule means, and what to do
    Explain(explain::ExplainArguments),
}
