//! Records read batch by batch are those of the whole file, and stand where they stand in it.

use evalgraph::json::{JsonDocument, Limits, RecordReader, RecordsIn, TokenId, parse, parse_lines};
use proptest::prelude::*;
use std::io::Read;

/// What is known of a record: its text, line, column, first byte and pointer.
type Seen = (String, u64, u64, u64, String);

fn seen(document: &JsonDocument, token: TokenId, place: evalgraph::diagnostic::SourcePlace) -> Seen {
    let pointer = place.pointer.unwrap_or_default();
    (document.raw(token).to_owned(), place.line, place.column, place.bytes.start, pointer)
}

/// The records and the values directly in them, read in batches.
fn in_batches(text: &str, records: RecordsIn<'_>, batch: usize) -> Result<Vec<Seen>, String> {
    let reader = RecordReader::new(text.as_bytes(), "a.json", records, Limits::default()).with_batch(batch);
    let mut all = Vec::new();
    for batch in reader {
        let batch = batch.map_err(|fault| fault.to_string())?;
        let source = batch.document.source_text();
        for record in batch.document.items(batch.document.root()) {
            all.push(seen(&batch.document, record, batch.place(&source, record)));
            for member in batch.document.members(record) {
                all.push(seen(&batch.document, member.value, batch.place(&source, member.value)));
            }
        }
    }
    Ok(all)
}

fn at_once(text: &str, records: RecordsIn<'_>) -> Result<Vec<Seen>, String> {
    let fault = |fault: Box<evalgraph::diagnostic::Diagnostic>| fault.to_string();
    let document = match records {
        RecordsIn::Lines => parse_lines("a.json", text.to_owned(), Limits::default()).map_err(fault)?,
        _ => parse("a.json", text.to_owned(), Limits::default()).map_err(fault)?,
    };
    let list = match records {
        RecordsIn::Key(key) => document.get(document.root(), key).expect("the key is there"),
        _ => document.root(),
    };
    let source = document.source_text();
    let mut all = Vec::new();
    for record in document.items(list) {
        all.push(seen(&document, record, document.place_in(&source, record)));
        for member in document.members(record) {
            all.push(seen(&document, member.value, document.place_in(&source, member.value)));
        }
    }
    Ok(all)
}

const RECORDS: [&str; 9] = [
    "{\"id\": 1, \"text\": \"ä]\\\"}\\\\\"}",
    "{\n  \"a\": [1, {\"b\": \"]\"}],\n  \"c\": {}\n}",
    "[]",
    "\"a, \\\"b\\\" [\"",
    "-1.5e3",
    "null",
    "{\"samples\": [1, 2]}",
    "  true ",
    "{\"€\": \"\\u0041\\n\", \"records\": \"records\"}",
];

fn spaces() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", " ", "\n", "\r\n\t", "\n\n"])
}

proptest! {
    #[test]
    fn batches_are_the_whole(
        records in prop::collection::vec((prop::sample::select(RECORDS.to_vec()), spaces()), 0..12),
        batch in 1_usize..60,
        around in spaces(),
    ) {
        let joined: Vec<String> = records.iter().map(|(record, space)| format!("{space}{record}{space}")).collect();
        let array = format!("{around}[{}{around}]{around}", joined.join(","));
        let expected = at_once(&array, RecordsIn::Array).expect("it is JSON");
        prop_assert_eq!(in_batches(&array, RecordsIn::Array, batch), Ok(expected));

        let samples = format!("{{\"ids\": [1, [\"sam\\u0070les\"]],{around} \"name\": \"samples\", \"sam\\u0070les\"{around}: {array}, \"z\": [1]}}");
        let expected = at_once(&samples, RecordsIn::Key("samples")).expect("it is JSON");
        prop_assert_eq!(in_batches(&samples, RecordsIn::Key("samples"), batch), Ok(expected));

        // A text that is one array on a line is taken as the array, so the first line is an object.
        let lines: String = "{}\n".to_owned()
            + &records.iter().map(|(record, _)| record.replace('\n', " ") + "\n").collect::<String>();
        let expected = at_once(&lines, RecordsIn::Lines).expect("it is JSON");
        prop_assert_eq!(in_batches(&lines, RecordsIn::Lines, batch), Ok(expected));
    }

    #[test]
    fn no_text_makes_it_panic(text in "[\\[\\]{},:\" \\\\a1\n]{0,40}", batch in 1_usize..8) {
        for records in [RecordsIn::Array, RecordsIn::Key("a"), RecordsIn::Lines] {
            // What is not JSON is a fault, or stands behind the records that were asked for.
            let whole = at_once_or_none(&text, records);
            let found = in_batches(&text, records, batch);
            if let Some(whole) = whole {
                prop_assert_eq!(found, Ok(whole));
            }
        }
    }
}

fn at_once_or_none(text: &str, records: RecordsIn<'_>) -> Option<Vec<Seen>> {
    let document = parse("a.json", text.to_owned(), Limits::default()).ok()?;
    let root = document.root();
    match records {
        RecordsIn::Lines => None,
        RecordsIn::Array => document.is_array(root).then(|| at_once(text, records).expect("it is JSON")),
        RecordsIn::Key(key) => {
            let is_there = document.get(root, key).is_some_and(|list| document.is_array(list));
            // Of equal keys the first counts here, for the file is read once.
            let is_once = document.duplicate_keys().is_empty();
            (is_there && is_once).then(|| at_once(text, records).expect("it is JSON"))
        }
    }
}

#[test]
fn what_is_wrong_has_its_place_in_the_file() {
    let fault = |text: &str, records| in_batches(text, records, 4).expect_err("it is at fault");
    let word = fault("[{\"a\": 1},\n {\"a\": nul}]", RecordsIn::Array);
    assert!(word.starts_with("a.json:2:8: json::bare-word: `nul` is neither"), "{word}");
    let cases = [
        ("[1,]", RecordsIn::Array, "1:4: json::records: a record is missing before this"),
        ("[,1]", RecordsIn::Array, "1:2: json::records: a record is missing before this"),
        ("[1,\n,2]", RecordsIn::Array, "2:1: json::records: a record is missing before this"),
        ("[1] x", RecordsIn::Array, "1:5: json::records: there is more text after the array of records"),
        ("[1, 2", RecordsIn::Array, "1:6: json::records: the file ends before its records do"),
        ("", RecordsIn::Array, " json::records: the file ends before its records begin"),
        ("{}", RecordsIn::Array, "1:1: json::records: the file is an object, not an array of records"),
        ("[]", RecordsIn::Key("a"), "1:1: json::records: the file is an array, not an object with `a`"),
        ("{\"b\": []}", RecordsIn::Key("a"), "1:10: json::records: there is no array `a` in the file"),
    ];
    for (text, records, message) in cases {
        assert_eq!(fault(text, records), format!("a.json:{message}"), "{text}");
    }
}

#[test]
fn the_limit_is_on_one_record() {
    let text = format!("[{{\"a\": 1}}, {{\"a\": \"{}\"}}]", "x".repeat(100));
    for batch in [1, 7, 1 << 20] {
        let limits = Limits { size: 50, ..Limits::default() };
        let reader = RecordReader::new(text.as_bytes(), "a.json", RecordsIn::Array, limits).with_batch(batch);
        let fault = reader.filter_map(Result::err).next().expect("one is too large");
        assert_eq!(fault.message, "the record 1 has more bytes than the limit of 50");
        assert_eq!(fault.place.expect("it has a place").column, 12);
    }
}

/// Records without end, as far as memory is concerned.
struct Many {
    left: u64,
    rest: Vec<u8>,
}

impl Read for Many {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.rest.is_empty() && self.left > 0 {
            self.left -= 1;
            self.rest =
                format!("{{\"question\": \"Number {}?\", \"answer\": \"x\"}}\n", self.left).into_bytes();
        }
        let count = buffer.len().min(self.rest.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

#[test]
fn a_long_file_comes_in_batches_of_bounded_size() {
    let source = Many { left: 300_000, rest: Vec::new() };
    let reader = RecordReader::new(source, "many.jsonl", RecordsIn::Lines, Limits::default());
    let (mut records, mut batches, mut largest) = (0, 0, 0);
    for batch in reader {
        let batch = batch.expect("it is JSON");
        assert_eq!(batch.first, records);
        records += batch.document.items(batch.document.root()).count() as u64;
        largest = largest.max(batch.document.text().len());
        batches += 1;
    }
    assert_eq!(records, 300_000);
    assert!(batches > 2 && largest < 6 << 20, "{batches} batches of up to {largest} bytes");
}

#[test]
fn what_stands_around_the_records_comes_last_with_its_places() {
    let text = "{\"name\": \"ä\",\n \"records\": [{\"a\": 1}, {\"a\": [2]},\n {\"a\": 3}], \"count\": 3,\n \"x\": null}";
    let whole = parse("a.json", text.to_owned(), Limits::default()).expect("it is JSON");
    for batch in [1, 9, 1 << 20] {
        let mut reader =
            RecordReader::new(text.as_bytes(), "a.json", RecordsIn::Key("records"), Limits::default())
                .with_batch(batch);
        let mut records = Vec::new();
        for batch in reader.by_ref() {
            let document = batch.and_then(|batch| batch.into_file()).expect("it is JSON");
            let list = document.get(document.root(), "records").expect("they stand under their key");
            for record in document.items(list) {
                let value = document.get(record, "a").expect("each has one");
                records.push((document.raw(value).to_owned(), document.place(value)));
            }
        }
        let list = whole.get(whole.root(), "records").expect("it is there");
        let values = whole.items(list).map(|record| whole.get(record, "a").expect("each has one"));
        for ((raw, place), value) in records.iter().zip(values) {
            let expected = whole.place(value);
            assert_eq!(raw, whole.raw(value));
            assert_eq!(
                (place.line, place.column, &place.pointer),
                (expected.line, expected.column, &expected.pointer)
            );
            assert_eq!(place.bytes, expected.bytes);
        }
        assert_eq!(records.len(), 3);
        let frame = reader.frame().expect("it is JSON").expect("there is one");
        for key in ["name", "records", "count", "x"] {
            let place = |document: &JsonDocument| {
                let value = document.get(document.root(), key).expect("it is there");
                let place = document.place(value);
                (place.line, place.column, place.bytes, place.pointer)
            };
            assert_eq!(place(&frame), place(&whole), "{key}");
        }
        assert_eq!(frame.items(frame.get(frame.root(), "records").expect("it is there")).count(), 0);
    }
}

#[test]
fn what_is_wrong_around_the_records_has_its_place() {
    let text = "{\"records\": [1,\n2], \"a\": nul}";
    let mut reader =
        RecordReader::new(text.as_bytes(), "a.json", RecordsIn::Key("records"), Limits::default());
    assert!(reader.by_ref().all(|batch| batch.is_ok()));
    let fault = reader.frame().expect_err("it is not JSON").to_string();
    assert!(fault.starts_with("a.json:2:10: json::bare-word: `nul` is neither"), "{fault}");
    let text = b"{\"records\": [1,\n2, \"\xE9\"]}";
    let mut reader = RecordReader::new(&text[..], "a.json", RecordsIn::Key("records"), Limits::default());
    let fault = reader.find_map(Result::err).expect("it is not UTF-8").to_string();
    assert!(fault.starts_with("a.json:2:5: json::encoding: byte 20 (`0xE9`) is not UTF-8"), "{fault}");
}

proptest! {
    #[test]
    fn the_list_that_a_text_ends_in_is_found(text in "[\\[\\]{},:\"\\\\ab ]{0,40}") {
        let found = evalgraph::json::longest_list(text.as_bytes());
        if let Ok(document) = parse("a.json", text, Limits::default()) {
            let lists = document.members(document.root()).filter(|member| document.is_array(member.value));
            let longest = lists.map(|member| document.bytes(member.value).len()).max();
            prop_assert_eq!(found.is_some(), longest.is_some());
        }
    }
}
