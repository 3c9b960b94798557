//! Puts the right article before a name in a message.

/// Beginnings with `u` that are pronounced like `you`.
const SPOKEN_YOU: [&str; 4] = ["us", "uni", "uri", "url"];

/// Returns a name with its article before it: `a Question`, `an AIModelConfig`.
pub fn with_article(name: &str) -> String {
    let word = name.trim_start_matches('`').to_ascii_lowercase();
    let is_vowel = match word.chars().next() {
        Some('a' | 'e' | 'i' | 'o') => true,
        Some('u') => !SPOKEN_YOU.iter().any(|beginning| word.starts_with(beginning)),
        _ => false,
    };
    format!("{} {name}", if is_vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_article_fits_the_sound() {
        let names = ["Question", "User", "URL", "`LegalTask`", "node", "", "é"].map(with_article);
        assert_eq!(names, ["a Question", "a User", "a URL", "a `LegalTask`", "a node", "a ", "a é"]);
        let names = ["AIModelConfig", "`Answer`", "EvaluationRun", "item", "Observation", "update"];
        let expected = "an AIModelConfig, an `Answer`, an EvaluationRun, an item, an Observation, an update";
        assert_eq!(names.map(with_article).join(", "), expected);
    }
}
