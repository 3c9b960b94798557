//! Recognises archives, workbooks, pointers to files that were not fetched, and, in a program without the feature
//! `parquet`, Parquet files. Says what they contain and how to unpack them.

use evalgraph_diagnostics::Diagnostic;
#[cfg(feature = "tables")]
use evalgraph_formats::evaluation_log::is_evaluation_log;

/// The maximum number of names in an archive to look at.
const MOST_ENTRIES: usize = 100_000;

/// Returns the fault of an input that is an archive, or `None` for other bytes.
pub(crate) fn archive(name: &str, bytes: &[u8]) -> Option<Diagnostic> {
    let quoted = name.replace('\'', "'\\''");
    if bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1") {
        let message =
            format!("`{name}` is a Parquet file, and this program was built without the feature `parquet`");
        let help = "build it with the feature `parquet`, or convert the file to JSON lines: `duckdb -c \"COPY \
                    (FROM 'FILE') TO 'FILE.jsonl'\"`";
        return Some(Diagnostic::error("input::parquet", message).with_help(help));
    }
    if bytes.starts_with(b"version https://git-lfs.github.com/spec/") {
        let message = format!("`{name}` is a pointer of Git LFS, not the data");
        return Some(
            Diagnostic::error("input::git-lfs", message).with_help("fetch the data: `git lfs pull`"),
        );
    }
    // The container of old Office files; a workbook with a password is encrypted in it as well.
    if bytes.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        let what = "an old Office file (.xls), or a workbook with a password";
        return Some(to_save_as_xlsx(
            name,
            what,
            "Excel or LibreOffice, and save it as .xlsx without a password",
        ));
    }
    if let Some((what, help)) = binary(bytes) {
        let message = format!("`{name}` is {what}, not data that can be read");
        return Some(Diagnostic::error("input::binary", message).with_help(help));
    }
    let (kind, command, entries) = if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        ("zip", format!("unzip '{quoted}' -d FOLDER"), zip_entries(bytes))
    } else if bytes.get(257..262) == Some(b"ustar") {
        ("tar", format!("mkdir FOLDER && tar -xf '{quoted}' -C FOLDER"), tar_entries(bytes))
    } else {
        return None;
    };
    if has_workbook(&entries) {
        let message =
            format!("`{name}` is a workbook, and this program was built without the feature `tables`");
        let help = "build it with the feature `tables`, or save the sheet as CSV";
        return Some(Diagnostic::error("input::workbook", message).with_help(help));
    }
    if let Some((what, application)) = other_workbook(&entries, bytes) {
        return Some(to_save_as_xlsx(name, what, &format!("{application}, and save it as .xlsx")));
    }
    let message = format!("`{name}` is a {kind} archive{}", content(&entries));
    let folder = rows_of(&entries).and_then(|rows| rows.rsplit_once('/')).map(|(folder, _)| folder);
    let folder = folder.map_or_else(|| "FOLDER".to_owned(), |folder| format!("FOLDER/{folder}"));
    let help = format!("unpack it, and give the folder: `{command}`, then `{folder}`");
    Some(Diagnostic::error("input::archive", message).with_help(help))
}

/// Returns what a file is that begins like one of the usual binary formats, and what to do instead.
fn binary(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const NAME_DATA: &str = "name the file with the data";
    const EXPORT: &str = "export its tables as CSV or JSON lines";
    const UNPACK: &str = "unpack it; only gzip and zstd are read directly";
    const BEGINNINGS: [(&[u8], &str, &str); 13] = [
        (b"\x7fELF", "a program", NAME_DATA),
        (b"\xCF\xFA\xED\xFE", "a program", NAME_DATA),
        (b"\0asm", "a program", NAME_DATA),
        (b"\x89PNG", "a picture", NAME_DATA),
        (b"\xFF\xD8\xFF", "a picture", NAME_DATA),
        (b"GIF8", "a picture", NAME_DATA),
        (b"%PDF-", "a PDF document", "save its text or its tables as a file of their own"),
        (b"SQLite format 3\0", "an SQLite database", EXPORT),
        (b"ARROW1", "an Arrow file", "save it as Parquet"),
        (b"\x89HDF", "an HDF5 file", EXPORT),
        (b"\xFD7zXZ", "an xz archive", UNPACK),
        (b"BZh9", "a bzip2 archive", UNPACK),
        (b"7z\xBC\xAF", "a 7z archive", UNPACK),
    ];
    let known = BEGINNINGS.into_iter().find(|(begin, ..)| bytes.starts_with(begin));
    known.map(|(_, what, help)| (what, help))
}

/// Returns whether bytes are a workbook whose sheets can be read. A damaged one is recognised by its name.
#[cfg(feature = "tables")]
pub(crate) fn is_workbook(name: &str, bytes: &[u8]) -> bool {
    if !bytes.starts_with(b"PK\x03\x04") {
        return false;
    }
    let entries = zip_entries(bytes);
    has_workbook(&entries) || entries.is_empty() && is_named_workbook(name)
}

/// Returns whether bytes are a log of an evaluation.
#[cfg(feature = "tables")]
pub(crate) fn is_log(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") && is_evaluation_log(zip_entries(bytes).iter().map(String::as_str))
}

#[cfg(feature = "tables")]
fn is_named_workbook(name: &str) -> bool {
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    let extension = plain.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    extension.is_some_and(|extension| ["xlsx", "xlsm"].contains(&extension.as_str()))
}

fn has_workbook(entries: &[String]) -> bool {
    entries.iter().any(|entry| {
        // Some programs write other separators, capitals, or a number after the name.
        let entry = entry.replace('\\', "/").to_ascii_lowercase();
        let file = entry.trim_start_matches('/').strip_prefix("xl/workbook").unwrap_or_default();
        file.strip_suffix(".xml").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

fn to_save_as_xlsx(name: &str, what: &str, how: &str) -> Diagnostic {
    let message = format!("`{name}` is {what}, which is not read");
    Diagnostic::error("input::workbook", message).with_help(format!("open it in {how}"))
}

/// Returns what kind of workbook this is that cannot be read, and a program that reads it, or `None` for other archives.
fn other_workbook(entries: &[String], bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const ODS: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet";
    if entries.iter().any(|entry| entry == "xl/workbook.bin") {
        return Some(("a binary Excel workbook (.xlsb)", "Excel or LibreOffice"));
    }
    // The first entry of an OpenDocument file is its type, uncompressed.
    let is_ods = bytes.get(30..30 + ODS.len()) == Some(ODS);
    is_ods.then_some(("an OpenDocument spreadsheet", "LibreOffice"))
}

/// Returns the `train.json` nearest to the root of an archive.
fn rows_of(entries: &[String]) -> Option<&str> {
    let is_rows = |entry: &&String| *entry == "train.json" || entry.ends_with("/train.json");
    let rows = entries.iter().filter(is_rows).min_by_key(|entry| (entry.matches('/').count(), *entry));
    rows.map(String::as_str)
}

/// Describes the content of an archive in a few words.
fn content(entries: &[String]) -> String {
    let files: Vec<&String> = entries.iter().filter(|entry| !entry.ends_with('/')).collect();
    let count = match files.len() {
        0 => return String::new(),
        1 => format!(" with the file `{}`", files[0]),
        count => format!(" with {count} files"),
    };
    match rows_of(entries).filter(|_| files.len() > 1) {
        Some(rows) => {
            let folder = rows.strip_suffix("train.json").unwrap_or_default();
            let corpus = format!("{folder}corpus/");
            let documents = files.iter().filter(|file| file.starts_with(&corpus)).count();
            format!("{count}: a dataset, with `{rows}` and {documents} in `{corpus}`")
        }
        None => count,
    }
}

fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let digits = bytes.get(at..at.checked_add(width)?)?;
    Some(digits.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
}

/// Returns the names in the central directory of a zip archive, or none if the directory is damaged.
fn zip_entries(bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let Some(end) = memchr::memmem::rfind(bytes, b"PK\x05\x06") else { return names };
    let mut at = number(bytes, end + 16, 4).unwrap_or(usize::MAX);
    while names.len() < MOST_ENTRIES && bytes.get(at..).is_some_and(|rest| rest.starts_with(b"PK\x01\x02")) {
        let lengths = [28, 30, 32].map(|offset| number(bytes, at + offset, 2).unwrap_or(0));
        let Some(name) = bytes.get(at + 46..at + 46 + lengths[0]) else { break };
        names.push(String::from_utf8_lossy(name).into_owned());
        at += 46 + lengths.iter().sum::<usize>();
    }
    names
}

/// Returns the names in the headers of a tar archive.
fn tar_entries(bytes: &[u8]) -> Vec<String> {
    const BLOCK: usize = 512;
    let text = |field: &[u8]| {
        let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
        String::from_utf8_lossy(&field[..end]).into_owned()
    };
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(header) = bytes.get(at..at + BLOCK).filter(|header| header[0] != 0) {
        if names.len() == MOST_ENTRIES {
            break;
        }
        let size = usize::from_str_radix(text(&header[124..136]).trim(), 8).unwrap_or(0);
        // Only files and folders have their own name; other entries describe them.
        if matches!(header[156], b'0' | 0 | b'5') {
            let (prefix, name) = (text(&header[345..500]), text(&header[..100]));
            names.push(if prefix.is_empty() { name } else { format!("{prefix}/{name}") });
        }
        let Some(next) =
            size.div_ceil(BLOCK).checked_mul(BLOCK).and_then(|size| size.checked_add(at + BLOCK))
        else {
            break;
        };
        at = next;
    }
    names
}
