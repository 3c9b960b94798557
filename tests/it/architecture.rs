//! The rules that the source keeps: which module uses which, who prints, how a file begins.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The crates, and the modules of the engine, from low to high. Each uses only those before it.
const ORDER: [&str; 36] = [
    "diagnostic",
    "files",
    "work",
    "json",
    "rdf",
    "canonicalization",
    "text_keys",
    "statistics",
    "jsonld",
    "contexts",
    "source",
    "store",
    "sparql",
    "sql",
    "shacl",
    "schema_org",
    "queries",
    "shapes",
    "named_queries",
    "complying_context",
    "drawing",
    "tables",
    "net",
    "input",
    "load",
    "convert",
    "question",
    "selection",
    "workspace",
    "validation",
    "report",
    "runs",
    "export",
    "api",
    "serve",
    "python",
];

/// The folders of crates, with the modules by which the program knows them. The engine is its modules.
const CRATES: [(&str, &str); 21] = [
    ("crates/diagnostics", "diagnostic"),
    ("crates/files", "files"),
    ("crates/work", "work"),
    ("crates/json", "json"),
    ("crates/rdf", "rdf"),
    ("crates/canonicalization", "canonicalization"),
    ("crates/text-keys", "text_keys"),
    ("crates/statistics", "statistics"),
    ("crates/jsonld", "jsonld"),
    ("crates/contexts", "contexts"),
    ("crates/formats", "source"),
    ("crates/store", "store"),
    ("crates/sparql", "sparql"),
    ("crates/sql", "sql"),
    ("crates/shacl", "shacl"),
    ("crates/schema-org", "schema_org"),
    ("crates/engine", ""),
    ("crates/serve", "serve"),
    ("crates/python", "python"),
    ("queries", "queries"),
    ("shapes", "shapes"),
];

/// Longer files hold more than one subject.
const MOST_LINES: usize = 700;

pub(super) struct SourceFile {
    pub(super) path: PathBuf,
    /// Its place below `crate`: `["json", "parse"]`.
    pub(super) module: Vec<String>,
    pub(super) text: String,
    /// The text without comments and without the content of literals.
    pub(super) code: String,
}

/// The source of the program, and of each crate as the module by which the program knows it.
pub(super) fn source_files() -> Vec<SourceFile> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = files_below(&project.join("src"), "");
    for (folder, module) in CRATES {
        let root = project.join(folder);
        let source = root.join("src");
        files.extend(files_below(if source.exists() { &source } else { &root }, module));
    }
    assert!(files.len() > 20, "the source is where it is looked for");
    files
}

fn files_below(root: &Path, own: &str) -> Vec<SourceFile> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("source is readable") {
            let path = entry.expect("source is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("source is UTF-8");
                let mut code = strip(&text);
                let mut module = module_path(path.strip_prefix(root).expect("it is below the root"));
                if !own.is_empty() {
                    module.insert(0, own.to_owned());
                    code = code.replace("crate::", &format!("crate::{own}::"));
                }
                for (folder, module) in CRATES {
                    let name =
                        format!("evalgraph_{}", folder.trim_start_matches("crates/").replace('-', "_"));
                    let known =
                        if module.is_empty() { "crate".to_owned() } else { format!("crate::{module}") };
                    code = code.replace(&name, &known);
                }
                files.push(SourceFile { path, module, text, code });
            }
        }
    }
    files
}

#[test]
fn every_crate_is_looked_at() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let entries = std::fs::read_dir(folder).expect("the crates are readable");
    let there =
        entries.map(|entry| entry.expect("it is readable").file_name().to_string_lossy().into_owned());
    let known = CRATES.iter().filter_map(|(folder, _)| folder.strip_prefix("crates/")).map(ToOwned::to_owned);
    assert_eq!(there.collect::<BTreeSet<_>>(), known.collect());
}

fn module_path(path: &Path) -> Vec<String> {
    let stem = path.with_extension("");
    stem.iter()
        .map(|part| part.to_string_lossy().into_owned())
        .filter(|part| !matches!(part.as_str(), "mod" | "lib" | "main"))
        .collect()
}

/// The program's packages that only have features which the tests' packages ask for (`Cargo.toml`).
const ONLY_FEATURES: [&str; 8] =
    ["getrandom", "num-traits", "once_cell", "regex", "regex-automata", "regex-syntax", "rustix", "serde"];

#[test]
fn a_crate_depends_on_what_it_uses() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = source_files();
    for folder in CRATES.map(|(folder, _)| project.join(folder)).into_iter().chain([project.to_path_buf()]) {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("it is readable");
        let table = toml::de::DeTable::parse(&manifest).expect("it is TOML").into_inner();
        let Some(dependencies) = table.get("dependencies").and_then(|value| value.get_ref().as_table())
        else {
            continue;
        };
        let own = if folder == project { folder.join("src") } else { folder.clone() };
        let code: String =
            files.iter().filter(|file| file.path.starts_with(&own)).map(|file| strip(&file.text)).collect();
        let used: BTreeSet<&str> = words(&code).collect();
        for name in dependencies.keys().map(|name| name.get_ref().as_ref()) {
            let known = if name == "md-5" { "md5".to_owned() } else { name.replace('-', "_") };
            let is_used = used.contains(&*known);
            let is_for_tests = folder == project && ONLY_FEATURES.contains(&name);
            assert!(is_used || is_for_tests, "{} does not use `{name}`", folder.display());
        }
    }
}

#[test]
fn a_module_uses_only_those_before_it() {
    let rank = |module: &str| ORDER.iter().position(|known| *known == module);
    let mut wrong = BTreeSet::new();
    for file in source_files() {
        let Some(own) = file.module.first().filter(|own| *own != "cli") else { continue };
        let Some(own_rank) = rank(own) else {
            wrong.insert(format!("{}: the module `{own}` has no place in the order", file.path.display()));
            continue;
        };
        for used in used_modules(&file) {
            if rank(&used).is_some_and(|used_rank| used_rank > own_rank) {
                wrong.insert(format!("{}: `{own}` uses `{used}`", file.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_command_uses_no_command() {
    let files = source_files();
    let commands =
        files.iter().filter(|file| matches!(&file.module[..], [_, commands, _] if commands == "commands"));
    let mut count = 0;
    for file in commands {
        count += 1;
        for path in ["commands::", "super::"] {
            assert!(!file.code.contains(path), "{} uses `{path}`", file.path.display());
        }
    }
    assert!(count > 20, "the commands are where they are looked for");
}

#[test]
fn every_module_of_the_order_is_there() {
    let there: BTreeSet<String> =
        source_files().iter().filter_map(|file| file.module.first().cloned()).collect();
    assert_eq!(there, ORDER.iter().chain(&["cli"]).map(|module| (*module).to_owned()).collect());
}

#[test]
fn nothing_is_unsafe_but_mapping_files() {
    let mapping = Path::new("store/src/disk/file_mapping.rs");
    for file in source_files().iter().filter(|file| !file.path.ends_with(mapping)) {
        assert!(!words(&file.code).any(|word| word == "unsafe"), "{} is unsafe", file.path.display());
    }
}

#[test]
fn only_the_command_line_prints() {
    for file in source_files().iter().filter(|file| file.module.first().is_none_or(|module| module != "cli"))
    {
        for printing in ["println!", "eprintln!", "print!", "eprint!", "dbg!", "stdout()", "stderr()"] {
            assert!(!file.code.contains(printing), "{} has `{printing}`", file.path.display());
        }
    }
}

#[test]
fn only_the_command_line_knows_of_terminals_and_processes() {
    let is_of_library = |file: &&SourceFile| file.module.first().is_some_and(|module| module != "cli");
    let crates =
        ["anstream", "annotate_snippets", "clap", "comfy_table", "indicatif", "signal_hook", "terminal_size"];
    for file in source_files().iter().filter(is_of_library) {
        let path = file.path.display();
        let known: BTreeSet<&str> = words(&file.code).collect();
        for name in crates {
            assert!(!known.contains(name), "{path} uses `{name}`");
        }
        // Two runs of a process share nothing, and no run ends the process of another.
        for used in ["process::exit", "process::abort", "build_global"] {
            assert!(!file.code.contains(used), "{path} has `{used}`");
        }
        // Not the lifetime.
        let statics = file.code.match_indices("static ").filter(|(at, _)| !file.code[..*at].ends_with('\''));
        for (at, _) in statics {
            let item = file.code[at..].split('=').next().unwrap_or_default();
            let changes = ["Mutex", "RwLock", "Atomic"].iter().any(|kind| item.contains(kind));
            assert!(!changes, "{path} has a global that changes: `{item}`");
        }
    }
}

#[test]
fn only_the_command_line_has_its_words() {
    let is_of_library = |file: &&SourceFile| file.module.first().is_some_and(|module| module != "cli");
    // What a code means, and what leads to it, is told by a page of the program's manual, and tests have whatever
    // files may say.
    let is_left_out = |file: &&SourceFile| {
        file.module.starts_with(&["diagnostic".to_owned(), "codes".to_owned()])
            || file.path.ends_with("tests.rs")
    };
    for file in source_files().iter().filter(is_of_library).filter(|file| !is_left_out(file)) {
        // What documents the code may name the command that uses it.
        for line in file.text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let is_option = |&(at, _): &(usize, &str)| {
                let begins = line[..at].chars().next_back().is_some_and(|before| "`\"' ".contains(before));
                begins && line[at + 2..].starts_with(|after: char| after.is_ascii_lowercase())
            };
            let has_option = line.match_indices("--").any(|found| is_option(&found));
            let has_words = has_option || line.contains("`evalgraph ");
            assert!(!has_words, "{}: {line}", file.path.display());
        }
    }
}

#[test]
fn our_iris_are_made_and_read_back_in_one_place() {
    let places = ["rdf/src/vocabulary.rs", "rdf/src/minted.rs"];
    let elsewhere = source_files().into_iter().filter(|file| {
        // Of the command line, as help and messages show them.
        let is_library = file.module.first().is_none_or(|module| module != "cli");
        is_library && !places.iter().any(|place| file.path.ends_with(place))
    });
    for file in elsewhere {
        for line in file.text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            assert!(!line.contains("urn:evalgraph:"), "{}: {line}", file.path.display());
        }
    }
}

/// The systems, each with the folder of its name in `crates/formats/src`.
const SYSTEMS: [&str; 9] =
    ["karenina", "train", "kwanzaa", "rlcf", "chat", "every_eval_ever", "inspect", "lm_eval", "helm"];

/// The files outside the folders of the systems whose code may name one, each with the reason.
const NAMES_A_SYSTEM: [(&str, &str); 9] = [
    ("crates/contexts/src/lib.rs", "a built-in context has the name of the programs that use it"),
    ("crates/formats/src/lib.rs", "the folders are modules"),
    ("crates/formats/src/registry.rs", "the table of the systems"),
    (
        "crates/formats/src/rows/column_presets.rs",
        "forms of rows have the names of the programs that use them",
    ),
    ("crates/rdf/src/vocabulary.rs", "the usual prefix of a vocabulary"),
    ("shapes/lib.rs", "built-in shapes have the names of the systems whose graphs they describe"),
    ("src/cli/commands/figures.rs", "only RLCF has opinions of experts"),
    ("src/cli/commands/split.rs", "`train` is the part of the records to train on"),
    ("src/cli/figures_tables.rs", "only RLCF has opinions of experts"),
];

/// The words that a name in code consists of, in lower case: `RlcfFigures` has `rlcf` and `figures`.
fn parts_of_name(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut was_lower = false;
    for character in name.chars() {
        let begins = parts.is_empty() || character == '_' || was_lower && character.is_uppercase();
        if begins {
            parts.push(String::new());
        }
        if character != '_' {
            parts.last_mut().expect("there is one").extend(character.to_lowercase());
        }
        was_lower = !character.is_uppercase();
    }
    parts
}

/// The systems that a file names in its code: in a path or a name, or by a literal that is a name of the system or of
/// one of its forms.
fn systems_named(text: &str, code: &str) -> BTreeSet<&'static str> {
    let mut named = BTreeSet::new();
    let before_tests = |text: &'_ str| text.find("#[cfg(test)]").unwrap_or(text.len());
    let code = &code[..before_tests(code)];
    for (at, _) in code.match_indices(|character: char| character.is_alphabetic()) {
        let is_of_name = |character: char| character.is_alphanumeric() || character == '_';
        if code[..at].ends_with(is_of_name) {
            continue;
        }
        let name = words(&code[at..]).next().unwrap_or_default();
        let parts = parts_of_name(name);
        let (before, after) = (code[..at].trim_end(), code[at + name.len()..].trim_start());
        let is_path = before.ends_with("::") || after.starts_with("::") || before.ends_with("mod");
        let is_word = name.starts_with(|first: char| first.is_lowercase()) && parts.len() == 1;
        for system in SYSTEMS {
            // `train`, `chat` and `inspect` are words of English, too. `inspect_err` is a method of a result.
            let is_plain = is_word && !is_path && ["train", "chat", "inspect"].contains(&system);
            if name.starts_with("inspect_err") {
                continue;
            }
            let is_named = system.contains('_') && parts.join("_").contains(system);
            if !is_plain && (is_named || parts.iter().any(|part| part == system)) {
                named.insert(system);
            }
        }
    }
    let lines = text[..before_tests(text)].lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in lines {
        for system in SYSTEMS {
            for end in ["", "-spec", "-gui", "-v2"] {
                if line.contains(&format!("\"{}{end}\"", system.replace('_', "-"))) {
                    named.insert(system);
                }
            }
        }
    }
    named
}

#[test]
fn a_system_is_known_in_its_own_folder() {
    let is_own = |file: &SourceFile| match &file.module[..] {
        [source, own, ..] if source == "source" => SYSTEMS.contains(&own.as_str()),
        _ => false,
    };
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut known = BTreeSet::new();
    for file in source_files().iter().filter(|file| !is_own(file) && !file.path.ends_with("tests.rs")) {
        let named = systems_named(&file.text, &file.code);
        if named.is_empty() {
            continue;
        }
        let path = file.path.strip_prefix(project).expect("it is below the root").display().to_string();
        let is_listed = NAMES_A_SYSTEM.iter().any(|(listed, _)| *listed == path);
        assert!(is_listed, "{path} names {named:?}");
        known.insert(path);
    }
    for (listed, reason) in NAMES_A_SYSTEM {
        assert!(known.contains(listed), "{listed} is listed ({reason}), and names no system any more");
    }
}

#[test]
fn a_system_is_found_in_every_spelling() {
    let named = |text: &str| systems_named(text, &strip(text)).into_iter().collect::<Vec<_>>();
    assert_eq!(named("use formats::rlcf::figures::RlcfFigures;"), ["rlcf"]);
    assert_eq!(named("struct TrainCorpora; fn chat_files() {}"), ["chat", "train"]);
    assert_eq!(
        named("let form = if name == \"karenina-gui\" { KWANZAA } else { x };"),
        ["karenina", "kwanzaa"]
    );
    assert_eq!(named("pub mod train;\nuse super::{chat, kwanzaa};"), ["kwanzaa", "train"]);
    assert_eq!(named("// rlcf::x\nlet train = arguments.train; let training = \"of rlcf\";"), [""; 0]);
    assert_eq!(named("#[cfg(test)]\nmod tests { use crate::rlcf; }"), [""; 0]);
}

/// A tuple is a list of parameters without names.
#[test]
fn each_parameter_of_a_function_has_a_name() {
    for file in source_files() {
        // An arrow is not a bracket.
        let code = file.code.replace("->", "");
        for function in code.split("fn ").skip(1) {
            let (name, rest) = function.split_at(function.find(['(', '<']).expect("it has parameters"));
            let begin = if rest.starts_with('<') { rest.find(">(").map(|at| at + 2) } else { Some(1) };
            let parameters = begin.map_or("", |at| &rest[at..]);
            let mut depth = 0;
            for (at, character) in parameters.char_indices() {
                let before = parameters[..at].trim_end();
                let is_first = depth == 0 && (before.is_empty() || before.ends_with(','));
                assert!(!(is_first && character == '('), "{}: a tuple in `{name}`", file.path.display());
                depth += i32::from(matches!(character, '(' | '[' | '<'))
                    - i32::from(matches!(character, ')' | ']' | '>'));
                if depth < 0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn every_file_says_what_it_is_for_and_has_one_subject() {
    for file in source_files() {
        let path = file.path.display();
        assert!(file.text.starts_with("//! "), "{path} does not open with `//!`");
        let lines = file.text.lines().count();
        assert!(lines <= MOST_LINES, "{path} has {lines} lines");
        let name = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        assert!(!["utils", "helpers", "common", "misc"].contains(&name.as_str()), "{path} names no subject");
    }
}

/// The top-level modules that the code of a file names, by `crate::x`, `crate::{x, y}` or a
/// chain of `super::` that reaches the root.
fn used_modules(file: &SourceFile) -> BTreeSet<String> {
    let code: String = file.code.chars().filter(|character| !character.is_whitespace()).collect();
    let mut used = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        used.extend(heads(&code[at + "crate::".len()..]));
    }
    let root = "super::".repeat(file.module.len());
    for (at, _) in code.match_indices(&root) {
        used.extend(heads(code[at..].trim_start_matches("super::")));
    }
    used
}

/// The first names of a path or of a group of paths.
fn heads(rest: &str) -> Vec<String> {
    let name = |text: &str| words(text).next().unwrap_or_default().to_owned();
    let Some(group) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let mut depth = 0_usize;
    let mut names = vec![name(group)];
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[at + 1..])),
            _ => {}
        }
    }
    names
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
}

/// Source text without comments, the content of strings and characters.
fn strip(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest, &code) {
            let closing = format!("\"{}", "#".repeat(hashes));
            let content = hashes + 2;
            rest[content..].find(&closing).map_or(rest.len(), |end| content + end + closing.len())
        } else if character == '"' {
            quoted_length(rest, '"')
        } else if character == '\'' && is_character_literal(rest) {
            quoted_length(rest, '\'')
        } else {
            0
        };
        if skipped == 0 {
            code.push(character);
            rest = &rest[character.len_utf8()..];
        } else {
            code.push(' ');
            rest = &rest[skipped..];
        }
    }
    code
}

/// How many `#` a raw string that begins here has.
fn raw_string(rest: &str, before: &str) -> Option<usize> {
    let is_word = before.ends_with(|last: char| last.is_alphanumeric() && last != 'b' || last == '_');
    let after = rest.strip_prefix('r').filter(|_| !is_word)?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// `'a'` and `'\n'`, but not the lifetime `'a`.
fn is_character_literal(rest: &str) -> bool {
    let mut characters = rest.chars().skip(1);
    characters.next() == Some('\\') || characters.next() == Some('\'')
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[test]
fn an_edge_is_found_in_every_spelling() {
    let used = |module: &[&str], text: &str| {
        let module = module.iter().map(|part| (*part).to_owned()).collect();
        let file = SourceFile { path: PathBuf::new(), module, text: String::new(), code: strip(text) };
        used_modules(&file).into_iter().filter(|name| ORDER.contains(&name.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(used(&["json"], "use crate::serve::main;"), ["serve"]);
    assert_eq!(used(&["json"], "use crate::{store::dataset::{Dataset, View}, rdf};"), ["rdf", "store"]);
    assert_eq!(used(&["json", "parse"], "use super::super::sparql;"), ["sparql"]);
    assert_eq!(used(&["json"], "fn f() -> super::source::X { todo() }"), ["source"]);
    assert_eq!(used(&["json", "parse"], "use super::string;"), [""; 0]);
    assert_eq!(used(&["json"], "// crate::cli\nlet x = \"crate::cli\"; let y = r#\"crate::cli\"#;"), [""; 0]);
    assert_eq!(
        used(&["json"], "let x: &'a str = 'x'; /* crate::cli */ let y = '\"'; crate::rdf::y"),
        ["rdf"]
    );
}
