//! Links the program for Linux to a fixed address: its tables have thirty thousand pointers, and in a program that may be
//! loaded anywhere each is put right at each start. Compresses the files of the server's page, which are built in. And tells the
//! program its commit and its features, which `--version` prints.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::{Compression, GzBuilder};

/// The features that `--version` names where they are built in.
const FEATURES: [&str; 6] = ["cli", "net", "serve", "parquet", "tables", "sophia"];
/// The files of the page.
const PAGE: &str = "src/serve/page";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={PAGE}");
    let is = |what: &str, value: &str| std::env::var(what).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
    let has_feature =
        |name: &str| std::env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase())).is_some();
    let features: Vec<&str> = FEATURES.into_iter().filter(|name| has_feature(name)).collect();
    println!("cargo::rustc-env=EVALGRAPH_FEATURES={}", features.join(", "));
    // In a debug build it would be a reason to build all again after each commit.
    let commit = if is("PROFILE", "release") { commit() } else { None };
    println!("cargo::rustc-env=EVALGRAPH_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    if has_feature("serve") {
        page(Path::new(PAGE), &PathBuf::from(std::env::var("OUT_DIR")?))?;
    }
    Ok(())
}

/// The commit that is built; none outside of a clone.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output =
            Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    // A package may lie within the clone of something else.
    if !Path::new(".git").exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["rev-parse", "--short=12", "HEAD"])
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
