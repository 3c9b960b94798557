//! A person or organisation that is given as an object.

use crate::checkpoint::model::PlacedValue;

/// A person or organisation that is given as an object.
pub(super) struct CreatorObject {
    /// The members that are strings.
    pub(super) fields: Vec<(String, String)>,
    /// `true` if the library's model of a person can represent all of it.
    pub(super) is_plain: bool,
}

impl CreatorObject {
    pub(super) fn from_creator(creator: &PlacedValue<'_>) -> Self {
        let mut person = Self { fields: Vec::new(), is_plain: true };
        let json = creator.as_json().to_owned();
        let Ok(document) = evalgraph_json::parse("creator", json, evalgraph_json::Limits::default()) else {
            return Self { is_plain: false, ..person };
        };
        for member in document.members(document.root()) {
            let key = document.symbol_text(member.symbol);
            match (key, document.string(member.value)) {
                ("@type", Some(class)) => person.is_plain &= class == "Person",
                ("name" | "url" | "email", Some(text)) => {
                    person.fields.push((key.to_owned(), text.into_owned()));
                }
                _ => person.is_plain = false,
            }
        }
        person.is_plain &= person.name().is_some();
        person
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.fields.iter().find(|(key, _)| key == "name").map(|(_, name)| name.as_str())
    }
}

/// Returns the name of a person that has no other members.
pub(in crate::checkpoint) fn bare_name(creator: &PlacedValue<'_>) -> Option<String> {
    let person = CreatorObject::from_creator(creator);
    let only_name = person.is_plain && person.fields.len() == 1;
    only_name.then(|| person.name().map(str::to_owned))?
}
