//! Links the program for Linux so that it is loaded where it was linked to: most of its tables are pointers, thirty thousand
//! of them, and a program that may be loaded anywhere has each put right at each start.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |what: &str, value: &str| std::env::var(what).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
