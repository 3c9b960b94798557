//! Links the program for Linux to a fixed address: its tables have thirty thousand pointers, and in a program that may be
//! loaded anywhere each is put right at each start. And compresses the files of the server's page, which are built in.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};

/// The files of the page.
const PAGE: &str = "src/serve/page";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={PAGE}");
    let is = |what: &str, value: &str| std::env::var(what).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    if std::env::var_os("CARGO_FEATURE_SERVE").is_some() {
        page(Path::new(PAGE), &PathBuf::from(std::env::var("OUT_DIR")?))?;
    }
    Ok(())
}

/// Writes each file of the page compressed, and a list of all that `src/serve/page.rs` includes.
fn page(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(from)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    // The same files make the same program, in whatever order the system lists them.
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
        writeln!(list, "    Asset {{ name: {name:?}, gzip: include_bytes!({compressed:?}) }},")?;
    }
    list.push_str("]\n");
    Ok(fs::write(to.join("page.rs"), list)?)
}
