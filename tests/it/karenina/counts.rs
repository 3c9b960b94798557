//! How many triples real checkpoints have: any conforming processor counts the same.

use crate::beside::shared;
use std::collections::BTreeSet;

#[test]
#[ignore = "needs ../shared/karenina"]
fn real_checkpoints_have_the_triples_that_every_processor_finds() {
    let folder = shared("karenina");
    let counts = [
        ("minimal.jsonld", 24),
        ("with_rubrics.jsonld", 242),
        ("md5_ids.jsonld", 45),
        ("seed-dialect-of-v2-seed-era.jsonld", 95),
        ("gui-dialect-of-v2-current.jsonld", 165),
        ("python-2025-08-example_benchmark.jsonld", 84),
    ];
    for (file, count) in counts {
        let mut command = crate::program::program();
        let output = command.arg("to-rdf").arg(folder.join(file)).output().expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("N-Quads are UTF-8");
        assert_eq!(text.lines().collect::<BTreeSet<_>>().len(), count, "{file}");
    }
}
