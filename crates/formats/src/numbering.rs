//! Makes names unique by appending numbers, in time that does not grow with the repetitions of a name.

use hashbrown::HashMap;

/// The next number of each name. A number that was taken stays taken, so counting goes on where it ended.
#[derive(Debug, Default)]
pub struct NameNumbering {
    next: HashMap<String, u64>,
}

impl NameNumbering {
    /// Returns the first free name, counting from `first`; `named` makes a name with a number.
    pub fn free(
        &mut self,
        name: &str,
        first: u64,
        named: impl Fn(u64) -> String,
        is_free: impl Fn(&str) -> bool,
    ) -> String {
        let next = self.next.entry_ref(name).or_insert(first);
        loop {
            let candidate = named(*next);
            *next += 1;
            if is_free(&candidate) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NameNumbering;
    use hashbrown::HashSet;
    use std::cell::Cell;

    #[test]
    fn many_equal_names_are_looked_up_once_each() {
        let mut numbering = NameNumbering::default();
        let mut taken: HashSet<String> = HashSet::from_iter(["a-7".to_owned()]);
        let looked_up = Cell::new(0);
        let mut names = Vec::new();
        for _ in 0..1000 {
            let is_free = |name: &str| {
                looked_up.set(looked_up.get() + 1);
                !taken.contains(name)
            };
            let name = numbering.free("a", 2, |number| format!("a-{number}"), is_free);
            assert!(taken.insert(name.clone()), "{name}");
            names.push(name);
        }
        assert_eq!((names[0].as_str(), names[5].as_str(), names[999].as_str()), ("a-2", "a-8", "a-1002"));
        assert_eq!(looked_up.get(), 1001);
    }
}
