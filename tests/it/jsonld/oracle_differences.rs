//! Where the peers are known to differ, each with the sentence of the specification that decides.

use crate::jsonld::oracle_peers::Peer;
use crate::rdf::isomorphism::{Quad, Term};
use std::collections::BTreeSet;

/// Inputs of the suites on which a peer answers something else.
pub(crate) struct SuiteDifference {
    pub(crate) peer: Peer,
    pub(crate) tests: &'static [&'static str],
    /// What the peer does, and the sentence that decides.
    #[expect(dead_code, reason = "it is written for the reader")]
    pub(crate) sentence: &'static str,
}

/// All of them.
pub(crate) const SUITE_DIFFERENCES: &[SuiteDifference] = &[
    SuiteDifference {
        peer: Peer::Oxjsonld,
        tests: &["expand#t0062", "expand#t0091", "toRdf#t0122", "toRdf#t0123", "toRdf#te062", "toRdf#te091"],
        sentence: "oxjsonld removes no dot segments that come from the base. IRI resolution is that of RFC \
                   3986, 5.2.4 (`remove_dot_segments`), and the tests' expected results say so",
    },
    SuiteDifference { peer: Peer::Oxjsonld, tests: &["expand#tc013", "toRdf#tc013"], sentence: FROM_MAP },
    SuiteDifference {
        peer: Peer::JsonLdCrate,
        tests: &["expand#t0122", "toRdf#te122"],
        sentence: "json-ld makes a node of an `@id` that looks like a keyword. IRI Expansion, step 2: `if value \
                   has the form of a keyword, a processor SHOULD generate a warning and return null`",
    },
    SuiteDifference {
        peer: Peer::JsonLdCrate,
        tests: &["expand#t0131"],
        sentence: "json-ld loses the index property below a reverse property. Expansion, step 13.8.3.7.2.4: \
                   `add the key-value pair (expanded index key-index property values) to item`, for reverse \
                   properties too",
    },
    SuiteDifference {
        peer: Peer::JsonLdCrate,
        tests: &["toRdf#tdi09", "toRdf#tdi10"],
        sentence: "json-ld leaves out the underscore without a language and keeps the case of the tag. Object \
                   to RDF Conversion, step 13.2: `appending language and the value of @direction in \
                   item separated by an underscore`, after `normalized to lower case` (13.1)",
    },
    SuiteDifference {
        peer: Peer::JsonLdCrate,
        tests: &["toRdf#tdi11", "toRdf#tdi12"],
        sentence: "json-ld leaves the compound literal empty. Object to RDF Conversion, steps 13.3.2 to \
                   13.3.4: triples for `rdf:value`, `rdf:language` and `rdf:direction`",
    },
];

/// Brings doubles that a peer made from numbers into the form of the specification, whatever the
/// datatype that they are coerced to.
///
/// JSON-LD API, Data Round Tripping: "the mantissa is rounded to 15 digits after the decimal point". oxjsonld keeps
/// all digits of the text, the json-ld crate the shortest digits that read back as the same value.
pub(crate) fn with_canonical_doubles(quads: &BTreeSet<Quad>) -> BTreeSet<Quad> {
    let canonical = |term: Term| match &term {
        Term::Ground(text) => text
            .strip_prefix('"')
            .and_then(|text| text.split_once("\"^^"))
            .filter(|(lexical, _)| is_canonical_like(lexical))
            .and_then(|(lexical, datatype)| Some((lexical.parse::<f64>().ok()?, datatype)))
            // The largest double is beyond all doubles when it is rounded to 15 digits.
            .filter(|(value, _)| value.is_finite())
            .map_or(term.clone(), |(value, datatype)| {
                Term::Ground(format!("\"{}\"^^{datatype}", canonical_double(value)))
            }),
        Term::Blank(_) => term,
    };
    quads.iter().cloned().map(|quad| quad.map(canonical)).collect()
}

fn is_canonical_like(lexical: &str) -> bool {
    let Some((mantissa, exponent)) = lexical.split_once('E') else { return false };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = |text: &str| digits(text.strip_prefix('-').unwrap_or(text));
    mantissa.split_once('.').is_some_and(|(whole, fraction)| unsigned(whole) && digits(fraction))
        && unsigned(exponent)
}

/// `%1.15E` without needless zeros, as section 8.6 describes it.
fn canonical_double(value: f64) -> String {
    let text = format!("{value:.15E}");
    let (mantissa, exponent) = text.split_once('E').expect("it was written with an exponent");
    let mantissa = mantissa.trim_end_matches('0');
    let zero = if mantissa.ends_with('.') { "0" } else { "" };
    format!("{mantissa}{zero}E{exponent}")
}

/// Returns whether a generated document has something on which a peer is known to differ.
///
/// `body` is the document without its context.
pub(crate) fn excused(peer: Peer, body: &str) -> bool {
    GENERATED_DIFFERENCES.iter().any(|difference| {
        difference.peer == peer && difference.texts.iter().all(|known| body.contains(known))
    })
}

/// Texts which, all in one generated document, make a peer answer something else.
struct GeneratedDifference {
    peer: Peer,
    texts: &'static [&'static str],
    /// What the peer does, and the sentence that decides.
    #[expect(dead_code, reason = "it is written for the reader")]
    sentence: &'static str,
}

const JSON_LD_NUMBERS: &str = "json-ld takes integers of more than 53 bits, and some with a fraction of \
    zeros, as doubles. Object to RDF Conversion, step 10: a number is a double with `a non-zero fractional \
    part (the result of a modulo-1 operation) or an absolute value greater or equal to 10^21`";

const GENERATED_DIFFERENCES: &[GeneratedDifference] = &[
    GeneratedDifference { peer: Peer::JsonLdCrate, texts: &["1e20"], sentence: JSON_LD_NUMBERS },
    GeneratedDifference {
        peer: Peer::JsonLdCrate,
        texts: &["123456789012345678"],
        sentence: JSON_LD_NUMBERS,
    },
    GeneratedDifference { peer: Peer::JsonLdCrate, texts: &["1.0"], sentence: JSON_LD_NUMBERS },
    GeneratedDifference { peer: Peer::JsonLdCrate, texts: &["100.00"], sentence: JSON_LD_NUMBERS },
    GeneratedDifference { peer: Peer::JsonLdCrate, texts: &["1e3"], sentence: JSON_LD_NUMBERS },
    GeneratedDifference {
        peer: Peer::JsonLdCrate,
        texts: &["\"isPlainOf\"", "\"@reverse\""],
        sentence: "json-ld reports colliding keywords where a reverse term stands before `@reverse`, and none \
                   where it stands behind. Expansion, step 13.4.13.4.1: `set reverse map to the value of the \
                   @reverse entry in result, initializing it to an empty map, if necessary`",
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["\"untyped\": "],
        sentence: "oxjsonld gives no default language to a string whose term has the type mapping `@none`. \
                   Value Expansion, step 4: `if active property has a type mapping in active context, other \
                   than @id, @vocab, or @none`; step 5: `otherwise, if value is a string`, the language",
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["\"unmapped\": ", "\"@list\""],
        sentence: "oxjsonld yields the cells of a list below an unmapped key. Expansion, step 13.3: `if \
                   expanded property is null or it neither contains a colon nor it is a keyword, drop key`",
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["\"graphBy", ": {}"],
        sentence: "oxjsonld drops an empty node in a graph map. Expansion, step 13.8.3.7.1: the item becomes \
                   `a new map containing the key-value pair @graph-item`; an empty map is dropped by step 19 \
                   only where `active property is null or @graph`",
    },
    GeneratedDifference {
        peer: Peer::JsonLdCrate,
        texts: &["\"byType\"", "Scoped\""],
        sentence: "json-ld keeps a type-scoped context that a type map brought in for the nodes below. JSON-LD \
                   1.1, 4.1.3: type-scoped contexts are `only in effect for the node object on which the type \
                   is used; the previous in-scope contexts are placed back into effect when traversing into \
                   another node object`",
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["Scoped\"", "\"@reverse\""],
        sentence: "oxjsonld keeps a type-scoped context in the nodes of `@reverse`. Expansion, step 7: `set \
                   active context to previous context from active context`",
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["\"unmapped\": ", "ist\": ["],
        sentence: "oxjsonld yields the cells of a list below an unmapped key. Expansion, step 13.3: `drop key`",
    },
    GeneratedDifference { peer: Peer::Oxjsonld, texts: CODE_UNITS, sentence: CODE_UNIT_ORDER },
    GeneratedDifference { peer: Peer::JsonLdCrate, texts: CODE_UNITS, sentence: CODE_UNIT_ORDER },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["1e20"],
        sentence: "oxjsonld takes integers of 21 digits as doubles. Object to RDF Conversion, step 10: `an \
                   absolute value greater or equal to 10^21`",
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["\"byType\"", "id\": "],
        sentence: "oxjsonld refuses a type map whose nodes begin with an id, as if the type were a key behind \
                   it. Expansion, step 13.8.3.7.5: `expanded index followed by any existing values of @type in item`, \
                   whatever the order of keys",
    },
    GeneratedDifference {
        peer: Peer::JsonLdCrate,
        texts: &["-0"],
        sentence: "json-ld keeps the sign of a zero. RFC 8785, 3.2.2.3: numbers as ECMAScript writes them, \
                   which has `If x is either +0 or -0, return \"0\"`; xsd:integer has the canonical form 0",
    },
    GeneratedDifference {
        peer: Peer::JsonLdCrate,
        texts: &["\"reference\": ", "\"@list\"", "quoted"],
        sentence: "json-ld leaves a cell without identity where its value is not an IRI. List Conversion, step \
                   3.2: `unless object is null, append a triple composed of subject, rdf:first, and object`",
    },
    GeneratedDifference { peer: Peer::JsonLdCrate, texts: &["raph", "\"@json\""], sentence: JSON_IN_GRAPH },
    GeneratedDifference { peer: Peer::JsonLdCrate, texts: &["raph", "\"json\": "], sentence: JSON_IN_GRAPH },
    GeneratedDifference {
        peer: Peer::JsonLdCrate,
        texts: &["@included", "\"@json\""],
        sentence: JSON_IN_GRAPH,
    },
    GeneratedDifference {
        peer: Peer::JsonLdCrate,
        texts: &["@included", "\"json\": "],
        sentence: JSON_IN_GRAPH,
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["\"unmapped\": ", "type\": "],
        sentence: "oxjsonld yields the types of a node below an unmapped key. Expansion, step 13.3: `drop key`",
    },
    GeneratedDifference { peer: Peer::Oxjsonld, texts: &["\"list\"", "\"@set\""], sentence: SET_IN_LIST },
    GeneratedDifference { peer: Peer::Oxjsonld, texts: &["\"@list\"", "\"@set\""], sentence: SET_IN_LIST },
    GeneratedDifference { peer: Peer::Oxjsonld, texts: &["\"list\"", "\"@list\""], sentence: SET_IN_LIST },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["Scoped\"", "\"nested\""],
        sentence: "oxjsonld leaves the type-scoped context in a nested object. Expansion, step 14.2.2: \
                   `recursively repeat steps 3, 8, 13, and 14 using nested value for element`, with the same \
                   active context",
    },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["Scoped\"", "prop"],
        // `property` and `unpropagated`.
        sentence: "oxjsonld forgets a property-scoped context one level down where a type-scoped one stands \
                   above. Context Processing, step 1: `@propagate` is true unless said otherwise; only \
                   type-scoped contexts are reverted by Expansion, step 7",
    },
    GeneratedDifference { peer: Peer::Oxjsonld, texts: &["Scoped\"", "ndex\": {"], sentence: FROM_MAP },
    GeneratedDifference {
        peer: Peer::Oxjsonld,
        texts: &["\"unpropagated\"", "ndex\": {"],
        sentence: FROM_MAP,
    },
];

const CODE_UNITS: &[&str] = &["\"\u{1f600}\": ", "\"\u{fb33}\": "];
const CODE_UNIT_ORDER: &str = "both peers sort the keys of JSON literals by code points. RFC 8785, 3.2.3: \
    `property name strings to be sorted are formatted as arrays of UTF-16 code units`";

const JSON_IN_GRAPH: &str = "json-ld does not canonicalize JSON literals in graphs and included nodes. Object to \
    RDF Conversion, step 8: `convert value to the canonical lexical form`, RFC 8785";

const SET_IN_LIST: &str = "oxjsonld puts the members of a set, or of an array in `@list`, into the list around it. Expansion, step 5.2.2: \
    `if the container mapping of active property includes @list, and expanded item is an array, set expanded \
    item to a new map containing the entry @list`";

const FROM_MAP: &str = "oxjsonld goes back to the previous context in an index map. Expansion, step 7: `if \
    from map is undefined or false`, and step 13.8.3.6: `true for from map`";
