//! The shapes that the program brings along: a shapes graph for each system and profile.

/// A shapes graph of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltInShapes {
    /// Its name.
    pub name: &'static str,
    /// One line on what it asks for.
    pub title: &'static str,
    /// Its text, in Turtle.
    pub text: &'static str,
    /// Whether it is about the catalog, too.
    pub with_catalog: bool,
}

/// All of them, sorted by name.
pub const BUILT_IN: [BuiltInShapes; 6] = [
    BuiltInShapes {
        name: "common",
        title: "the catalog, and what links questions of several systems",
        text: include_str!("../../shapes/common.ttl"),
        with_catalog: true,
    },
    BuiltInShapes {
        name: "karenina",
        title: "checkpoints as the loader of Karenina's library asks for them",
        text: include_str!("../../shapes/karenina.ttl"),
        with_catalog: false,
    },
    BuiltInShapes {
        name: "karenina-spec",
        title: "checkpoints as Karenina's specification asks for them, 3.0.0-jsonld",
        text: include_str!("../../shapes/karenina-spec.ttl"),
        with_catalog: false,
    },
    BuiltInShapes {
        name: "kwanzaa",
        title: "training samples and expected answers of Kwanzaa",
        text: include_str!("../../shapes/kwanzaa.ttl"),
        with_catalog: false,
    },
    BuiltInShapes {
        name: "rlcf",
        title: "records of feedback by legal experts",
        text: include_str!("../../shapes/rlcf.ttl"),
        with_catalog: false,
    },
    BuiltInShapes {
        name: "train",
        title: "rows of train.json, their corpus and evaluations",
        text: include_str!("../../shapes/train.ttl"),
        with_catalog: false,
    },
];

/// The shapes of a name.
pub fn built_in(name: &str) -> Option<&'static BuiltInShapes> {
    BUILT_IN.iter().find(|shapes| shapes.name == name)
}
