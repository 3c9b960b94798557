//! The pages of the book with their blocks, headings and links, as mdBook and GitHub read them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use regex::Regex;

/// Pages that a command writes, or a test. They may be long, and one of them may not be written yet.
pub(super) const GENERATED: [&str; 5] =
    ["docs/codes.md", "docs/commands.md", "docs/documents.md", "docs/python.md", "docs/rules.md"];

pub(super) struct Page {
    /// Below the root of the project.
    pub(super) path: String,
    pub(super) text: String,
}

pub(super) struct Block {
    /// The number of its first line behind the fence.
    pub(super) line: usize,
    pub(super) language: String,
    pub(super) lines: Vec<String>,
}

impl Block {
    pub(super) fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }
}

pub(super) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page below `docs`, in their order.
pub(super) fn pages() -> Vec<Page> {
    let mut paths = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|path| page(path)).collect()
}

fn page(path: &Path) -> Page {
    let text = std::fs::read_to_string(path).expect("a page is UTF-8");
    let path = path.strip_prefix(root()).expect("it is below the root").display().to_string();
    Page { path, text }
}

/// The page of a path below the root.
pub(super) fn page_at(path: &str) -> Page {
    page(&root().join(path))
}

impl Page {
    /// The blocks between fences.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut inside = false;
        for (number, line) in self.text.lines().enumerate() {
            if let Some(language) = line.strip_prefix("```") {
                inside = !inside;
                if inside {
                    let language = language.to_owned();
                    blocks.push(Block { line: number + 2, language, lines: Vec::new() });
                }
            } else if let (true, Some(block)) = (inside, blocks.last_mut()) {
                block.lines.push(line.to_owned());
            }
        }
        assert!(!inside, "{}: a block does not end", self.path);
        blocks
    }

    /// The text without blocks and without code in a line.
    fn prose(&self) -> String {
        let mut inside = false;
        let lines = self.text.lines().filter(|line| {
            let is_fence = line.starts_with("```");
            inside ^= is_fence;
            !inside && !is_fence
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The anchors of its headings. GitHub and mdBook make the same of them.
    pub(super) fn anchors(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let prose = self.prose();
        let headings = prose.lines().filter_map(|line| {
            line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))
        });
        headings
            .map(|heading| {
                let slug = slug(heading);
                let times = seen.entry(slug.clone()).or_default();
                *times += 1;
                if *times == 1 { slug } else { format!("{slug}-{}", *times - 1) }
            })
            .collect()
    }

    /// The targets of its links and pictures.
    pub(super) fn links(&self) -> Vec<String> {
        let code = Regex::new("`[^`\n]*`").expect("a pattern");
        let link = Regex::new(r"\]\(([^()\s]+)\)").expect("a pattern");
        let prose = self.prose();
        let prose = code.replace_all(&prose, "code");
        link.captures_iter(&prose).map(|found| found[1].to_owned()).collect()
    }
}

fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|sign| match sign {
        sign if sign.is_whitespace() => Some('-'),
        '-' | '_' => Some(sign),
        sign => sign.is_alphanumeric().then_some(sign),
    });
    kept.collect::<String>().to_lowercase()
}

#[test]
fn headings_have_the_anchors_that_github_makes() {
    let text =
        "# `GET /api/question?graph=…&id=…`\n\n## Who asks\n\n```sh\n# no heading\n```\n\n## Who asks\n";
    let page = Page { path: "p.md".to_owned(), text: text.to_owned() };
    assert_eq!(page.anchors(), ["get-apiquestiongraphid", "who-asks", "who-asks-1"]);
}
