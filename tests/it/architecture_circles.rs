//! Files that need each other: a file can be read, and moved, only with all of its circle.
//!
//! A name that a module passes on (`use`) counts for the file that defines it.

use crate::architecture::{SourceFile, source_files};
use std::collections::{BTreeMap, BTreeSet};

/// How often a name may be passed on.
const MOST_STEPS: usize = 20;

/// A place below `crate`: `["json", "parse", "Parser"]`.
type Path = Vec<String>;

#[derive(Default)]
struct Modules {
    /// The modules that have a file.
    names: BTreeSet<Path>,
    /// The names that a module passes on, with the place that each has.
    passed_on: BTreeMap<Path, BTreeMap<String, Path>>,
}

impl Modules {
    fn of(files: &[SourceFile]) -> Self {
        let names = files.iter().map(|file| file.module.clone()).collect();
        let mut modules = Self { names, passed_on: BTreeMap::new() };
        for file in files {
            // Modules within one see what it uses, too.
            for item in used_items(without_tests(&file.code)) {
                for (path, name) in flat(item.tree) {
                    let Some(place) = modules.absolute(&file.module, &path) else { continue };
                    modules.passed_on.entry(file.module.clone()).or_default().insert(name, place);
                }
            }
        }
        modules
    }

    /// The place that a path has, written in a module; none of another crate.
    fn absolute(&self, module: &[String], path: &str) -> Option<Path> {
        let mut steps: Vec<&str> = path.split("::").collect();
        let mut place = module.to_vec();
        match steps[0] {
            "crate" => place.clear(),
            "self" => {}
            "super" => {
                let ups = steps.iter().take_while(|step| **step == "super").count();
                place.truncate(module.len().checked_sub(ups)?);
                steps.drain(..ups - 1);
            }
            child => {
                place.push(child.to_owned());
                if !self.names.contains(&place) {
                    return None;
                }
            }
        }
        place.extend(steps[1..].iter().map(|step| (*step).to_owned()));
        Some(place)
    }

    /// The module whose file defines what is at a place.
    fn file_of(&self, mut place: Path) -> Path {
        for _ in 0..MOST_STEPS {
            let length = (0..=place.len()).rev().find(|&length| self.names.contains(&place[..length]));
            let (module, rest) = place.split_at(length.unwrap_or_default());
            let passed_on = rest.first().and_then(|name| self.passed_on.get(module)?.get(name));
            let Some(target) = passed_on else { return module.to_vec() };
            place = [target, &rest[1..]].concat();
        }
        unreachable!("{place:?} is passed on in a circle")
    }

    /// The modules whose files this one needs.
    fn needed(&self, file: &SourceFile) -> BTreeSet<Path> {
        let code = without_tests(&file.code);
        let mut paths = Vec::new();
        // Where an item is visible is not what it needs.
        let mut rest: String =
            code.split("pub(in ").map(|part| part.trim_start_matches(is_of_path)).collect();
        for item in used_items(code) {
            rest = rest.replacen(item.text, "", 1);
            if !item.is_public {
                paths.extend(flat(item.tree).into_iter().map(|(path, _)| path));
            }
        }
        let names = rest.split(|character| !is_of_path(character));
        paths.extend(
            names.filter(|name| name.contains("::")).map(|name| name.trim_end_matches(':').to_owned()),
        );
        let places = paths.iter().filter_map(|path| self.absolute(&file.module, path));
        places.map(|place| self.file_of(place)).filter(|module| *module != file.module).collect()
    }
}

fn is_of_path(character: char) -> bool {
    character.is_alphanumeric() || "_:".contains(character)
}

struct UsedItem<'c> {
    text: &'c str,
    tree: &'c str,
    is_public: bool,
}

/// The `use` items of a file.
fn used_items(code: &str) -> impl Iterator<Item = UsedItem<'_>> {
    code.match_indices("use ").filter_map(|(at, _)| {
        let before = &code[..at];
        let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
        let is_public = line.trim_start().starts_with("pub");
        let is_item = is_public || line.trim().is_empty();
        let end = at + code[at..].find(';')?;
        is_item.then(|| UsedItem { text: &code[at..=end], tree: &code[at + "use ".len()..end], is_public })
    })
}

/// The paths of a tree of `use`, with the name that each gets.
fn flat(tree: &str) -> Vec<(String, String)> {
    let tree = tree.trim();
    let Some(start) = tree.find('{') else {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, tree));
        let path: String = path.chars().filter(|character| !character.is_whitespace()).collect();
        let alias = alias.trim().trim_end_matches("::self");
        let name = alias.rsplit("::").next().unwrap_or_default().to_owned();
        return vec![(path.trim_end_matches("::self").to_owned(), name)];
    };
    let group = &tree[start + 1..tree.rfind('}').unwrap_or(tree.len())];
    let mut depth = 0_i32;
    let members = group.split(|character| {
        depth += i32::from(character == '{') - i32::from(character == '}');
        character == ',' && depth == 0
    });
    let members = members.filter(|member| !member.trim().is_empty());
    members.flat_map(|member| flat(&format!("{}{}", &tree[..start], member.trim()))).collect()
}

fn without_tests(code: &str) -> &str {
    let is_block = |at: &usize| {
        let item = code[*at..].split_once("\n").unwrap_or_default().1.trim_start();
        item.starts_with("mod") && item.find('{') < item.find(';')
    };
    let tests = ["#[cfg(test)]", "#[cfg(all(test"].into_iter().flat_map(|test| code.match_indices(test));
    let first = tests.map(|(at, _)| at).filter(is_block).min();
    &code[..first.unwrap_or(code.len())]
}

/// Modules that reach each other, the largest circles first.
fn circles(needed: &BTreeMap<Path, BTreeSet<Path>>) -> Vec<BTreeSet<&Path>> {
    let reached: BTreeMap<&Path, BTreeSet<&Path>> = needed
        .keys()
        .map(|module| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&Path> = needed[module].iter().collect();
            while let Some(next) = open.pop() {
                if reached.insert(next) {
                    open.extend(needed.get(next).into_iter().flatten());
                }
            }
            (module, reached)
        })
        .collect();
    let of_each = reached.iter().map(|(module, reaches)| {
        let back = |other: &&&Path| self::reaches(&reached, other, module);
        reaches.iter().filter(back).copied().collect::<BTreeSet<_>>()
    });
    let distinct: BTreeSet<BTreeSet<&Path>> = of_each.filter(|circle| circle.len() > 1).collect();
    let mut circles: Vec<_> = distinct.into_iter().collect();
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

fn reaches(reached: &BTreeMap<&Path, BTreeSet<&Path>>, from: &Path, to: &Path) -> bool {
    reached.get(from).is_some_and(|modules| modules.contains(to))
}

#[test]
fn files_need_each_other_in_no_circle() {
    let files = source_files();
    let modules = Modules::of(&files);
    // `main.rs` and `lib.rs` are the crate itself.
    let files = files.iter().filter(|file| !file.module.is_empty());
    let needed = files.map(|file| (file.module.clone(), modules.needed(file))).collect();
    let circles = circles(&needed);
    let lines = circles.iter().map(|circle| {
        let names: Vec<String> = circle.iter().map(|module| module.join("/")).collect();
        names.join(" ") + "\n"
    });
    let lines: String = lines.collect();
    assert!(circles.is_empty(), "files need each other:\n{lines}");
}

#[test]
fn paths_are_found_in_every_spelling() {
    let paths =
        |tree| flat(tree).into_iter().map(|(path, name)| format!("{path} {name}")).collect::<Vec<_>>();
    assert_eq!(paths("crate::json::documents::Document"), ["crate::json::documents::Document Document"]);
    assert_eq!(paths("super::{a, b::{self, C as D}}"), ["super::a a", "super::b b", "super::b::C D"]);
    let code =
        "use super::a;\npub(super) use b::C;\nfn f() { because(); }\n#[cfg(test)]\nmod tests { use d::*; }";
    let items: Vec<(&str, bool)> =
        used_items(without_tests(code)).map(|item| (item.tree, item.is_public)).collect();
    assert_eq!(items, [("super::a", false), ("b::C", true)]);
}
