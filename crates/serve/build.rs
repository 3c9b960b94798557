//! Compresses the files of the page, which are built into the program.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

/// The files of the page.
const PAGE: &str = "src/page";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={PAGE}");
    page(Path::new(PAGE), &PathBuf::from(std::env::var("OUT_DIR")?))
}

/// Writes each file of the page compressed, and the list of all files, which `src/page.rs` includes.
fn page(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(from)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    // Sorted, so that the same files make the same program, whatever the order in which the system lists them.
    files.sort();
    let mut list = "[\n".to_owned();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || !path.is_file() {
            continue;
        }
        let compressed = to.join(format!("{name}.gz"));
        let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(&path)?)?;
        fs::write(&compressed, encoder.finish()?)?;
        writeln!(list, "    PageAsset {{ name: {name:?}, gzip: include_bytes!({compressed:?}) }},")?;
    }
    list.push_str("]\n");
    Ok(fs::write(to.join("page.rs"), list)?)
}
