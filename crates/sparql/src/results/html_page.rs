//! Solutions as a page for a browser: one file with a table, which loads no other files and runs no scripts.

use std::io::{self, Write};

use oxrdf::{Term, Variable};

use crate::results::display::{datatype_suffix, is_number};
use crate::results::web_link::web_link;
use crate::text::prefixes::QueryPrefixes;
use evalgraph_diagnostics::markup::{escaped, push_escaped};
use evalgraph_diagnostics::thousands;

const STYLE: &str = include_str!("html_page.css");
/// The digest of the style. The policy of the page allows only this style.
const STYLE_DIGEST: &str = "sha256-A05ggPYRfnD5yw/Iretj7qjG4HWSm+isZndGbfEYp/M=";

/// Writes solutions as rows of the table of a page.
pub(crate) struct HtmlWriter<'p> {
    prefixes: &'p QueryPrefixes,
    rows: u64,
    /// The markup of a row. Its memory is reused for the next row.
    row: String,
}

impl<'p> HtmlWriter<'p> {
    /// Writes the beginning of the page, with the names of the columns.
    pub(crate) fn new(
        variables: &[Variable],
        prefixes: &'p QueryPrefixes,
        output: &mut impl Write,
    ) -> io::Result<Self> {
        write_head(output)?;
        output.write_all(b"<table>\n<thead><tr>")?;
        for variable in variables {
            write!(output, "<th scope=\"col\" dir=\"auto\">{}</th>", escaped(variable.as_str()))?;
        }
        output.write_all(b"</tr></thead>\n<tbody>\n")?;
        Ok(Self { prefixes, rows: 0, row: String::new() })
    }

    pub(crate) fn add(&mut self, values: &[Option<Term>], output: &mut impl Write) -> io::Result<()> {
        self.rows += 1;
        self.row.clear();
        self.row.push_str("<tr>");
        for value in values {
            match value {
                Some(term) => push_cell(term, self.prefixes, &mut self.row),
                None => self.row.push_str("<td></td>"),
            }
        }
        self.row.push_str("</tr>\n");
        output.write_all(self.row.as_bytes())
    }

    /// Writes the end of the page.
    pub(crate) fn finish(self, output: &mut impl Write) -> io::Result<()> {
        let noun = if self.rows == 1 { "row" } else { "rows" };
        write!(output, "</tbody>\n</table>\n<p>{} {noun}</p>\n</body>\n</html>\n", thousands(self.rows))
    }
}

/// Writes the answer of ASK as a page.
pub(crate) fn write_boolean_page(answer: bool, output: &mut impl Write) -> io::Result<()> {
    write_head(output)?;
    write!(output, "<p>{answer}</p>\n</body>\n</html>\n")
}

fn write_head(output: &mut impl Write) -> io::Result<()> {
    write!(
        output,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{STYLE_DIGEST}'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Query results</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>Query results</h1>\n"
    )
}

fn push_cell(term: &Term, prefixes: &QueryPrefixes, row: &mut String) {
    match term {
        Term::NamedNode(node) => {
            let iri = node.as_str();
            let shown = prefixes.shorten(iri);
            row.push_str("<td dir=\"auto\">");
            let link = web_link(iri);
            if let Some(link) = &link {
                row.push_str("<a href=\"");
                push_escaped(link, row);
                row.push_str("\">");
            }
            push_escaped(shown.as_deref().unwrap_or(iri), row);
            row.push_str(if link.is_some() { "</a></td>" } else { "</td>" });
        }
        Term::BlankNode(node) => {
            row.push_str("<td>_:");
            push_escaped(node.as_str(), row);
            row.push_str("</td>");
        }
        Term::Literal(literal) => {
            row.push_str(if is_number(literal) { "<td class=\"number\"" } else { "<td dir=\"auto\"" });
            if let Some(language) = literal.language() {
                row.push_str(" lang=\"");
                push_escaped(language, row);
                row.push('"');
            }
            row.push('>');
            push_text(literal.value(), row);
            let suffix = datatype_suffix(literal, prefixes);
            if !suffix.is_empty() {
                row.push_str("<small>");
                push_escaped(&suffix, row);
                row.push_str("</small>");
            }
            row.push_str("</td>");
        }
    }
}

/// Appends a string, keeping its lines and tabs.
fn push_text(text: &str, row: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\t']) {
        let (before, after) = rest.split_at(at);
        // A parser reads a carriage return with a line feed as one line feed.
        push_escaped(
            if after.starts_with('\n') { before.strip_suffix('\r').unwrap_or(before) } else { before },
            row,
        );
        let (sign, after) = after.split_at(1);
        row.push_str(sign);
        rest = after;
    }
    push_escaped(rest, row);
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use sha2::{Digest as _, Sha256};

    use super::{STYLE, STYLE_DIGEST};

    /// A digest as it is written in policies.
    fn digest(text: &str) -> String {
        format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
    }

    #[test]
    fn the_policy_allows_the_style() {
        assert_eq!(digest(STYLE), STYLE_DIGEST);
        assert!(!STYLE.contains("</"));
    }
}
