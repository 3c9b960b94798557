//! Excel workbooks as inputs: the values of cells, merged headers, several sheets, and files that are damaged, bombs or
//! not workbooks. Findings name the cells.

use super::input::{run, run_at};
use evalgraph::source::workbook::{SheetChoice, read_sheet};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook, Worksheet};
use std::fs;
use std::path::Path;

/// A sheet: its name, and what fills it.
type FilledSheet<'s> = (&'s str, &'s dyn Fn(&mut Worksheet));

/// Writes a workbook with these sheets.
fn save(path: &Path, sheets: &[FilledSheet<'_>]) {
    let mut workbook = Workbook::new();
    for (name, fill) in sheets {
        let sheet = workbook.add_worksheet();
        sheet.set_name(*name).expect("a name of a sheet");
        fill(sheet);
    }
    workbook.save(path).expect("the folder is ours");
}

/// Writes rows of texts into a sheet.
fn texts(sheet: &mut Worksheet, rows: &[&[&str]]) {
    for (row, cells) in (0..).zip(rows) {
        for (column, cell) in (0..).zip(*cells) {
            if !cell.is_empty() {
                sheet.write_string(row, column, *cell).expect("a cell");
            }
        }
    }
}

const ROWS: &[&[&str]] =
    &[&["id", "question", "answer"], &["Q1", "Why, \"so\"?", "Because.\nIt is so."], &["Q2", "Who?", "42"]];

#[test]
fn rows_of_a_workbook_are_those_of_its_csv() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    save(&at("rows.xlsx"), &[("Sheet1", &|sheet| texts(sheet, ROWS))]);
    let csv = "id,question,answer\nQ1,\"Why, \"\"so\"\"?\",\"Because.\nIt is so.\"\nQ2,Who?,\"42\"\n";
    fs::write(at("rows.csv"), csv).expect("the folder is ours");
    let commands: [&[&str]; 5] = [
        &["stats"],
        &["convert", "--to", "nt"],
        &["convert", "--to", "same"],
        &["query", "-n", "question-cards"],
        &["new"],
    ];
    for command in commands {
        let of = |file: &str| {
            let (status, stdout, stderr) = run_at(0, folder.path(), &[command, &[file]].concat());
            (status, stdout.replace(file, "FILE"), stderr.replace(file, "FILE"))
        };
        let (in_workbook, in_csv) = (of("rows.xlsx"), of("rows.csv"));
        assert_eq!(in_workbook, in_csv, "{command:?}");
        assert!(in_csv.0 == 0 && !in_csv.1.is_empty(), "{in_csv:?}");
    }
    // A file that did not change is not loaded again.
    run(folder.path(), &["init"]);
    let (status, _, stderr) = run(folder.path(), &["load", "rows.xlsx"]);
    assert_eq!(status, 0, "{stderr}");
    let (_, _, again) = run(folder.path(), &["load", "rows.xlsx"]);
    assert!(again.contains("unchanged") && !stderr.contains("unchanged"), "{stderr}{again}");
}

/// Returns the text of a sheet.
fn sheet_text(path: &Path) -> String {
    let bytes = fs::read(path).expect("it was written");
    let read = read_sheet("t.xlsx", &bytes, &SheetChoice::default(), u64::MAX);
    read.expect("it is a workbook").expect("it is small").text
}

#[test]
fn cells_have_the_values_that_people_see() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("t.xlsx");
    let fill = |sheet: &mut Worksheet| -> Result<(), rust_xlsxwriter::XlsxError> {
        let format = |pattern: &str| Format::new().set_num_format(pattern);
        texts(sheet, &[&["what", "value"]]);
        let date = ExcelDateTime::from_ymd(2026, 1, 31)?;
        let time = ExcelDateTime::from_ymd(2026, 1, 31)?.and_hms(10, 0, 0.5)?;
        sheet.write(1, 1, 1)?.write(2, 1, 0.25)?.write(3, 1, 1e18)?;
        sheet.write_with_format(5, 1, &date, &format("dd.mm.yy"))?;
        sheet.write_with_format(6, 1, &time, &format("yyyy-mm-dd hh:mm"))?;
        sheet.write_with_format(7, 1, ExcelDateTime::from_hms(10, 30, 0)?, &format("hh:mm"))?;
        sheet.write_with_format(8, 1, 1.25, &format("[h]:mm"))?;
        sheet.write(9, 1, true)?.write(10, 1, false)?;
        sheet.write_formula(11, 1, Formula::new("1+1").set_result("2"))?;
        sheet.write_formula(12, 1, Formula::new("A1&\"x\"").set_result("wx"))?;
        sheet.write(13, 1, "2")?.write(14, 1, " a ")?.write_with_format(15, 1, 0.5, &format("0%"))?;
        sheet.write_blank(20, 1, &format("0"))?;
        Ok(())
    };
    save(&path, &[("Sheet1", &|sheet| fill(sheet).expect("cells"))]);
    let values = [
        "what,value",
        ",1",
        ",0.25",
        ",1000000000000000000",
        ",2026-01-31",
        ",2026-01-31T10:00:00.5",
        ",10:30:00",
        ",30:00:00",
        ",true",
        ",false",
        ",2",
        ",wx",
        ",\"2\"",
        ",\" a \"",
        ",0.5",
    ];
    assert_eq!(sheet_text(&path).lines().collect::<Vec<_>>(), values);
}

#[test]
fn findings_name_the_cell() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said = |fill: &dyn Fn(&mut Worksheet), command: &[&str]| {
        save(&folder.path().join("t.xlsx"), &[("My sheet", fill)]);
        let (status, _, stderr) = run(folder.path(), &[command, &["t.xlsx"]].concat());
        assert_eq!(status, 2, "{stderr}");
        stderr
    };
    // A cell of the header that spans two columns names both.
    let merged = |sheet: &mut Worksheet| {
        texts(sheet, &[&[], &["question"], &["Why?", "So.", "And so."]]);
        sheet.merge_range(1, 1, 1, 2, "answer", &Format::new()).expect("a range");
    };
    insta::assert_snapshot!(said(&merged, &["stats"]), @"
    t.xlsx: 'My sheet'!C2: error[train::column]: two columns are named `answer`
    2 | question,answer,answer
      |                 ^^^^^^
      = help: rename one of them, or delete it
    ");
    let rowless = |sheet: &mut Worksheet| texts(sheet, &[&["question", "answer"], &[], &["Why?", ""]]);
    insta::assert_snapshot!(said(&rowless, &["new"]), @"
    t.xlsx: 'My sheet'!A3: error[new::row]: a row without answer
    3 | Why?,
      | ^^^^^
      = help: every row needs a question and an answer: fill it in, or delete the row
    ");
    let error = |sheet: &mut Worksheet| {
        texts(sheet, &[&["question", "answer"], &["Why?"]]);
        sheet.write_formula(1, 1, Formula::new("1/0").set_result("#DIV/0!")).expect("a cell");
    };
    insta::assert_snapshot!(said(&error, &["stats"]), @"
    t.xlsx: 'My sheet'!B2: error[workbook::value]: the cell has the error `#DIV/0!`
    2 | #DIV/0!
      | ^^^^^^^
      = help: correct the cell, or empty it
    ");
    let nameless =
        |sheet: &mut Worksheet| texts(sheet, &[&["question", "answer"], &["Why?", "So.", "a note"]]);
    insta::assert_snapshot!(said(&nameless, &["stats", "--strict"]), @"
    t.xlsx: 'My sheet'!C2: warning[workbook::nameless]: 1 cell is in a column without a name, and not read
    2 | a note
      | ^^^^^^
      = help: name the column in the first row, or delete it
    1 warning is an error under `--strict`
    ");
    let wrong =
        |sheet: &mut Worksheet| texts(sheet, &[&["question", "answer"], &["Why?", "So."], &["Who?", ""]]);
    save(&folder.path().join("t.xlsx"), &[("My sheet", &wrong)]);
    let (status, stdout, _) = run(folder.path(), &["validate", "t.xlsx"]);
    assert!(status == 1 && stdout.contains("t.xlsx: 'My sheet'!A3: "), "{stdout}");
}

#[test]
fn the_sheet_with_questions_is_read_and_another_one_can_be_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let notes = |sheet: &mut Worksheet| texts(sheet, &[&["note", "by"], &["Read this.", "me"]]);
    let old = |sheet: &mut Worksheet| texts(sheet, &[&["question", "answer"], &["Old?", "Yes."]]);
    let rows = |sheet: &mut Worksheet| texts(sheet, ROWS);
    save(
        &folder.path().join("t.xlsx"),
        &[("Notes", &notes), ("Empty", &|_| ()), ("Rows", &rows), ("Old", &old)],
    );
    let query = |options: &[&str]| {
        let text = "SELECT ?t { ?q a s:Question ; s:text ?t } ORDER BY ?t";
        run(folder.path(), &[&["query", "t.xlsx", "--format", "csv", "-q", text], options].concat())
    };
    let (_, stdout, stderr) = query(&[]);
    assert!(stdout.contains("Who?") && !stdout.contains("Old?"), "{stdout}{stderr}");
    insta::assert_snapshot!(stderr, @"t.xlsx: note[workbook::sheets]: the sheet `Rows` is read, and not `Notes`, `Old` (choose another one with `--sheet Notes`)");
    let (_, stdout, stderr) = query(&["--sheet", "Old"]);
    assert!(stdout.contains("Old?") && stderr.is_empty(), "{stdout}{stderr}");
    let (status, _, stderr) = query(&["--sheet", "Row"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @"
    t.xlsx: error[workbook::sheet]: there is no sheet `Row`; there are `Notes`, `Empty`, `Rows`, `Old`
     = help: did you mean `Rows`?
    ");
}

#[test]
fn a_file_that_is_not_a_whole_workbook_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    save(&at("good.xlsx"), &[("Sheet1", &|sheet| texts(sheet, ROWS))]);
    let good = fs::read(at("good.xlsx")).expect("it was written");
    let said = |bytes: &[u8], name: &str| {
        fs::write(at(name), bytes).expect("the folder is ours");
        let (status, stdout, stderr) = run(folder.path(), &["stats", name]);
        assert!(status == 2 && stdout.is_empty() && stderr.lines().count() <= 3, "{stdout}{stderr}");
        stderr
    };
    assert!(said(&good[..good.len() - 200], "cut.xlsx").starts_with("cut.xlsx: error[workbook::damaged]"));
    // The container of old Office files.
    let old = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more";
    insta::assert_snapshot!(said(old, "t.xls"), @"
    error[input::workbook]: `t.xls` is an old Office file (.xls), or a workbook with a password, which is not read
     = help: open it in Excel or LibreOffice, and save it as .xlsx without a password
    ");
    // A zip archive with something else.
    let part = memchr::memmem::find(&good, b"xl/workbook.xml").expect("the part has a name");
    let mut other = good;
    while let Some(at) = memchr::memmem::find(&other, b"xl/workbook.xml") {
        other[at..at + 2].copy_from_slice(b"yl");
    }
    assert!(
        part > 0
            && said(&other, "other.xlsx").contains("error[input::archive]: `other.xlsx` is a zip archive")
    );
}

#[test]
fn changed_bytes_end_in_a_finding() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("good.xlsx");
    save(&path, &[("Sheet1", &|sheet| texts(sheet, ROWS))]);
    let good = fs::read(path).expect("it was written");
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x55;
        if let Err(fault) = read_sheet("t.xlsx", &bytes, &SheetChoice::default(), 1 << 20) {
            assert!(fault.code.starts_with("workbook::"), "{at}: {fault}");
        }
        if let Err(fault) = read_sheet("t.xlsx", &good[..at], &SheetChoice::default(), 1 << 20) {
            assert!(fault.code.starts_with("workbook::"), "{at}: {fault}");
        }
    }
}

#[test]
fn a_bomb_ends_at_the_limit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bomb.xlsx");
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    texts(sheet, &[&["question", "answer"]]);
    let long = "all the same ".repeat(2_000);
    for row in 1..400 {
        sheet.write(row, 0, &long).expect("a cell");
    }
    workbook.save(&path).expect("the folder is ours");
    let bytes = fs::read(&path).expect("it was written");
    assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
    // One text is in the file once, and in 400 cells.
    let (status, _, stderr) = run(folder.path(), &["stats", "bomb.xlsx", "--max-size", "1MB"]);
    assert_eq!(status, 2);
    insta::assert_snapshot!(stderr, @"
    error[input::too-large]: `bomb.xlsx` decompresses (xlsx) to more than 1,000,000 bytes
     = help: raise the limit with `--max-size`, for example `--max-size 4GiB`
    ");
    // The directory of the archive says that each part is small.
    let mut bytes = bytes;
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&bytes[at..], b"PK\x01\x02") {
        at += found + 4;
        bytes[at + 20..at + 24].copy_from_slice(&100u32.to_le_bytes());
    }
    let read = read_sheet("bomb.xlsx", &bytes, &SheetChoice::default(), 20_000);
    assert!(!matches!(read, Ok(Some(_))), "it is read");
}
