//! How many triples real checkpoints have: any conforming processor counts the same.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

#[test]
fn real_checkpoints_have_the_triples_that_every_processor_finds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/karenina");
    if !folder.is_dir() {
        crate::conformance_suite::skipped("the real checkpoints", &folder.display().to_string());
        return;
    }
    let counts = [
        ("minimal.jsonld", 24),
        ("with_rubrics.jsonld", 242),
        ("md5_ids.jsonld", 45),
        ("seed-dialect-of-v2-seed-era.jsonld", 95),
        ("gui-dialect-of-v2-current.jsonld", 165),
        ("python-2025-08-example_benchmark.jsonld", 84),
    ];
    for (file, count) in counts {
        let mut command = Command::new(env!("CARGO_BIN_EXE_evalgraph"));
        let output = command.arg("to-rdf").arg(folder.join(file)).output().expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("N-Quads are UTF-8");
        assert_eq!(text.lines().collect::<BTreeSet<_>>().len(), count, "{file}");
    }
}
