//! The W3C suite of RDF Dataset Canonicalization, through the binary.

use evalgraph_suites::canonicalization::{CanonicalizationAnswer, STEPS, run};

#[test]
#[ignore = "needs the suites of the W3C in EVALGRAPH_SUITES or ../shared/suites"]
fn canonicalizes_through_the_binary_as_the_suite_expects() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run("`evalgraph canon`", |test| {
        let map = folder.path().join(format!("{}.json", test.id.trim_start_matches('#')));
        let mut program = crate::program::program();
        program.arg("canon").arg(&test.input).arg("--map-out").arg(&map);
        program.args(["--max-work", &STEPS.to_string()]);
        if test.is_sha_384 {
            program.args(["--algorithm", "sha384"]);
        }
        let output = program.output().map_err(|error| error.to_string())?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            Some(2) if stderr.contains("canon::work-limit") && output.stdout.is_empty() => return Ok(None),
            status => return Err(format!("exit {status:?}: {stderr}")),
        }
        let map = std::fs::read_to_string(map).map_err(|error| error.to_string())?;
        let map = serde_json::from_str(&map).map_err(|error| error.to_string())?;
        let n_quads = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
        Ok(Some(CanonicalizationAnswer { n_quads, map }))
    });
}
