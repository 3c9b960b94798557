//! Regular expressions in a syntax that RE2, Java and Rust read in the same way: sets of characters are written as code
//! points, so that no engine applies its own classes or its own rules for upper and lower case.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::dialect::SqlDialect;
use super::sql_refusal::SqlRefusal;
use evalgraph_sparql::{xpath_pattern, xpath_replacement};

/// The most repetitions that every engine takes.
const REPETITIONS: u32 = 1000;

/// Returns a pattern of XPath for an engine of SQL. `None` if it is not a pattern, so that REGEX has no value.
pub(crate) fn sql_pattern(pattern: &str, flags: &str) -> Result<Option<String>, SqlRefusal> {
    let Ok(translated) = xpath_pattern(pattern, flags) else { return Ok(None) };
    write(&translated).map(Some)
}

/// Like [`sql_pattern`], with a replacement for all matches.
pub(crate) fn sql_replacement(
    pattern: &str,
    replacement: &str,
    flags: &str,
    dialect: SqlDialect,
) -> Result<Option<(String, String)>, SqlRefusal> {
    let Ok((translated, replacement)) = xpath_replacement(pattern, replacement, flags) else {
        return Ok(None);
    };
    let mut written = String::new();
    let mut rest = replacement.as_str();
    while let Some(at) = rest.find(['$', '\\']) {
        let (before, from) = rest.split_at(at);
        written.push_str(before);
        // A group is `${1}`, and a dollar sign is doubled.
        if let Some(behind) = from.strip_prefix("$$") {
            written.push_str(match dialect {
                SqlDialect::Spark => "\\$",
                SqlDialect::DuckDb => "$",
                SqlDialect::DataFusion => "$$",
            });
            rest = behind;
        } else if let Some((group, behind)) = from.strip_prefix("${").and_then(|from| from.split_once('}')) {
            match (dialect, group.len()) {
                (SqlDialect::DuckDb, 1) => written.push_str(&format!("\\{group}")),
                (SqlDialect::DataFusion, _) => written.push_str(&format!("${{{group}}}")),
                (SqlDialect::Spark, 1) if !behind.starts_with(|c: char| c.is_ascii_digit()) => {
                    written.push_str(&format!("${group}"));
                }
                _ => {
                    return Err(SqlRefusal::from_function(
                        "REPLACE",
                        "its replacement names a group that SQL cannot",
                    ));
                }
            }
            rest = behind;
        } else {
            let behind = &from[1..];
            written.push_str(match (dialect, &from[..1]) {
                (SqlDialect::DuckDb | SqlDialect::Spark, "\\") => "\\\\",
                (_, own) => own,
            });
            rest = behind;
        }
    }
    written.push_str(rest);
    Ok(Some((write(&translated)?, written)))
}

fn write(pattern: &str) -> Result<String, SqlRefusal> {
    let hir = regex_syntax::parse(pattern)
        .map_err(|_| SqlRefusal::from_function("REGEX", "its pattern is too large"))?;
    let mut text = String::new();
    add(&hir, &mut text)?;
    Ok(text)
}

fn add(hir: &Hir, text: &mut String) -> Result<(), SqlRefusal> {
    match hir.kind() {
        HirKind::Empty => text.push_str("(?:)"),
        HirKind::Literal(literal) => {
            let characters = String::from_utf8_lossy(&literal.0);
            characters.chars().for_each(|character| add_character(character, text));
        }
        HirKind::Class(class) => add_class(class, text),
        HirKind::Look(look) => text.push_str(match look {
            Look::Start => "\\A",
            Look::End => "\\z",
            // Only a line feed ends a line.
            Look::StartLF => "(?m:^)",
            Look::EndLF => return Err(unlike("the end of a line")),
            _ => return Err(unlike("the boundary of a word")),
        }),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min);
            if repetition.min.max(most) > REPETITIONS {
                return Err(SqlRefusal::from_function("REGEX", "its pattern repeats a part too often"));
            }
            text.push_str("(?:");
            add(&repetition.sub, text)?;
            text.push(')');
            text.push_str(&match (repetition.min, repetition.max) {
                (0, None) => "*".to_owned(),
                (1, None) => "+".to_owned(),
                (0, Some(1)) => "?".to_owned(),
                (least, None) => format!("{{{least},}}"),
                (least, Some(most)) => format!("{{{least},{most}}}"),
            });
            if !repetition.greedy {
                text.push('?');
            }
        }
        HirKind::Capture(capture) => {
            text.push('(');
            add(&capture.sub, text)?;
            text.push(')');
        }
        HirKind::Concat(parts) => {
            for part in parts {
                let is_choice = matches!(part.kind(), HirKind::Alternation(_));
                text.push_str(if is_choice { "(?:" } else { "" });
                add(part, text)?;
                text.push_str(if is_choice { ")" } else { "" });
            }
        }
        HirKind::Alternation(parts) => {
            for (number, part) in parts.iter().enumerate() {
                text.push_str(if number == 0 { "" } else { "|" });
                add(part, text)?;
            }
        }
    }
    Ok(())
}

fn unlike(what: &str) -> SqlRefusal {
    SqlRefusal::from_function("REGEX", &format!("engines differ on {what}"))
}

fn add_character(character: char, text: &mut String) {
    if character.is_ascii_alphanumeric() || character == ' ' {
        text.push(character);
    } else {
        text.push_str(&format!("\\x{{{:x}}}", u32::from(character)));
    }
}

fn add_class(class: &Class, text: &mut String) {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (range.start().into(), range.end().into())).collect(),
    };
    if ranges.is_empty() {
        // A set without characters matches nothing.
        text.push_str("[^\\x{0}-\\x{10ffff}]");
        return;
    }
    text.push('[');
    for (first, last) in ranges {
        add_character(first, text);
        if last > first {
            text.push('-');
            add_character(last, text);
        }
    }
    text.push(']');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_name_code_points() {
        let written = |pattern: &str, flags: &str| {
            sql_pattern(pattern, flags).expect("it is written").expect("it is a pattern")
        };
        assert_eq!(written("^ab+c", ""), "\\Aa(?:b)+c");
        assert_eq!(written("ä", "i"), "[\\x{c4}\\x{e4}]");
        assert_eq!(written("a|b.", "s"), "a|b[\\x{0}-\\x{10ffff}]");
    }
}
