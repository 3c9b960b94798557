//! The names of columns: those of the variables where possible. No two differ only in upper and lower case, and none
//! contains a character that has a meaning in SQL.

use std::collections::{HashMap, HashSet};

use super::sql_value::ValuePart;

/// The names that the columns of variables begin with.
#[derive(Debug, Default)]
pub(crate) struct ColumnNames {
    names: HashMap<String, String>,
    taken: HashSet<String>,
}

impl ColumnNames {
    /// Returns the name that the columns of a variable begin with.
    pub(crate) fn name(&mut self, variable: &str) -> String {
        if let Some(name) = self.names.get(variable) {
            return name.clone();
        }
        let plain =
            |c: char| if c.is_ascii_alphanumeric() || c == '_' { c.to_ascii_lowercase() } else { '_' };
        let mut base: String = variable.chars().map(plain).collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic()) {
            base = format!("v{base}");
        }
        let mut name = base.clone();
        let mut number = 2;
        while !self.is_free(&name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        self.taken.extend(columns(&name));
        self.names.insert(variable.to_owned(), name.clone());
        name
    }

    fn is_free(&self, name: &str) -> bool {
        columns(name).all(|column| !self.taken.contains(&column))
    }
}

fn columns(name: &str) -> impl Iterator<Item = String> {
    ValuePart::ALL.into_iter().map(move |part| format!("{name}{}", part.ending()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_columns_have_one_name() {
        let mut names = ColumnNames::default();
        let found = ["q", "Q", "q_id", "é", "1", "q\" FROM x"].map(|variable| names.name(variable));
        assert_eq!(found, ["q", "q_2", "q_id_2", "v_", "v1", "q__from_x"]);
    }
}
