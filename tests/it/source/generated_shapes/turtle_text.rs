//! Names, paths and strings of Turtle, and lists of words.

pub(super) fn prefixed(name: &str) -> String {
    if name.contains(':') { name.to_owned() } else { format!("schema:{name}") }
}

/// The properties of a path, and the class of the node before the last one.
pub(super) fn properties(path: &str) -> (Vec<String>, Option<String>) {
    let mut properties = Vec::new();
    let mut classes = Vec::new();
    for step in path.split('/') {
        let begin = if step.starts_with("eg:") { 3 } else { 0 };
        let end = step[begin..].find(':').map_or(step.len(), |at| begin + at);
        properties.push(prefixed(&step[..end]));
        let node = step.get(end + 1..).unwrap_or_default();
        let class = node.split(['+', '#', '@', '{']).next().unwrap_or_default();
        classes.push((!class.is_empty()).then(|| prefixed(class)));
    }
    classes.pop();
    (properties, classes.pop().flatten())
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

pub(super) fn in_turtle(path: &[String]) -> String {
    if path.len() == 1 { path[0].clone() } else { format!("( {} )", path.join(" ")) }
}

/// Returns a number, in words if it is a number of words or types.
pub(super) fn in_words(count: usize) -> String {
    match count {
        7 => "seven".to_owned(),
        10 => "ten".to_owned(),
        _ => count.to_string(),
    }
}

/// Returns words separated by commas, the last by another word.
pub(super) fn enumerated(words: &[String], last: &str) -> String {
    match words.split_last() {
        Some((word, before)) if !before.is_empty() => format!("{} {last} {word}", before.join(", ")),
        _ => words.concat(),
    }
}
