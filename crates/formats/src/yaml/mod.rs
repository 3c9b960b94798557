//! Reads YAML with places: as a document of JSON values, each with its place in the YAML.
//!
//! `libyaml_safer`, a port of the parser that Python's YAML readers use, parses the text. Plain words follow the core
//! schema of YAML 1.2: `yes`, `on` and dates are strings. Tags are ignored, except `!!str`; keys are strings, and `<<`
//! is an ordinary key. If a text has several documents, they become an array.

pub mod scalar;
pub mod yaml_nodes;

use evalgraph_diagnostics::Diagnostic;
use evalgraph_diagnostics::help::{help, setting};
use evalgraph_json::{EmbeddedJson, JsonDocument, Limits, parse_embedded, write_string};
use scalar::json_of_plain;
use std::collections::HashSet;
use std::ops::Range;
use yaml_nodes::{NodeKind, YamlNodes};

/// How many values a text may have per byte, since nested aliases could produce any number of values.
const VALUES_PER_BYTE: usize = 4;
const ALIASES: &str = "yaml::aliases";
/// How many values even a short text may have.
const FEWEST_VALUES: usize = 10_000;

/// Reads YAML. The text of the resulting document is the text of the file, followed by the same values as JSON.
///
/// # Errors
/// `yaml::syntax`, `yaml::key` if a key is not a string, `yaml::duplicate-key`, `yaml::aliases` if aliases produce more
/// values or bytes than allowed, and `json::depth`, each with its place.
///
/// ```
/// use evalgraph_json::Limits;
/// use evalgraph_formats::yaml::read_yaml;
///
/// let yaml = "tasks:\n  - n: 1.50\n    ok: yes\n    none: ~\n";
/// let document = read_yaml("tasks.yaml", yaml, Limits::default())?;
/// assert_eq!(document.raw(document.root()), r#"{"tasks":[{"n":1.50,"ok":"yes","none":null}]}"#);
/// let tasks = document.get(document.root(), "tasks").expect("the key is there");
/// assert_eq!(document.place(tasks).line, 2);
/// # Ok::<(), Box<evalgraph_diagnostics::Diagnostic>>(())
/// ```
pub fn read_yaml(name: &str, text: &str, limits: Limits) -> Result<JsonDocument, Box<Diagnostic>> {
    let reader = YamlNodes::read(name, text, limits.depth)?;
    let most_values = (text.len() * VALUES_PER_BYTE).max(FEWEST_VALUES);
    // The JSON is appended to the text.
    let json = format!("{text}\n");
    let begin = json.len();
    let mut writer =
        YamlJsonWriter { reader: &reader, json, origins: Vec::new(), most_values, most_bytes: limits.size };
    writer.roots(limits.depth)?;
    let YamlJsonWriter { json: whole, origins, .. } = writer;
    let end = whole.len();
    let limits = Limits { size: u64::MAX, ..limits };
    Ok(parse_embedded(name, whole, EmbeddedJson::One(begin..end), limits)?.with_origins(origins))
}

/// Writes nodes as JSON, and records the origin of each token.
struct YamlJsonWriter<'r> {
    reader: &'r YamlNodes<'r>,
    json: String,
    origins: Vec<Range<u32>>,
    most_values: usize,
    /// How many bytes the text may have after its aliases are expanded.
    most_bytes: u64,
}

impl YamlJsonWriter<'_> {
    fn roots(&mut self, depth: usize) -> Result<(), Box<Diagnostic>> {
        match self.reader.roots.as_slice() {
            [root] => self.node(*root, depth),
            [] => {
                self.token(0..0);
                self.json.push_str("null");
                Ok(())
            }
            roots => {
                self.token(0..0);
                self.json.push('[');
                for (at, &root) in roots.iter().enumerate() {
                    self.json.push_str(if at > 0 { "," } else { "" });
                    self.node(root, depth)?;
                }
                self.json.push(']');
                Ok(())
            }
        }
    }

    fn token(&mut self, bytes: Range<usize>) {
        self.origins.push(bytes.start as u32..bytes.end as u32);
    }

    /// Checks that writing an alias has not exceeded the limit. Only aliases, and the escapes of JSON, make a text
    /// longer.
    fn check_bytes(&self, alias: &Range<usize>) -> Result<(), Box<Diagnostic>> {
        if self.json.len() as u64 <= self.most_bytes {
            return Ok(());
        }
        let message = format!("with its aliases expanded the text has more than {} bytes", self.most_bytes);
        let fault = self.reader.fault(ALIASES, alias.clone(), &message);
        Err(Box::new(fault.with_help(help![
            "raise the limit with ",
            setting("max-size"),
            ", for example ",
            setting("max-size").to("4GiB")
        ])))
    }

    /// Recurses by level, at most to the depth limit: an alias leads to a node that ended before it.
    fn node(&mut self, number: usize, depth: usize) -> Result<(), Box<Diagnostic>> {
        let reader = self.reader;
        let node = &reader.nodes[number];
        if depth == 0 {
            let message = "values are nested deeper than allowed";
            return Err(reader.fault("json::depth", node.bytes.clone(), message));
        }
        if self.origins.len() > self.most_values {
            let most = self.most_values;
            let message = format!(
                "aliases expand this text to more than {most} values, {VALUES_PER_BYTE} for each of its bytes"
            );
            return Err(reader.fault(ALIASES, node.bytes.clone(), &message));
        }
        let first_byte = node.bytes.start..(node.bytes.start + 1).min(node.bytes.end);
        match &node.kind {
            NodeKind::Alias(target) => {
                self.node(*target, depth)?;
                self.check_bytes(&node.bytes)
            }
            NodeKind::Scalar { value, is_plain } => {
                self.token(node.bytes.clone());
                match json_of_plain(value).filter(|_| *is_plain) {
                    Some(json) => self.json.push_str(json),
                    None => write_string(value, &mut self.json),
                }
                Ok(())
            }
            NodeKind::Sequence => {
                self.token(first_byte);
                self.json.push('[');
                let mut at = number + 1;
                while at < node.after {
                    self.json.push_str(if at > number + 1 { "," } else { "" });
                    self.node(at, depth - 1)?;
                    at = reader.nodes[at].after;
                }
                self.json.push(']');
                Ok(())
            }
            NodeKind::Mapping => {
                self.token(first_byte);
                self.mapping(number, depth)
            }
        }
    }

    fn mapping(&mut self, number: usize, depth: usize) -> Result<(), Box<Diagnostic>> {
        let reader = self.reader;
        let mut keys = HashSet::new();
        self.json.push('{');
        let (mut at, after) = (number + 1, reader.nodes[number].after);
        while at < after {
            self.json.push_str(if at > number + 1 { "," } else { "" });
            let key = &reader.nodes[at];
            let named = match &key.kind {
                NodeKind::Alias(target) => &reader.nodes[*target],
                _ => key,
            };
            let NodeKind::Scalar { value, .. } = &named.kind else {
                return Err(reader.fault("yaml::key", key.bytes.clone(), "a key is not text"));
            };
            if !keys.insert(value.as_str()) {
                return Err(reader.fault("yaml::duplicate-key", key.bytes.clone(), "the key occurs twice"));
            }
            self.token(key.bytes.clone());
            write_string(value, &mut self.json);
            if matches!(key.kind, NodeKind::Alias(_)) {
                self.check_bytes(&key.bytes)?;
            }
            self.json.push(':');
            at = key.after;
            if at < after {
                self.node(at, depth - 1)?;
                at = reader.nodes[at].after;
            }
        }
        self.json.push('}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::read_yaml;
    use evalgraph_json::Limits;

    fn json(yaml: &str) -> String {
        let document = read_yaml("test.yaml", yaml, Limits::default()).expect("it is YAML");
        document.raw(document.root()).to_owned()
    }

    fn fault(yaml: &str) -> String {
        read_yaml("test.yaml", yaml, Limits::default()).expect_err("it is at fault").to_string()
    }

    #[test]
    fn words_are_what_the_core_schema_says() {
        let yaml = "[~, null, True, false, yes, 1, -0.5, 5e-2, +7, 007, 0x1F, .5, 2026-01-01, '1', \"a\\tb\", !!str 1]";
        let expected =
            r#"[null,null,true,false,"yes",1,-0.5,5e-2,7,"007","0x1F",".5","2026-01-01","1","a\tb","1"]"#;
        assert_eq!(json(yaml), expected);
        assert_eq!(json(""), "null");
        assert_eq!(json("a: 1\n---\nb: 2\n"), r#"[{"a":1},{"b":2}]"#);
        assert_eq!(
            json("a: &x [1, 2]\nb: *x\nc: |\n  é\n  two\n"),
            r#"{"a":[1,2],"b":[1,2],"c":"é\ntwo\n"}"#
        );
    }

    #[test]
    fn values_know_where_they_stand() {
        let yaml = "\u{feff}# é\nkey: 'it''s'\nlist:\n  - deep: \"x\\ny\"\n";
        let document = read_yaml("test.yaml", yaml, Limits::default()).expect("it is YAML");
        let root = document.root();
        let place = document.place(document.get(root, "key").expect("it is there"));
        assert_eq!((place.line, place.column, place.excerpt.text.as_str()), (2, 6, "key: 'it''s'"));
        let list = document.get(root, "list").expect("it is there");
        let item = document.items(list).next().expect("there is one");
        let place = document.place(document.get(item, "deep").expect("it is there"));
        assert_eq!((place.line, place.column), (4, 11));
        assert_eq!(place.pointer.as_deref(), Some("/list/0/deep"));
    }

    #[test]
    fn faults_have_places() {
        assert_eq!(fault("a: 1\na: 2\n"), "test.yaml:2:1: yaml::duplicate-key: the key occurs twice");
        assert_eq!(fault("? [a]\n: 1\n"), "test.yaml:1:3: yaml::key: a key is not text");
        assert!(fault("a: *x\n").starts_with("test.yaml:1:4: yaml::syntax"));
        assert!(fault("a: [1\nb: 2\n").starts_with("test.yaml:2:"), "{}", fault("a: [1\nb: 2\n"));
        assert!(fault("a: [!b,c]\n").starts_with("test.yaml:1:5: yaml::syntax"));
        assert!(fault("a: |\n  b\u{feff}\n").starts_with("test.yaml:2:4: yaml::syntax"));
        assert!(fault("a: \"b\\").starts_with("test.yaml:"));
        let deep = "[".repeat(600);
        assert!(fault(&deep).contains("json::depth"), "{}", fault(&deep));
    }

    #[test]
    fn aliases_of_aliases_end() {
        let mut yaml = "a0: &a0 [x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = level - 1;
            let list = vec![format!("*a{before}"); 8].join(", ");
            yaml.push_str(&format!("a{level}: &a{level} [{list}]\n"));
        }
        assert!(fault(&yaml).contains("yaml::aliases"));
    }
}
