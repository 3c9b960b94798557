//! Links the program for Linux to a fixed address: its tables have thirty thousand pointers, and in a program that may be
//! loaded anywhere each is put right at each start. And tells the program its commit and its features, which `--version` prints.

use std::path::Path;
use std::process::Command;

/// The features that `--version` names where they are built in.
const FEATURES: [&str; 6] = ["cli", "net", "serve", "parquet", "tables", "sophia"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
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
