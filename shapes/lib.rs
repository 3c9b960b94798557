//! The shapes that come with the program: a shapes graph for each system and profile.

/// A shapes graph that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltInShapes {
    /// Its name.
    pub name: &'static str,
    /// The profiles of rules that are equivalent.
    pub profiles: &'static [&'static str],
    /// One line on what it requires.
    pub title: &'static str,
    /// Its text, in Turtle.
    pub text: &'static str,
}

/// All of them, sorted by name.
pub const BUILT_IN: [BuiltInShapes; 8] = [
    row(
        "common",
        &[],
        "the catalog, and what links questions of several systems",
        include_str!("common.ttl"),
    ),
    row(
        "croissant-tasks",
        &[],
        "problems, solutions and evaluations of Croissant Tasks",
        include_str!("croissant-tasks.ttl"),
    ),
    row(
        "karenina",
        &["karenina"],
        "checkpoints as the loader of Karenina's library asks for them",
        include_str!("karenina.ttl"),
    ),
    row(
        "karenina-gui",
        &["karenina-gui"],
        "checkpoints as Karenina's user interface asks for them",
        include_str!("karenina-gui.ttl"),
    ),
    row(
        "karenina-spec",
        &["karenina-spec"],
        "checkpoints as Karenina's specification asks for them, 3.0.0-jsonld",
        include_str!("karenina-spec.ttl"),
    ),
    row(
        "kwanzaa",
        &["seed", "contract"],
        "training samples and expected answers of Kwanzaa",
        include_str!("kwanzaa.ttl"),
    ),
    row("rlcf", &["seed"], "records of feedback by legal experts", include_str!("rlcf.ttl")),
    row("train", &["seed"], "rows of train.json, their corpus and evaluations", include_str!("train.ttl")),
];

const fn row(
    name: &'static str,
    profiles: &'static [&'static str],
    title: &'static str,
    text: &'static str,
) -> BuiltInShapes {
    BuiltInShapes { name, profiles, title, text }
}

/// The shapes with a name.
pub fn built_in(name: &str) -> Option<&'static BuiltInShapes> {
    BUILT_IN.iter().find(|shapes| shapes.name == name)
}
