//! The views of an export as SQL, one file for each engine. Parquet files are named relative to the folder of the export.

use super::quad_file::QuadFile;
use evalgraph_sql::SqlDialect;

/// The columns of quads that come from the files.
const COLUMNS: &str =
    "s_id, s, p_id, p, o_id, o, o_kind, o_datatype, o_lang, o_num, o_dbl, o_bool, o_time, o_zoned";
/// Those that come from the files as they are.
const UNCHANGED: &str =
    "s_id, p_id, p, o_id, o_kind, o_datatype, o_lang, o_num, o_dbl, o_bool, o_time, o_zoned";

/// The files that views read.
#[derive(Debug, Clone, Copy)]
pub(super) struct ViewedFiles<'f> {
    pub(super) quads: &'f [QuadFile],
    pub(super) closures: &'f [QuadFile],
    /// The names of the files of tables.
    pub(super) tables: &'f [String],
}

/// Writes the statements that create the views: `graphs`, `quads` with all columns, `triples`, the union of all graphs as a
/// set, and `closures`, all pairs of a node and a term that it leads to over one or more steps of a predicate; a view for
/// each table; and the functions that queries need.
pub(super) fn sql_views(files: ViewedFiles<'_>, dialect: SqlDialect) -> String {
    let (create, begin) = match dialect {
        SqlDialect::DuckDb => {
            ("CREATE OR REPLACE VIEW", "start it in the folder, and run `.read views.duckdb.sql`")
        }
        SqlDialect::Spark => {
            ("CREATE OR REPLACE TEMPORARY VIEW", "put the folder in the place of `.`, and run each statement")
        }
        SqlDialect::DataFusion => {
            ("CREATE OR REPLACE VIEW", "start it in the folder, and run each statement")
        }
    };
    let mut text = format!("-- Views of this folder for {dialect}: {begin}.\n");
    text.push_str(dialect.functions());
    let mut source = |name: &str| match dialect {
        SqlDialect::DuckDb => format!("read_parquet({})", dialect.text(name)),
        SqlDialect::Spark => format!("parquet.`./{name}`"),
        SqlDialect::DataFusion => {
            let table = format!("\"./{name}\"");
            let place = dialect.text(&format!("./{name}"));
            text.push_str(&format!(
                "CREATE EXTERNAL TABLE IF NOT EXISTS {table} STORED AS PARQUET LOCATION {place};\n"
            ));
            table
        }
    };
    let graphs = source("graphs.parquet");
    let tables: Vec<String> = files
        .tables
        .iter()
        .map(|file| {
            let name = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".parquet");
            format!("{create} {name} AS SELECT * FROM {};\n", source(file))
        })
        .collect();
    let mut of_file = |file: &QuadFile, before: &str, after: &str| {
        let columns = match &file.predicate {
            None => COLUMNS.to_owned(),
            Some(predicate) => {
                let number = predicate.number;
                let constant =
                    format!("CAST('{number}' AS BIGINT) AS p_id, {} AS p", dialect.text(&predicate.text));
                COLUMNS.replace("p_id, p", &constant)
            }
        };
        format!("SELECT {before}{columns}{after} FROM {}", source(&file.name))
    };
    let quads: Vec<String> = files.quads.iter().map(|file| of_file(file, "g_id, ", ", is_first")).collect();
    let closures: Vec<String> = files.closures.iter().map(|file| of_file(file, "", "")).collect();
    let (texts, columns) = (texts(dialect), format!("{COLUMNS}, s_type, o_type, o_us"));
    text.push_str(&format!(
        "{create} graphs AS SELECT * FROM {graphs};\n\
         {create} quads AS SELECT g_id, {UNCHANGED}, is_first, {texts} FROM (\n  {}\n) AS q;\n\
         {create} triples AS SELECT {columns} FROM quads WHERE is_first;\n",
        quads.join("\n  UNION ALL "),
    ));
    if closures.is_empty() {
        text.push_str(&format!("{create} closures AS SELECT {columns} FROM quads WHERE FALSE;\n"));
    } else {
        text.push_str(&format!(
            "{create} closures AS SELECT {UNCHANGED}, {texts} FROM (\n  {}\n) AS q;\n",
            closures.join("\n  UNION ALL ")
        ));
    }
    text + &tables.concat()
}

/// The texts of the ends of a quad, where a blank node has its number as a label; their types, which are `iri`, `blank`, a
/// datatype, or a language after `@`; and times in microseconds.
fn texts(dialect: SqlDialect) -> String {
    let text = dialect.text_type();
    let time = match dialect {
        SqlDialect::DuckDb => "epoch_us(o_time)",
        SqlDialect::Spark => "unix_micros(o_time)",
        SqlDialect::DataFusion => "CAST(o_time AS BIGINT)",
    };
    let end = |end: &str| format!("COALESCE(q.{end}, '_:b' || CAST({end}_id AS {text})) AS {end}");
    format!(
        "{}, {}, CASE WHEN q.s IS NULL THEN 'blank' ELSE 'iri' END AS s_type, \
         CASE WHEN o_lang IS NOT NULL THEN '@' || o_lang WHEN o_kind = 'literal' THEN o_datatype ELSE o_kind END AS o_type, \
         {time} AS o_us",
        end("s"),
        end("o")
    )
}
