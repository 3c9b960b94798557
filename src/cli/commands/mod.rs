//! The commands, one per file, and the command line that names them.

mod add;
mod agreement;
mod backup;
mod canon;
mod check;
mod compact;
mod compare;
mod completions;
mod convert;
mod corpus_name;
mod dedupe;
mod diff;
mod doctor;
mod dump;
mod expand;
mod explain;
mod export;
mod figures;
mod filter;
mod flatten;
mod fmt;
mod frame;
mod from_rdf;
mod graphs;
mod init;
mod load;
mod man;
mod merge;
mod move_records;
mod new;
mod queries;
mod query;
mod remove;
mod rename;
mod restore;
mod sample;
mod schema;
mod schema_org;
mod serve;
mod set;
mod shapes;
mod shell;
mod sort;
mod split;
mod stats;
mod templates;
mod to_rdf;
mod undo;
mod update;
mod validate;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::deferred_arguments::DeferredArguments;
use crate::cli::limits::LimitArguments;
use crate::cli::messages::MessageArguments;
use crate::cli::process_words::words;
use crate::cli::version;
use crate::cli::wrong_command::with_what_was_meant;
use crate::cli::{CommandAnswer, CommandStop};
use evalgraph_diagnostics::RunReport;

/// Check, query, compare and convert evaluation datasets (Karenina, train.json, Kwanzaa, RLCF, chat); errors point at the
/// line.
#[derive(Debug, Parser)]
#[command(name = "evalgraph", version = version::SHORT, long_version = version::LONG)]
pub struct ProgramArguments {
    #[command(subcommand)]
    command: ProgramCommand,

    #[command(flatten)]
    pub(in crate::cli) common: CommonArguments,
}

/// The arguments that every command has.
#[derive(Debug, Parser)]
#[command(name = "evalgraph", version = version::SHORT, long_version = version::LONG, disable_help_subcommand = true)]
pub(in crate::cli) struct CommonArguments {
    #[command(flatten)]
    pub(in crate::cli) messages: MessageArguments,

    #[command(flatten)]
    pub(in crate::cli) limits: LimitArguments,
}

impl ProgramArguments {
    /// Returns whether the limits apply to the whole run. For a server they apply to each request instead.
    pub(in crate::cli) fn is_one_run(&self) -> bool {
        !matches!(self.command, ProgramCommand::Serve(_))
    }

    /// Reads the command line of the process.
    ///
    /// # Errors
    ///
    /// The command line is invalid, or asks for help.
    pub(in crate::cli) fn of_process() -> Result<Self, clap::Error> {
        let words = words();
        let name = words.get(1).cloned().unwrap_or_default();
        let mut program = if name == "-V" || name == "--version" {
            CommonArguments::command()
        } else {
            let program = Self::command();
            // clap copies shared arguments to each subcommand, which takes longer than a small query. So only the named
            // command is kept.
            match program.find_subcommand(&name).cloned() {
                Some(command) => CommonArguments::command().subcommand(command),
                None => in_groups(program),
            }
        };
        let matches = program.try_get_matches_from_mut(words);
        let mut matches = matches.map_err(|error| with_what_was_meant(error, words, Self::command))?;
        let arguments = Self::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut program));
        // Freeing it takes longer than leaking it.
        std::mem::forget(program);
        arguments
    }
}

const EXAMPLES: &str = "\
Examples:
  evalgraph stats checkpoint.jsonld
  evalgraph validate checkpoints/
  evalgraph query checkpoints/ -n overview
  evalgraph convert train.json --to karenina -o checkpoint.jsonld

`evalgraph COMMAND -h` is one screen, `evalgraph help COMMAND` is everything.
Exit status: 0 done or yes, 1 ran fine and the answer is no, 2 could not run.";

/// Gives the program help that lists its commands in groups.
fn in_groups(program: clap::Command) -> clap::Command {
    let abouts: Vec<(&str, String)> = program
        .get_subcommands()
        .map(|command| (command.get_name(), command.get_about().map(ToString::to_string).unwrap_or_default()))
        .collect();
    let width = abouts.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut commands = abouts.iter();
    let mut listed = String::new();
    for (title, names) in GROUPS {
        listed += &format!("\n{title}:\n");
        let of_group = commands.by_ref().take(names.len());
        listed.extend(of_group.map(|(name, about)| format!("  {name:width$}  {about}\n")));
    }
    // `evalgraph help COMMAND` accepts only commands; their subcommands are in the commands' own help.
    let program = program.mut_subcommands(|command| command.disable_help_subcommand(true));
    let program = program.disable_help_subcommand(false);
    let template = format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{listed}\n{EXAMPLES}\n");
    program.help_template(template)
}

/// Lists the commands in groups: the help text of each, its arguments, and its module. The commands of the last group
/// describe the program, and receive it.
macro_rules! commands {
    ($($group:literal: {
        $($(#[doc = $about:literal])* $name:ident($module:ident::$arguments:ident),)*
    })* program $own_group:literal: {
        $($(#[doc = $own_about:literal])* $own:ident($own_module:ident::$own_arguments:ident, of $program:ident),)*
    }) => {
        #[derive(Debug, Subcommand)]
        enum ProgramCommand {
            $($($(#[doc = $about])* $name(DeferredArguments<$module::$arguments>),)*)*
            $($(#[doc = $own_about])* $own(DeferredArguments<$own_module::$own_arguments>),)*
        }

        /// The commands by groups, in the order of [`ProgramCommand`].
        const GROUPS: &[(&str, &[&str])] =
            &[$(($group, &[$(stringify!($name),)*]),)* ($own_group, &[$(stringify!($own),)*])];

        /// Runs the requested command.
        pub(in crate::cli) fn run(arguments: ProgramArguments, report: &mut RunReport) -> Result<CommandAnswer, CommandStop> {
            match arguments.command {
                $($(ProgramCommand::$name(DeferredArguments(arguments)) => $module::run(&arguments, report),)*)*
                $(ProgramCommand::$own(DeferredArguments(arguments)) => $own_module::run(&arguments, $program::command(), report),)*
            }
        }
    };
}

commands! {
    "Look": {
        /// Show what each file is: dialect, questions, traits, dates, quads, warnings
        Stats(stats::StatsArguments),
        /// Run a SPARQL query on files or on the store
        Query(query::QueryArguments),
        /// Run queries one after the other, with completion and history
        Shell(shell::ShellArguments),
        /// List the named queries, or show one
        Queries(queries::QueriesArguments),
        /// Show the classes of the data with their properties, counts and examples
        Schema(schema::SchemaArguments),
        /// Compare two files, question by question or triple by triple
        Diff(diff::DiffArguments),
        /// Compare runs of models, sample by sample: which is better, and is it more than chance
        Compare(compare::CompareArguments),
        /// Compute how far judges agree: kappa and alpha of people, models and metrics
        Agreement(agreement::AgreementArguments),
    }
    "Check": {
        /// Check files against their programs' rules, or any data against SHACL shapes
        Validate(validate::ValidateArguments),
        /// Check data against schema.org, with what to write instead
        Check(check::CheckArguments),
        /// Explain a code or a rule, and what to do about it
        Explain(explain::ExplainArguments),
        /// List or show the built-in shapes, or write shapes as SPARQL queries
        Shapes(shapes::ShapesArguments),
        /// Make the table of facts of a release of schema.org
        SchemaOrg(schema_org::SchemaOrgArguments),
    }
    "Change files": {
        /// Change a question: its answer, keywords, text or state
        Set(set::SetArguments),
        /// Add a question, or keywords to a question
        Add(add::AddArguments),
        /// Remove a question, or some of its keywords
        Remove(remove::RemoveArguments),
        /// Give a record of a file another id
        Rename(rename::RenameArguments),
        /// Move records from one file to another of the same kind
        Move(move_records::MoveArguments),
        /// Change the store or files with a SPARQL update
        Update(update::UpdateArguments),
        /// Format checkpoints consistently, so that git diffs stay small
        Fmt(fmt::FmtArguments),
        /// Write the records of a file that meet criteria
        Filter(filter::FilterArguments),
        /// Write some random records of a file
        Sample(sample::SampleArguments),
        /// Write a file with its records in another order
        Sort(sort::SortArguments),
        /// Write a file without the questions that repeat an earlier one
        Dedupe(dedupe::DedupeArguments),
        /// Merge checkpoints into one, question by question
        Merge(merge::MergeArguments),
        /// Split a checkpoint into parts, or records into training and test data
        Split(split::SplitArguments),
        /// Write the answer templates of a checkpoint to files, and take edited ones back
        Templates(templates::TemplatesArguments),
    }
    "Store": {
        /// Create a store (.evalgraph): load files once, query them often
        Init(init::InitArguments),
        /// Load files into the store, or load them again
        Load(load::LoadArguments),
        /// List the graphs of the store, or drop some
        Graphs(graphs::GraphsArguments),
        /// Write the quads of the store
        Dump(dump::DumpArguments),
        /// Undo the last change of the store
        Undo(undo::UndoArguments),
        /// Write the store into one file
        Backup(backup::BackupArguments),
        /// Make a store from a backup
        Restore(restore::RestoreArguments),
        /// Check the store for damage, and repair it
        Doctor(doctor::DoctorArguments),
    }
    "Convert": {
        /// Convert files to another system's format or another form of RDF
        Convert(convert::ConvertArguments),
        /// Make a checkpoint from a table of questions and answers
        New(new::NewArguments),
        /// Print the corpus file name of a URL
        CorpusName(corpus_name::CorpusNameArguments),
    }
    "Export and serve": {
        /// Write graphs for other stores, or send them to a server
        Export(export::ExportArguments),
        /// Serve a web page and a SPARQL endpoint
        Serve(serve::ServeArguments),
    }
    "JSON-LD, exactly as specified": {
        /// Expand JSON-LD
        Expand(expand::ExpandArguments),
        /// Compact JSON-LD with a context
        Compact(compact::CompactArguments),
        /// Flatten JSON-LD: every node once
        Flatten(flatten::FlattenArguments),
        /// Frame JSON-LD: the nodes that a frame asks for, nested as it shows
        Frame(frame::FrameArguments),
        /// Convert JSON-LD to RDF
        ToRdf(to_rdf::ToRdfArguments),
        /// Convert RDF to JSON-LD
        FromRdf(from_rdf::FromRdfArguments),
        /// Print the canonical form of RDF (RDFC-1.0), or its hash
        Canon(canon::CanonArguments),
    }
    "RLCF": {
        /// Compute experts' authority, disagreement and consensus of tasks, bias
        Figures(figures::FiguresArguments),
    }
    program "The program itself": {
        /// Write the completions of a shell
        Completions(completions::CompletionsArguments, of ProgramArguments),
        /// Write the manual: pages for man, or one page in Markdown
        Man(man::ManArguments, of ProgramArguments),
    }
}
