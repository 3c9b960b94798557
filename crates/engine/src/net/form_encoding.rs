//! Bodies of the media type `application/x-www-form-urlencoded`.

use evalgraph_rdf::iri::percent_encode_into;

/// The media type.
pub const FORM: &str = "application/x-www-form-urlencoded";

/// A form with these names and values.
pub fn form<'f>(fields: impl IntoIterator<Item = (&'f str, &'f str)>) -> String {
    let mut form = String::new();
    for (name, value) in fields {
        form.reserve(name.len() + value.len() * 2);
        form.push_str(if form.is_empty() { "" } else { "&" });
        form.push_str(name);
        form.push('=');
        percent_encode_into(value, &mut form);
    }
    form
}
