//! A process that is killed at any moment leaves the store as it was before or as it should be after.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::cli::input::run;

fn checkpoint(version: usize) -> String {
    let items: Vec<String> = (0..200)
        .map(|number| {
            format!(
                r#"{{"@type": "DataFeedItem", "@id": "urn:uuid:{number}", "item": {{"@type": "Question",
                "text": "question {number} of version {version}"}}}}"#
            )
        })
        .collect();
    format!(
        r#"{{"@context": {{"@vocab": "http://schema.org/"}}, "@type": "Dataset", "@id": "urn:uuid:set", "name": "set",
        "version": "{version}", "hasPart": [{}]}}"#,
        items.join(",")
    )
}

/// The version that the store has, which every quad has to agree with.
fn version(folder: &Path) -> usize {
    let query =
        "SELECT ?v (COUNT(?t) AS ?n) { ?d s:version ?v . ?q s:text ?t FILTER(STRENDS(?t, ?v)) } GROUP BY ?v";
    let (status, rows, stderr) = run(folder, &["query", "-q", query]);
    assert_eq!(status, 0, "{stderr}");
    let mut rows = rows.lines().skip(1);
    let (version, count) = rows.next().and_then(|row| row.split_once(',')).expect("there is a version");
    assert_eq!((count, rows.next()), ("200", None), "a mixture of two versions");
    version.parse().expect("it is a number")
}

#[test]
fn a_killed_load_leaves_one_state_or_the_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let file = path.join("set.jsonld");
    fs::write(&file, checkpoint(1)).expect("the folder is ours");
    assert_eq!(run(path, &["init"]).0, 0);
    let begin = Instant::now();
    assert_eq!(run(path, &["load", "set.jsonld"]).0, 0);
    let usual = begin.elapsed();
    let kills = std::env::var("EVALGRAPH_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    let mut random = StdRng::seed_from_u64(11);
    let (mut old, mut new) = (0, 0);
    let mut before = 1;
    for kill in 0..kills {
        let after = kill + 2;
        fs::write(&file, checkpoint(after)).expect("the folder is ours");
        let mut load = crate::program::program()
            .args(["load", "set.jsonld"])
            .current_dir(path)
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(usual.mul_f64(random.random_range(0.0..1.3)));
        // Kills without asking, where it is not done.
        load.kill().expect("it is ours");
        load.wait().expect("it ends");
        let found = version(path);
        assert!(found == before || found == after, "{found} is neither {before} nor {after}");
        if found == before {
            old += 1;
        } else {
            new += 1;
        }
        before = found;
    }
    println!(
        "{kills} kills within {:?}: {old} old, {new} new",
        Duration::from_secs_f64(usual.as_secs_f64() * 1.3)
    );
    // What killed processes have left is gone after the next change.
    fs::write(&file, checkpoint(0)).expect("the folder is ours");
    assert_eq!(run(path, &["load", "set.jsonld"]).0, 0);
    let names: Vec<String> = fs::read_dir(path.join(".evalgraph"))
        .expect("there is one")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    // Files of terms grow with the logarithm of the changes, those of documents are one each.
    let count = |kind: &str| names.iter().filter(|name| name.split('-').next() == Some(kind)).count();
    // The state before the last change is kept, too.
    assert_eq!((count("graphs"), count("source"), count("manifest")), (2, 2, 1), "{names:?}");
    let most = usize::try_from(new.max(1_i32).ilog2()).expect("it is small") + 2;
    assert!(count("terms") <= 2 * most && names.len() - count("terms") <= 8, "{names:?}");
    assert_eq!(run(path, &["doctor"]).0, 0);
}
