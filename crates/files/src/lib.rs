//! Opens files that are named by a store, a project or a document, not by the user. Such names are not trusted: reading
//! a pipe could wait forever, and a device has no end.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
///
/// A system error, or an error if the path is not a regular file or a link to one.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Opening a pipe would wait for its other end.
    check(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // Another file may have taken the name in the meantime.
    check(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
///
/// The errors of [`open_regular`], and an error for a larger file.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it has more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Refuses everything except regular files.
///
/// # Errors
///
/// An error if it is not a regular file.
pub fn check(metadata: &fs::Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_is_read_and_only_so_much_of_it() {
        let folder = tempfile::tempdir().expect("there is room");
        let path = folder.path().join("text");
        fs::write(&path, "twelve bytes").expect("the folder is ours");
        assert_eq!(read_regular(&path, 12).expect("it is a file"), b"twelve bytes");
        assert_eq!(read_regular(&path, 11).expect_err("it is longer").kind(), io::ErrorKind::FileTooLarge);
        let endless = folder.path().join("endless");
        std::os::unix::fs::symlink("/dev/zero", &endless).expect("the folder is ours");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo");
        assert!(made.success());
        for wrong in [endless, pipe] {
            assert_eq!(
                read_regular(&wrong, 12).expect_err("it has no end").kind(),
                io::ErrorKind::InvalidInput
            );
        }
        assert!(read_regular(folder.path(), 12).is_err());
    }
}
