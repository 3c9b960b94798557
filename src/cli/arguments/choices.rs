//! Arguments that accept a fixed set of values: the name and the help text of each value.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};

use evalgraph_diagnostics::validation::ResultSeverity;
use evalgraph_engine::convert::output_form::OutputForm;
use evalgraph_engine::input::input_options::InputFormat;
use evalgraph_engine::report::ReportFormat;
use evalgraph_formats::checking::ProfileName;
use evalgraph_formats::checkpoint::checkpoint_merge::MergePreference;
use evalgraph_formats::rows::{COLUMN_PRESETS, ColumnPreset};
use evalgraph_formats::system_name::SystemName;
use evalgraph_json::TextEncoding;
use evalgraph_jsonld::{ProcessingMode, RdfDirection};
use evalgraph_rdf::RdfFormat;
use evalgraph_sql::SqlDialect;

/// Reads the name of an engine of SQL.
pub(in crate::cli) fn sql_dialect(name: &str) -> Result<SqlDialect, String> {
    let found = SqlDialect::ALL.into_iter().find(|dialect| dialect.name() == name);
    found.ok_or_else(|| format!("the engines are {}", SqlDialect::ALL.map(SqlDialect::name).join(", ")))
}

/// Accepts the names of some values.
pub(in crate::cli) fn choice<N: Into<PossibleValue>, T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (N, T)>,
) -> ValueParser {
    let values: Vec<(PossibleValue, T)> =
        values.into_iter().map(|(name, value)| (name.into(), value)).collect();
    let names: Vec<PossibleValue> = values.iter().map(|(name, _)| name.clone()).collect();
    let parser = PossibleValuesParser::new(names).try_map(move |name| {
        let named = values.iter().find(|(known, _)| known.matches(&name, false));
        named.map(|(_, value)| value.clone()).ok_or("no such value")
    });
    parser.into()
}

/// Accepts the names of some values, each with a help text.
pub(in crate::cli) fn explained<T: Clone + Send + Sync + 'static, const N: usize>(
    values: [(&'static str, &'static str, T); N],
) -> ValueParser {
    choice(values.map(|(name, help, value)| (PossibleValue::new(name).help(help), value)))
}

/// Accepts the names of encodings; help lists the common ones.
pub(super) fn encodings() -> ValueParser {
    let named = |encoding: TextEncoding| PossibleValue::new(encoding.name());
    let common = TextEncoding::COMMON.map(|encoding| (named(encoding), encoding));
    let others = TextEncoding::others().map(|encoding| (named(encoding).hide(true), encoding));
    choice(common.into_iter().chain(others))
}

/// Accepts the names of the forms of rows whose columns are known.
pub(super) fn column_presets() -> ValueParser {
    let named =
        |preset: &'static ColumnPreset| (PossibleValue::new(preset.name).help(preset.meaning), preset);
    choice(COLUMN_PRESETS.iter().map(named))
}

/// Accepts the names of the input formats. Karenina's checkpoints need no name: they are JSON-LD, or recognised.
pub(super) fn input_formats() -> ValueParser {
    let systems = SystemName::ALL.into_iter().filter(|system| *system != SystemName::JSON_LD);
    let formats = RdfFormat::ALL.into_iter().map(InputFormat::Rdf).chain(systems.map(InputFormat::Records));
    choice(formats.map(|format| (format.name(), format)))
}

/// Accepts the names of the RDF formats that can be written.
pub(in crate::cli) fn rdf_formats() -> ValueParser {
    choice(RdfFormat::WRITTEN.map(|format| (format.name(), format)))
}

pub(super) fn processing_modes() -> ValueParser {
    choice([("json-ld-1.0", ProcessingMode::JsonLd1_0), ("json-ld-1.1", ProcessingMode::JsonLd1_1)])
}

/// Accepts the two values of the API's `rdfDirection`.
pub(in crate::cli) fn rdf_directions() -> ValueParser {
    let [datatype, literal] = [RdfDirection::I18nDatatype, RdfDirection::CompoundLiteral];
    choice([("i18n-datatype", datatype), ("compound-literal", literal)])
}

/// Accepts the names of the output forms of `convert`.
pub(in crate::cli) fn targets() -> ValueParser {
    choice(OutputForm::all().map(|target| (target.name(), target)))
}

/// Accepts the output forms of an update of files. `convert` makes other forms from its result.
pub(in crate::cli) fn update_targets() -> ValueParser {
    let targets = RdfFormat::WRITTEN.into_iter().map(OutputForm::Rdf).chain([OutputForm::Same]);
    choice(targets.map(|target| (target.name(), target)))
}

/// Accepts the rule that decides which of several checkpoints counts.
pub(in crate::cli) fn preferences() -> ValueParser {
    let newest = "The question with the later dateModified, a conflict if they are equal; and the \
                  metadata of the latest file";
    explained([
        ("first", "The earlier file", MergePreference::First),
        ("last", "The later file", MergePreference::Last),
        ("newest", newest, MergePreference::Newest),
    ])
}

/// Accepts the names of the profiles of rules.
pub(in crate::cli) fn profiles() -> ValueParser {
    let value = |profile: ProfileName| {
        let value = PossibleValue::new(profile.name());
        match profile {
            ProfileName::SEED => value.help("The words of each system's documents"),
            ProfileName::CODE => {
                value.help("What each system's shipped code takes; `shipped` is the same").alias("shipped")
            }
            own => value.help(own.title().unwrap_or_default()),
        }
    };
    choice(ProfileName::all().into_iter().map(|profile| (value(profile), profile)))
}

/// Accepts the names of the severities of results.
pub(in crate::cli) fn severities() -> ValueParser {
    choice(ResultSeverity::ALL.map(|severity| (severity.name(), severity)))
}

/// The form of the report of a validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum ReportForm {
    Report(ReportFormat),
    /// SHACL's own report, in RDF.
    Graph(RdfFormat),
}

impl ReportForm {
    fn all() -> impl Iterator<Item = Self> {
        ReportFormat::ALL.map(Self::Report).into_iter().chain(RdfFormat::WRITTEN.map(Self::Graph))
    }

    /// The name of the form.
    pub(in crate::cli) fn name(self) -> &'static str {
        match self {
            Self::Report(format) => format.name(),
            Self::Graph(format) => format.name(),
        }
    }

    /// The form with a name.
    pub(in crate::cli) fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|form| form.name() == name)
    }
}

/// Accepts the forms of the report of a validation.
pub(in crate::cli) fn report_forms() -> ValueParser {
    let value = |form: ReportForm| match form {
        ReportForm::Report(ReportFormat::JsonLines) => {
            report_format(ReportFormat::JsonLines).help("An object for each result, with SHACL's words")
        }
        ReportForm::Report(format) => report_format(format),
        ReportForm::Graph(_) => PossibleValue::new(form.name()).help("The report of SHACL, with --shapes"),
    };
    choice(ReportForm::all().map(|form| (value(form), form)))
}

/// Accepts the forms of the report of a check.
pub(in crate::cli) fn report_formats() -> ValueParser {
    choice(ReportFormat::ALL.map(|format| (report_format(format), format)))
}

fn report_format(format: ReportFormat) -> PossibleValue {
    PossibleValue::new(format.name()).help(match format {
        ReportFormat::Text => "Results grouped by rule and counted",
        ReportFormat::Table => "A line for each result",
        ReportFormat::Json => "An array with an object for each file, and every result",
        ReportFormat::JsonLines => "An object for each result",
        ReportFormat::Csv => "A row for each result, with the same columns",
        ReportFormat::Sarif => "SARIF 2.1.0, for code scanning and editors",
        ReportFormat::JUnit => "JUnit's XML: a suite for each file, a test case for each rule",
        ReportFormat::GitHub => "Annotations for the log of a workflow of GitHub",
        ReportFormat::GitLab => "The report of GitLab's Code Quality",
        ReportFormat::Markdown => "A summary with the first places, for a comment on a change",
        ReportFormat::Html => "A self-contained page with a filter",
    })
}
