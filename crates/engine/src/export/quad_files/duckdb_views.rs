//! The views of an export for DuckDB, as SQL. Files are named relative to the folder of the export.

use super::quad_file::QuadFile;

/// Writes the statements that create the views: `graphs`, `quads` with all columns, and `triples`, the union of all graphs
/// as a set.
pub(super) fn duckdb_views(files: &[QuadFile]) -> String {
    let rest =
        "g_id, s_id, s, p_id, p, o_id, o, o_kind, o_datatype, o_lang, o_num, o_dbl, o_bool, o_time, o_zoned";
    let of_file = |file: &QuadFile| {
        let name = text(&file.name);
        match &file.predicate {
            None => format!("SELECT {rest} FROM read_parquet({name})"),
            Some(predicate) => {
                let constant =
                    format!("CAST({} AS BIGINT) AS p_id, {} AS p", predicate.number, text(&predicate.text));
                format!("SELECT {} FROM read_parquet({name})", rest.replace("p_id, p", &constant))
            }
        }
    };
    let quads: Vec<String> = files.iter().map(of_file).collect();
    format!(
        "-- Views of this folder for DuckDB: start it in the folder, and run `.read views.duckdb.sql`.\n\
         CREATE OR REPLACE VIEW graphs AS SELECT * FROM read_parquet('graphs.parquet');\n\
         CREATE OR REPLACE VIEW quads AS\n  {};\n\
         CREATE OR REPLACE VIEW triples AS SELECT DISTINCT {} FROM quads;\n",
        quads.join("\n  UNION ALL "),
        rest.replace("g_id, ", "")
    )
}

/// Returns a text as a literal of SQL.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
