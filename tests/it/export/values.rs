//! The columns of values have exactly the values that queries compute with.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::{self, File};

use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::record::Field;
use proptest::prelude::*;
use serde_json::Value;

use crate::cli::input::run;

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Datatypes with values, and one without.
const DATATYPES: [&str; 20] = [
    "integer",
    "byte",
    "short",
    "int",
    "long",
    "unsignedByte",
    "unsignedShort",
    "unsignedInt",
    "unsignedLong",
    "nonNegativeInteger",
    "positiveInteger",
    "nonPositiveInteger",
    "negativeInteger",
    "decimal",
    "double",
    "float",
    "boolean",
    "dateTime",
    "date",
    "string",
];

/// Lexical forms, near the limits of their datatypes, ill-formed ones, and those with blanks.
fn lexical_form() -> impl Strategy<Value = String> {
    let near = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<i16>().prop_map(|number| number.to_string()),
        (
            -3i128..4,
            prop::sample::select(vec![
                0,
                127,
                128,
                255,
                256,
                32767,
                65535,
                1 << 31,
                1 << 32,
                1 << 63,
                1 << 64
            ])
        )
            .prop_map(|(near, limit): (i128, i128)| (limit + near).to_string()),
        Just(format!("1{}", "0".repeat(40))),
    ];
    let decimal = "[+-]?[0-9]{0,22}\\.?[0-9]{0,20}";
    let floating = "[+-]?[0-9]{1,17}(\\.[0-9]{0,17})?([eE][+-]?[0-9]{1,3})?";
    let zone = prop_oneof![
        Just(String::new()),
        Just("Z".to_owned()),
        "[+-](0[0-9]|1[0-5]):[0-6][0-9]".prop_map(|zone| zone),
    ];
    let year = prop_oneof!["000[0-2]", "(19|20)[0-9]{2}", "9999", "-?[1-9][0-9]{4}", "-[0-9]{4}"];
    let time = (
        year,
        "(0[0-9]|1[0-3])-([0-2][0-9]|3[0-2])T(0[0-9]|1[0-9]|2[0-5]):[0-6][0-9]:[0-6][0-9]",
        "(\\.[0-9]{0,8})?",
        zone,
    )
        .prop_map(|(year, rest, fraction, zone)| format!("{year}-{rest}{fraction}{zone}"));
    let word = prop::sample::select(vec![
        "true", "false", "1", "0", "TRUE", "yes", "INF", "+INF", "-INF", "NaN", "inf", "nan", "", ".", "+",
        "-0", "-0.0", "+1", "1.", ".5", "1e0", "0x1", "１",
    ]);
    let form = prop_oneof![near, decimal, floating, time, word.prop_map(str::to_owned)];
    let blank = prop::sample::select(vec!["", "", "", "", "", " ", "\t", "\n"]);
    (blank.clone(), form, blank).prop_map(|(before, form, after)| format!("{before}{form}{after}"))
}

/// The value of a literal, as text: the exact decimal, the bits of a double, a boolean, or microseconds and whether there is
/// a zone.
type Shown = Option<String>;

/// What queries compute with, by the subject.
fn of_queries(folder: &std::path::Path) -> BTreeMap<String, Shown> {
    let query = format!(
        "PREFIX x: <{XSD}>
         SELECT ?s (DATATYPE(?o) AS ?t) (?o * 1 AS ?n) (IF(DATATYPE(?o) = x:boolean, x:boolean(?o), 1/0) AS ?b)
           (IF(DATATYPE(?o) = x:dateTime, YEAR(?o), 1/0) AS ?y) (MONTH(?o) AS ?mo) (DAY(?o) AS ?d)
           (HOURS(?o) AS ?h) (MINUTES(?o) AS ?mi) (SECONDS(?o) AS ?sec) (TZ(?o) AS ?z)
         {{ ?s <urn:p> ?o }}"
    );
    let (status, stdout, stderr) = run(folder, &["query", "a.nt", "-q", &query, "--format", "sparql-json"]);
    assert_eq!(status, 0, "{stderr}");
    let answer: Value = serde_json::from_str(&stdout).expect("JSON");
    let rows = answer["results"]["bindings"].as_array().expect("rows");
    rows.iter().map(|row| (row["s"]["value"].as_str().expect("an IRI").to_owned(), shown(row))).collect()
}

fn shown(row: &Value) -> Shown {
    let text = |key: &str| row.get(key).and_then(|cell| cell["value"].as_str());
    if let Some(number) = text("n") {
        let datatype = row["n"]["datatype"].as_str().expect("a datatype");
        return match datatype.trim_start_matches(XSD) {
            "double" => Some(double(floating(number))),
            "float" => Some(double(number.parse::<f32>().map_or(f64::NAN, f64::from))),
            _ => exact(number),
        };
    }
    if let Some(boolean) = text("b") {
        return Some(boolean.to_owned());
    }
    let year: i64 = text("y")?.parse().expect("a year");
    let part = |key: &str| text(key).expect("a part").parse::<u32>().expect("a number");
    let (seconds, fraction) =
        text("sec").map(|seconds| seconds.split_once('.').unwrap_or((seconds, ""))).expect("seconds");
    let day = chrono::NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, part("mo"), part("d"))?;
    let time = day.and_hms_opt(part("h"), part("mi"), seconds.parse().expect("seconds"))?;
    let zone = text("z").expect("TZ has a value");
    let offset = match zone {
        "" | "Z" => 0,
        zone => {
            let (hours, minutes) = zone[1..].split_once(':').expect("a zone");
            let minutes =
                hours.parse::<i64>().expect("hours") * 60 + minutes.parse::<i64>().expect("minutes");
            if zone.starts_with('-') { -minutes } else { minutes }
        }
    };
    let time = time - chrono::TimeDelta::minutes(offset);
    let is_held =
        fraction.trim_end_matches('0').len() <= 6 && (1..=9999).contains(&chrono::Datelike::year(&time));
    let fraction: i64 = format!("{fraction:0<6.6}").parse().expect("digits");
    is_held.then(|| format!("{} {}", time.and_utc().timestamp_micros() + fraction, !zone.is_empty()))
}

fn floating(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

fn double(value: f64) -> String {
    if value.is_nan() { "NaN".to_owned() } else { format!("{:x}", value.to_bits()) }
}

/// A decimal without needless zeros. Its column has 38 digits, of which 18 are after the point.
fn exact(text: &str) -> Shown {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let sign = if whole.is_empty() && fraction.is_empty() { "" } else { sign };
    (whole.len() <= 20).then(|| format!("{sign}{whole}.{fraction}"))
}

/// What the columns have, by the subject.
fn of_columns(folder: &std::path::Path) -> BTreeMap<String, Shown> {
    let (status, _, stderr) = run(folder, &["export", "parquet", "out", "a.nt"]);
    assert_eq!(status, 0, "{stderr}");
    let file = File::open(folder.join("out/p/rest.parquet")).expect("it is there");
    let reader = SerializedFileReader::new(file).expect("it is whole");
    let rows = reader.get_row_iter(None).expect("it has rows").map(|row| row.expect("it is whole"));
    rows.map(|row| {
        let cells: BTreeMap<&str, &Field> =
            row.get_column_iter().map(|(name, cell)| (name.as_str(), cell)).collect();
        let Field::Str(subject) = cells["s"] else { panic!("a subject is text") };
        // An exact number also has its nearest double.
        let is_exact = !matches!(cells["o_num"], Field::Null);
        let shown: Vec<String> = ["o_num", "o_dbl", "o_bool", "o_time"]
            .into_iter()
            .filter_map(|name| match cells[name] {
                Field::Null => None,
                Field::Double(_) if is_exact => None,
                Field::Double(value) => Some(double(*value)),
                Field::Bool(value) => Some(value.to_string()),
                Field::TimestampMicros(value) => {
                    let Field::Bool(is_zoned) = cells["o_zoned"] else {
                        panic!("a time has or lacks a zone")
                    };
                    Some(format!("{value} {is_zoned}"))
                }
                decimal => exact(&decimal.to_string()),
            })
            .collect();
        assert!(shown.len() < 2, "a literal has one value: {row}");
        (subject.clone(), shown.into_iter().next())
    })
    .collect()
}

/// Writes a literal for each lexical form and datatype.
fn n_triples(forms: &[String]) -> String {
    let mut text = String::new();
    for (at, form) in forms.iter().enumerate() {
        for datatype in DATATYPES {
            let form = serde_json::to_string(form).expect("a string");
            let _ = writeln!(text, "<urn:{datatype}:{at}> <urn:p> {form}^^<{XSD}{datatype}> .");
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn columns_have_the_values_of_queries(forms in prop::collection::vec(lexical_form(), 1..200)) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("a.nt"), n_triples(&forms)).expect("ours");
        let (columns, queries) = (of_columns(folder.path()), of_queries(folder.path()));
        for (subject, column) in &columns {
            let at = subject.rsplit(':').next().and_then(|at| at.parse::<usize>().ok()).expect("a position");
            prop_assert_eq!(column, &queries[subject], "{} {:?}", subject, &forms[at]);
        }
        prop_assert_eq!(columns.len(), queries.len());
    }
}
