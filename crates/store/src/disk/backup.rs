//! A backup: one file with everything that a state of a store consists of. `StoreFolder` is defined in `snapshot.rs`.
//!
//! It is a tar archive of the manifest, the files that it names, and `SHA256SUMS`. The last has a line with the SHA-256
//! of each file, as `sha256sum` writes it, and at its end a comment with the SHA-256 of all bytes of the archive before
//! that comment. So a backup can be unpacked and checked without this program.

use std::collections::HashMap;
use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

use super::damage::{StoreDamage, damaged};
use super::manifest::{MANIFEST, ManifestHead, StoreManifest};
use super::medium::StoreMedium;
use super::sections::{FileFacts, SectionedFile, StoreFileKind};
use super::snapshot::StoreFolder;
use super::tar_header::{TAR_BLOCK, TAR_END, header, padding, read as read_header};
use evalgraph_diagnostics::help::{command, help};
use evalgraph_diagnostics::{Diagnostic, codes};

/// The name of the list of checksums, the last file of the archive.
const SUMS: &str = "SHA256SUMS";

/// What precedes the checksum of the whole.
const WHOLE: &str = "# all bytes before this line: ";

/// How many hexadecimal digits a SHA-256 has.
const DIGITS: usize = 64;

/// A manifest in a backup has at most this many bytes. A store lists only 256 documents in its manifest.
const MOST_OF_MANIFEST: u64 = 1 << 28;

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 16;

/// A state of a store that is going to be backed up. Its files are open, and each was read and is intact.
#[derive(Debug)]
pub struct StoreBackup {
    manifest: String,
    files: Vec<(String, SectionedFile)>,
    documents: usize,
}

impl StoreFolder {
    /// Opens and checks everything that belongs to the store as it is now. Later changes do not affect it.
    ///
    /// # Errors
    ///
    /// Files that are damaged or cannot be read.
    pub fn backup(&self) -> Result<StoreBackup, Box<Diagnostic>> {
        self.read_now(|head| {
            let all = head.all_files();
            let manifest = head.complete(self.medium())?;
            let kinds = kinds_of(&manifest);
            let files = all.into_iter().map(|facts| {
                let kind = kinds.get(facts.name.as_str()).copied().unwrap_or(StoreFileKind::Terms);
                let file = SectionedFile::open(self.medium(), &facts, kind, &StoreDamage::default())?;
                match file.damaged_blocks() {
                    0 => Ok((facts.name, file)),
                    count => {
                        let what = format!("the checksums of {count} blocks are wrong");
                        Err(Box::new(damaged(self.folder(), &facts.name, &what)))
                    }
                }
            });
            let files = files.collect::<Result<_, _>>()?;
            Ok(StoreBackup { manifest: manifest.to_text(), files, documents: manifest.documents.len() })
        })
    }

    /// Reads a backup to its end and checks it. Returns the SHA-256 of the whole, as [`StoreBackup::write`] does.
    ///
    /// # Errors
    ///
    /// `restore::damaged` for anything that [`StoreBackup::write`] does not write.
    pub fn check_backup(&self, backup: &mut dyn Read, name: &str) -> Result<String, Box<Diagnostic>> {
        Ok(read_backup(self.medium(), backup, name, &mut |_| Ok(()))?.0)
    }
}

/// The content of each file of a store.
fn kinds_of(manifest: &StoreManifest) -> HashMap<&str, StoreFileKind> {
    let mut kinds = HashMap::new();
    for document in &manifest.documents {
        let is_shared = document.graphs.part.is_some();
        let kind = if is_shared { StoreFileKind::Pack } else { StoreFileKind::Segment };
        kinds.insert(document.graphs.file.name(), kind);
        kinds.extend(document.kept.as_ref().map(|kept| (kept.file.name(), StoreFileKind::Source)));
    }
    kinds.extend(manifest.list.as_ref().map(|list| (list.name.as_str(), StoreFileKind::Documents)));
    kinds
}

impl StoreBackup {
    /// How many documents the store has.
    pub fn documents(&self) -> usize {
        self.documents
    }

    /// How many bytes the files of the store have.
    pub fn bytes(&self) -> u64 {
        let files = self.files.iter().map(|(_, file)| file.all_bytes().len() as u64);
        self.manifest.len() as u64 + files.sum::<u64>()
    }

    /// Writes the backup, and returns the SHA-256 of the whole, in hexadecimal digits.
    ///
    /// # Errors
    ///
    /// The errors of the output.
    pub fn write(&self, output: &mut impl Write) -> io::Result<String> {
        let mut archive = DigestingWriter { output, digest: Sha256::new() };
        let mut sums = String::new();
        let files = self.files.iter().map(|(name, file)| (name.as_str(), file.all_bytes()));
        for (name, bytes) in std::iter::once((MANIFEST, self.manifest.as_bytes())).chain(files) {
            archive.begin(name, bytes.len() as u64)?;
            archive.write_all(bytes)?;
            archive.write_all(&[0; TAR_BLOCK][..padding(bytes.len() as u64)])?;
            sums.push_str(&sum_line(&hexadecimal(&Sha256::digest(bytes)), name));
        }
        let size = (sums.len() + WHOLE.len() + DIGITS + 1) as u64;
        archive.begin(SUMS, size)?;
        archive.write_all(sums.as_bytes())?;
        let whole = hexadecimal(&archive.digest.finalize());
        writeln!(output, "{WHOLE}{whole}")?;
        output.write_all(&[0; TAR_BLOCK][..padding(size)])?;
        output.write_all(&[0; TAR_END])?;
        Ok(whole)
    }
}

/// Writes bytes and computes their digest.
struct DigestingWriter<'w, W> {
    output: &'w mut W,
    digest: Sha256,
}

impl<W: Write> DigestingWriter<'_, W> {
    fn begin(&mut self, name: &str, size: u64) -> io::Result<()> {
        let header = header(name, size).ok_or_else(|| io::Error::other("the name of a file is too long"))?;
        self.write_all(&header)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.output.write_all(bytes)
    }
}

fn sum_line(digest: &str, name: &str) -> String {
    format!("{digest}  {name}\n")
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The reason to stop reading a backup, if there is one.
type StepResult = Result<(), Box<Diagnostic>>;

/// A step of reading a backup.
pub(super) enum BackupStep<'b> {
    /// The manifest was read.
    Manifest(&'b ManifestHead),
    /// A file begins.
    File(&'b FileFacts),
    /// Bytes of the file.
    Bytes(&'b [u8]),
    /// The file ends.
    End,
}

/// Reads a backup, and passes on each step. Returns the SHA-256 of the whole, and the manifest. What was passed on
/// counts only if the whole succeeds.
pub(super) fn read_backup(
    folder: &dyn StoreMedium,
    backup: &mut dyn Read,
    name: &str,
    step: &mut dyn FnMut(BackupStep<'_>) -> StepResult,
) -> Result<(String, ManifestHead), Box<Diagnostic>> {
    let mut reading = BackupReading { input: backup, name, digest: Sha256::new(), sums: String::new() };
    let size = reading.begin(MANIFEST)?;
    if size > MOST_OF_MANIFEST {
        return Err(reading.damaged("its manifest is too large"));
    }
    let mut manifest = Vec::new();
    reading.content(MANIFEST, size, &mut |bytes| {
        manifest.extend_from_slice(bytes);
        Ok(())
    })?;
    let head = ManifestHead::read(folder, &manifest).map_err(|fault| match &*fault.code {
        codes::STORE_VERSION => fault,
        _ => reading.damaged("its manifest is not the manifest of a store"),
    })?;
    step(BackupStep::Manifest(&head))?;
    for facts in head.all_files() {
        if reading.begin(&facts.name)? != facts.length {
            return Err(reading.damaged(&format!("`{}` has another length", facts.name)));
        }
        step(BackupStep::File(&facts))?;
        reading.content(&facts.name, facts.length, &mut |bytes| step(BackupStep::Bytes(bytes)))?;
        step(BackupStep::End)?;
    }
    Ok((reading.end()?, head))
}

/// A backup that is being read. Only the bytes that a backup of the same files has are accepted.
struct BackupReading<'r> {
    input: &'r mut dyn Read,
    name: &'r str,
    digest: Sha256,
    /// The checksums of the files so far, as they have to be listed at the end.
    sums: String,
}

impl BackupReading<'_> {
    #[cold]
    fn damaged(&self, what: &str) -> Box<Diagnostic> {
        let message = format!("the backup `{}` is damaged: {what}", self.name);
        let fault = Diagnostic::error("restore::damaged", message);
        Box::new(fault.with_help("nothing was restored; use another copy of the backup"))
    }

    /// Reads bytes that count for the digest of the whole.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Box<Diagnostic>> {
        self.fill_behind(bytes)?;
        self.digest.update(bytes);
        Ok(())
    }

    /// Reads bytes behind the digest of the whole.
    fn fill_behind(&mut self, bytes: &mut [u8]) -> Result<(), Box<Diagnostic>> {
        self.input.read_exact(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => self.damaged(&format!("it cannot be read: {error}")),
        })
    }

    /// Reads the header of a file, and returns its size.
    fn begin(&mut self, expected: &str) -> Result<u64, Box<Diagnostic>> {
        let mut block = [0; TAR_BLOCK];
        self.fill(&mut block)?;
        match read_header(&block) {
            Some((name, size)) if name == expected => Ok(size),
            _ if expected == MANIFEST => {
                let message = format!("`{}` is not a backup of a store", self.name);
                let fault = Diagnostic::error("restore::damaged", message);
                Err(Box::new(fault.with_help(help![
                    command("backup"),
                    " writes one, and ",
                    command("load"),
                    " reads data"
                ])))
            }
            _ => Err(self.damaged(&format!("`{expected}` does not begin where it should"))),
        }
    }

    /// Reads the content of a file.
    fn content(
        &mut self,
        name: &str,
        size: u64,
        take: &mut dyn FnMut(&[u8]) -> StepResult,
    ) -> Result<(), Box<Diagnostic>> {
        let mut digest = Sha256::new();
        let mut chunk = vec![0; CHUNK];
        let mut left = size;
        while left > 0 {
            let length = usize::try_from(left).map_or(CHUNK, |left| left.min(CHUNK));
            let bytes = &mut chunk[..length];
            self.fill(bytes)?;
            digest.update(&*bytes);
            take(bytes)?;
            left -= length as u64;
        }
        self.zeros(padding(size))?;
        self.sums.push_str(&sum_line(&hexadecimal(&digest.finalize()), name));
        Ok(())
    }

    fn zeros(&mut self, count: usize) -> Result<(), Box<Diagnostic>> {
        let mut zeros = [0; TAR_BLOCK];
        self.fill(&mut zeros[..count])?;
        self.check(zeros.iter().all(|byte| *byte == 0), "bytes between its files are not zero")
    }

    fn check(&self, is_right: bool, what: &str) -> Result<(), Box<Diagnostic>> {
        if is_right { Ok(()) } else { Err(self.damaged(what)) }
    }

    /// Reads the checksums and the end, and returns the SHA-256 of the whole.
    fn end(mut self) -> Result<String, Box<Diagnostic>> {
        let sums = std::mem::take(&mut self.sums);
        let size = (sums.len() + WHOLE.len() + DIGITS + 1) as u64;
        let is_size = self.begin(SUMS)? == size;
        self.check(is_size, "its list of checksums has another length")?;
        let mut found = vec![0; sums.len()];
        self.fill(&mut found)?;
        self.check(found == sums.as_bytes(), "the SHA-256 of a file is wrong")?;
        let whole = hexadecimal(&std::mem::take(&mut self.digest).finalize());
        let mut end = vec![0; WHOLE.len() + DIGITS + 1 + padding(size) + TAR_END];
        self.fill_behind(&mut end)?;
        let line = format!("{WHOLE}{whole}\n");
        self.check(end.starts_with(line.as_bytes()), "the SHA-256 of the whole is wrong")?;
        self.check(end[line.len()..].iter().all(|byte| *byte == 0), "its end is wrong")?;
        let mut more = [0];
        let is_end = matches!(self.input.read(&mut more), Ok(0));
        self.check(is_end, "bytes follow its end")?;
        Ok(whole)
    }
}
