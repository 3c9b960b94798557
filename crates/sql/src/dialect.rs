//! What differs between the engines that the SQL is for: how texts, names and types are written, and functions.

use std::fmt;

/// An engine of SQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlDialect {
    /// DuckDB 2.
    DuckDb,
    /// Spark SQL 4.
    Spark,
    /// DataFusion 55.
    DataFusion,
}

impl SqlDialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::DuckDb, Self::Spark, Self::DataFusion];

    /// The name, as options have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::DuckDb => "duckdb",
            Self::Spark => "spark",
            Self::DataFusion => "datafusion",
        }
    }

    /// Returns a text as a literal. No text can end the literal early.
    pub fn text(self, text: &str) -> String {
        let parts = text.split('\0').map(|part| match self {
            Self::DuckDb | Self::DataFusion => format!("'{}'", part.replace('\'', "''")),
            // Backslashes begin escapes, and `${` a substitution.
            Self::Spark => {
                let part = part.replace('\\', "\\\\").replace('\'', "\\'").replace("${", "$' || '{");
                if part.contains("' || '") { format!("('{part}')") } else { format!("'{part}'") }
            }
        });
        let parts: Vec<String> = parts.collect();
        match parts.as_slice() {
            [whole] => whole.clone(),
            // No literal may contain this character.
            parts => format!("({})", parts.join(" || chr(0) || ")),
        }
    }

    /// Returns a name between quotes. Names are made by [`crate::column_names`], so no name contains a quote.
    pub(crate) fn name_of(self, name: &str) -> String {
        match self {
            Self::DuckDb | Self::DataFusion => format!("\"{name}\""),
            Self::Spark => format!("`{name}`"),
        }
    }

    /// Returns an expression that ends the query with an error if it is evaluated.
    pub(crate) fn refuse(self, why: &str) -> String {
        let message = self.text(&format!("sql::unsupported: {why}"));
        match self {
            Self::DuckDb => format!("error({message})"),
            Self::Spark => format!("raise_error({message})"),
            // It has no function for that, but this text is not a number. It must not be a constant, which would be cast
            // before the query runs.
            Self::DataFusion => format!("CAST({message} || CAST(random() AS VARCHAR) AS BIGINT)"),
        }
    }

    /// Like [`Self::refuse`], for an expression that must have the type of texts.
    pub(crate) fn refuse_text(self, why: &str) -> String {
        format!("CAST({} AS {})", self.refuse(why), self.text_type())
    }

    /// Like [`Self::refuse`], for a condition.
    pub(crate) fn refuse_truth(self, why: &str) -> String {
        format!("CAST({} AS BOOLEAN)", self.refuse(why))
    }

    pub(crate) fn double(self, text: &str) -> String {
        format!("CAST({} AS DOUBLE)", self.text(text))
    }

    /// Returns a text as a double. It is the nearest one.
    pub(crate) fn text_as_double(self, text: &str) -> String {
        format!("CAST(CAST({text} AS {}) AS DOUBLE)", self.text_type())
    }

    /// The type of texts.
    pub fn text_type(self) -> &'static str {
        match self {
            Self::DuckDb | Self::DataFusion => "VARCHAR",
            Self::Spark => "STRING",
        }
    }

    pub(crate) fn length(self, text: &str) -> String {
        match self {
            Self::DuckDb => format!("length({text})"),
            Self::Spark | Self::DataFusion => format!("char_length({text})"),
        }
    }

    pub(crate) fn starts_with(self, text: &str, part: &str) -> String {
        match self {
            Self::DuckDb | Self::DataFusion => format!("starts_with({text}, {part})"),
            Self::Spark => format!("startswith({text}, {part})"),
        }
    }

    pub(crate) fn ends_with(self, text: &str, part: &str) -> String {
        match self {
            Self::DuckDb | Self::DataFusion => format!("ends_with({text}, {part})"),
            Self::Spark => format!("endswith({text}, {part})"),
        }
    }

    /// Returns the place of a text in another one, counted in characters from 1, or 0.
    pub(crate) fn place_of(self, text: &str, part: &str) -> String {
        match self {
            Self::DuckDb | Self::DataFusion => format!("strpos({text}, {part})"),
            Self::Spark => format!("instr({text}, {part})"),
        }
    }

    /// Returns a condition on a text and a pattern that all dialects read in the same way.
    pub(crate) fn matches(self, text: &str, pattern: &str) -> String {
        self.matches_computed(text, &self.text(pattern))
    }

    /// Like [`Self::matches`], for a pattern that is an expression.
    pub(crate) fn matches_computed(self, text: &str, pattern: &str) -> String {
        match self {
            Self::DuckDb => format!("regexp_matches({text}, {pattern})"),
            Self::Spark => format!("({text} RLIKE {pattern})"),
            Self::DataFusion => format!("regexp_like({text}, {pattern})"),
        }
    }

    pub(crate) fn is_nan(self, number: &str) -> String {
        format!("isnan({number})")
    }

    /// Returns a condition on a text that has the form of a date: that there is such a day.
    pub(crate) fn is_day(self, text: &str) -> String {
        match self {
            Self::DuckDb | Self::DataFusion => format!("TRY_CAST({text} AS DATE) IS NOT NULL"),
            Self::Spark => format!("try_cast({text} AS DATE) IS NOT NULL"),
        }
    }
}

impl fmt::Display for SqlDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_literal() {
        let hostile = "a'; DROP TABLE quads; --\\' ${x}";
        assert_eq!(SqlDialect::DuckDb.text(hostile), "'a''; DROP TABLE quads; --\\'' ${x}'");
        assert_eq!(SqlDialect::Spark.text(hostile), "('a\\'; DROP TABLE quads; --\\\\\\' $' || '{x}')");
        assert_eq!(SqlDialect::DuckDb.text("a\0b"), "('a' || chr(0) || 'b')");
    }
}
