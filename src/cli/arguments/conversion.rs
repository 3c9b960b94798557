//! The arguments of `convert` for single forms.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::values::shapes;
use crate::convert::checkpoint::CheckpointOptions;
use crate::convert::kwanzaa::PromptFiles;
use crate::convert::training::TrainingOptions;
use crate::source::karenina::merging::Prefer;
use crate::source::karenina::writer::Version2Shape;
use crate::source::rlcf::figures::Profile;
use crate::source::train::{Impossible, RowIds, WriteOptions};

/// How checkpoints are written.
#[derive(Debug, Args)]
pub(in crate::cli) struct CheckpointArguments {
    /// List what the form cannot hold and what had to be filled in, with the lines
    #[arg(long, help_heading = "Checkpoints")]
    pub(in crate::cli) report_loss: bool,

    /// Set `dateModified` of the checkpoint to the time of the run
    #[arg(long, help_heading = "Checkpoints")]
    pub(in crate::cli) touch: bool,

    /// The shape of karenina-v2: a until September 2025, b autumn 2025, c since then
    #[arg(long, value_name = "SHAPE", default_value = "c", value_parser = shapes(),
          help_heading = "Checkpoints")]
    pub(in crate::cli) v2_shape: Version2Shape,

    /// What counts where several inputs go into one file and say different things of one question
    #[arg(long, value_name = "WHICH", help_heading = "Checkpoints")]
    pub(in crate::cli) prefer: Option<Prefer>,
}

impl CheckpointArguments {
    /// The options of checkpoints.
    pub(in crate::cli) fn options(&self) -> CheckpointOptions {
        CheckpointOptions { lists_losses: self.report_loss, touch: self.touch, prefer: self.prefer }
    }

    /// A flag that was given, if one was, and that is for checkpoints alone. What any conversion of
    /// questions loses can be listed.
    pub(in crate::cli) fn flag(&self, loses: bool) -> Option<&'static str> {
        let flags = [("--report-loss", self.report_loss && !loses), ("--touch", self.touch)];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

/// How datasets of train.json are written.
#[derive(Debug, Args)]
pub(in crate::cli) struct DatasetArguments {
    /// Of train: write the rows alone, no files from contexts and documents
    #[arg(long, help_heading = "Datasets")]
    no_corpus: bool,

    /// Of train: what is_impossible is where a question does not say
    #[arg(long, value_name = "VALUE", default_value = "omit", help_heading = "Datasets")]
    impossible: ImpossibleArgument,

    /// Of train: the ids of rows
    #[arg(long, value_name = "IDS", default_value = "source", help_heading = "Datasets")]
    ids: IdsArgument,
}

impl DatasetArguments {
    /// The options of a dataset, which has a folder or not.
    pub(in crate::cli) fn options(&self, has_folder: bool) -> WriteOptions {
        WriteOptions {
            impossible: match self.impossible {
                ImpossibleArgument::False => Impossible::False,
                ImpossibleArgument::Omit => Impossible::Omit,
            },
            with_corpus: has_folder && !self.no_corpus,
            ids: match self.ids {
                IdsArgument::Source => RowIds::Source,
                IdsArgument::Index => RowIds::Index,
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImpossibleArgument {
    /// false
    False,
    /// Left out
    Omit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum IdsArgument {
    /// Those that the questions have where they came from
    Source,
    /// The indexes of the rows
    Index,
}

/// What of the feedback is written, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training data")]
pub(in crate::cli) struct TrainingArguments {
    /// Whose exports sft and preference are: seed takes every type of task and leaves out nulls, shipped
    /// writes what the program writes [default: seed]
    #[arg(long, value_name = "seed|shipped", value_parser = profiles(), hide_possible_values = true)]
    profile: Option<Profile>,

    /// Only tasks of a type, such as QA
    #[arg(long, value_name = "TYPE")]
    task_type: Option<String>,
}

impl TrainingArguments {
    /// The options of training data.
    pub(in crate::cli) fn options(&self) -> TrainingOptions {
        let profile = self.profile.unwrap_or(Profile::Seed);
        TrainingOptions { profile, task_type: self.task_type.clone() }
    }

    /// A flag that was given, if one was.
    pub(in crate::cli) fn flag(&self) -> Option<&'static str> {
        let flags = [("--profile", self.profile.is_some()), ("--task-type", self.task_type.is_some())];
        flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    let names = ["seed", "shipped"].map(PossibleValue::new);
    let names = names.map(|name| if name.get_name() == "shipped" { name.alias("code") } else { name });
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "shipped" | "code" => Profile::Shipped,
        _ => Profile::Seed,
    })
}

/// The prompts of hf-chat.
#[derive(Debug, Args)]
pub(in crate::cli) struct PromptArguments {
    /// The system prompt of hf-chat, with {persona}, {require_citations}, {primary_sources_only},
    /// {creative_mode} and {version} in it; a line behind {?persona=builder} or {?persona!=builder} is
    /// kept where that holds
    #[arg(long, value_name = "FILE")]
    system_prompt: Option<PathBuf>,
    /// What the user says in hf-chat, with {query}, {documents} and all that a system prompt may have
    #[arg(long, value_name = "FILE")]
    user_prompt: Option<PathBuf>,
}

impl PromptArguments {
    /// A flag that was given, if one was.
    pub(in crate::cli) fn flag(&self) -> Option<&'static str> {
        let flags = [("--system-prompt", &self.system_prompt), ("--user-prompt", &self.user_prompt)];
        flags.into_iter().find(|(_, path)| path.is_some()).map(|(flag, _)| flag)
    }

    /// The files.
    pub(in crate::cli) fn files(&self) -> PromptFiles {
        PromptFiles { system: self.system_prompt.clone(), user: self.user_prompt.clone() }
    }
}
