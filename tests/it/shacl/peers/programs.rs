//! The peers: other engines of SHACL as processes, which `tests/peers` has the programs of. Each answers a line with a case by a
//! line with its violations.

use super::violations::{Violations, of_json};
use crate::beside::skipped;
use crate::random::engines::Process;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) struct Peer {
    pub(crate) name: &'static str,
    /// `true` if it evaluates constraints in SPARQL.
    pub(crate) has_sparql: bool,
    process: Process,
}

impl Peer {
    /// The violations that the peer finds, or its reason for none.
    pub(crate) fn violations(&mut self, question: &Value) -> Result<Violations, String> {
        of_json(&self.process.ask(question)?)
    }
}

/// The peers that `EVALGRAPH_PEERS` names, or the two that `tests/peers/install` installs; those that are not installed are
/// left out, and told.
pub(crate) fn peers() -> Vec<Peer> {
    let asked = std::env::var("EVALGRAPH_PEERS").unwrap_or_else(|_| "pyshacl rdf-validate-shacl".to_owned());
    asked.split([' ', ',']).filter(|name| !name.is_empty()).filter_map(peer).collect()
}

fn peer(name: &str) -> Option<Peer> {
    let program = |file: &str| folder().join(file);
    let argument = |file: &str| program(file).display().to_string();
    let (name, has_sparql, installed, process) = match name {
        "pyshacl" => {
            let python = program(".venv/bin/python");
            let process = Process::new("pyshacl", &python, &[argument("pyshacl_peer.py")]);
            ("pyshacl", true, program(".venv/installed.txt"), process)
        }
        "rdf-validate-shacl" => {
            let script = [argument("rdf_validate_shacl_peer.mjs")];
            let process = Process::new("rdf-validate-shacl", Path::new("node"), &script);
            ("rdf-validate-shacl", false, program("node_modules/installed.json"), process)
        }
        "rudof" => {
            let built = program("rudof/target/debug/evalgraph-peer-rudof");
            ("rudof", true, built.clone(), Process::new("rudof", &built, &[]))
        }
        other => panic!("EVALGRAPH_PEERS names `{other}`; there are pyshacl, rdf-validate-shacl and rudof"),
    };
    if !installed.exists() {
        let why = format!("{} is not there; tests/peers/install makes it", installed.display());
        skipped(&format!("the comparison with {name}"), &why);
        return None;
    }
    Some(Peer { name, has_sparql, process })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers")
}
