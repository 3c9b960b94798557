//! jsonld.js as a peer: installed with npm into a folder of the build, run by Node.
//!
//! It is asked for nothing but what is measured and compared; where it cannot be had, that is said.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const VERSION: &str = "9.0.0";

/// Reads texts, runs one operation from text to text, writes the result, prints the CPU time.
const SCRIPT: &str = "const jsonld = require('jsonld');
const fs = require('fs');
const [operation, input, frame, output] = process.argv.slice(2);
(async () => {
  const text = fs.readFileSync(input, 'utf8');
  const frameText = frame === '' ? 'null' : fs.readFileSync(frame, 'utf8');
  const start = process.cpuUsage();
  const document = JSON.parse(text);
  const result = operation === 'flatten'
    ? await jsonld.flatten(document)
    : await jsonld.frame(document, JSON.parse(frameText));
  const answer = JSON.stringify(result);
  const { user, system } = process.cpuUsage(start);
  fs.writeFileSync(output, answer);
  console.log(user + system);
})().catch((error) => { console.error(error); process.exit(1); });
";

/// An installed jsonld.js.
pub(crate) struct JsonLdJs {
    folder: PathBuf,
}

impl JsonLdJs {
    /// Installs it below the build's own folder, once; none where npm or Node are not there.
    pub(crate) fn install() -> Option<Self> {
        if !Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success()) {
            println!("SKIPPED jsonld.js: there is no Node");
            return None;
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("jsonld-js-{VERSION}"));
        std::fs::create_dir_all(&folder).ok()?;
        if !folder.join("node_modules/jsonld/package.json").exists() {
            let package = format!("jsonld@{VERSION}");
            let install = Command::new("npm")
                .args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"])
                .arg(&folder)
                .arg(package)
                .output();
            if !install.is_ok_and(|output| output.status.success()) {
                println!("SKIPPED jsonld.js: `npm install jsonld@{VERSION}` does not work here");
                return None;
            }
        }
        std::fs::write(folder.join("peer.js"), SCRIPT).ok()?;
        Some(Self { folder })
    }

    /// The result of an operation as text, and its CPU time.
    pub(crate) fn run(&self, operation: &str, text: &str, frame: Option<&str>) -> (String, Duration) {
        let path = |name: &str| self.folder.join(name);
        std::fs::write(path("input.json"), text).expect("the folder can be written");
        let frame = frame.map(|frame| {
            std::fs::write(path("frame.json"), frame).expect("the folder can be written");
            path("frame.json")
        });
        let output = Command::new("node")
            .arg("--max-old-space-size=6000")
            .arg(path("peer.js"))
            .arg(operation)
            .arg(path("input.json"))
            .arg(frame.unwrap_or_default())
            .arg(path("output.json"))
            .output()
            .expect("Node starts");
        assert!(output.status.success(), "jsonld.js: {}", String::from_utf8_lossy(&output.stderr));
        let micros = String::from_utf8_lossy(&output.stdout).trim().parse().expect("it prints a number");
        let text = std::fs::read_to_string(path("output.json")).expect("it writes its result");
        (text, Duration::from_micros(micros))
    }
}
