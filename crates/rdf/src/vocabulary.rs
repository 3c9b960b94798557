//! The IRIs that the program uses by name.

/// RDF 1.1, section 4 of the RDF Schema recommendation.
pub mod rdf {
    /// The class of a node.
    pub const TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
    /// The first item of a list.
    pub const FIRST: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first";
    /// The rest of a list.
    pub const REST: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest";
    /// The empty list.
    pub const NIL: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil";
    /// The class of lists.
    pub const LIST: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#List";
    /// The datatype of strings with a language.
    pub const LANG_STRING: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";
    /// The datatype of JSON literals.
    pub const JSON: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON";
    /// The value of a compound literal.
    pub const VALUE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value";
    /// The language of a compound literal.
    pub const LANGUAGE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#language";
    /// The base direction of a compound literal.
    pub const DIRECTION: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#direction";
}

/// The namespace of Croissant.
pub const CROISSANT: &str = "http://mlcommons.org/croissant/";

/// XML Schema datatypes.
pub mod xsd {
    /// Character strings.
    pub const STRING: &str = "http://www.w3.org/2001/XMLSchema#string";
    /// `true` and `false`.
    pub const BOOLEAN: &str = "http://www.w3.org/2001/XMLSchema#boolean";
    /// Integers of any size.
    pub const INTEGER: &str = "http://www.w3.org/2001/XMLSchema#integer";
    /// Integers from 0.
    pub const NON_NEGATIVE_INTEGER: &str = "http://www.w3.org/2001/XMLSchema#nonNegativeInteger";
    /// Decimal numbers.
    pub const DECIMAL: &str = "http://www.w3.org/2001/XMLSchema#decimal";
    /// IEEE 754 binary64.
    pub const DOUBLE: &str = "http://www.w3.org/2001/XMLSchema#double";
    /// IEEE 754 binary32.
    pub const FLOAT: &str = "http://www.w3.org/2001/XMLSchema#float";
    /// Dates with a time of day.
    pub const DATE_TIME: &str = "http://www.w3.org/2001/XMLSchema#dateTime";
    /// Dates.
    pub const DATE: &str = "http://www.w3.org/2001/XMLSchema#date";
}

/// Terms of the Data Catalog Vocabulary.
pub mod dcat {
    /// A collection of data.
    pub const DATASET: &str = "http://www.w3.org/ns/dcat#Dataset";
    /// A file that contains a dataset.
    pub const DISTRIBUTION: &str = "http://www.w3.org/ns/dcat#Distribution";
    /// The file of a dataset.
    pub const DISTRIBUTION_OF: &str = "http://www.w3.org/ns/dcat#distribution";
    /// The size of a file.
    pub const BYTE_SIZE: &str = "http://www.w3.org/ns/dcat#byteSize";
}

/// Terms of DCMI.
pub mod dcterms {
    /// A standard that something conforms to.
    pub const CONFORMS_TO: &str = "http://purl.org/dc/terms/conformsTo";
    /// The name given to something.
    pub const TITLE: &str = "http://purl.org/dc/terms/title";
}

/// Terms of the PROV ontology.
pub mod prov {
    /// Something that has a provenance.
    pub const ENTITY: &str = "http://www.w3.org/ns/prov#Entity";
    /// When something was created.
    pub const GENERATED_AT_TIME: &str = "http://www.w3.org/ns/prov#generatedAtTime";
}

/// Terms of our own vocabulary.
pub mod evalgraph {
    /// The dialect in which a file was read.
    pub const DIALECT: &str = "urn:evalgraph:vocab:dialect";
    /// The node that a file begins with.
    pub const ROOT: &str = "urn:evalgraph:vocab:root";
    /// The JSON-LD context of a file.
    pub const CONTEXT: &str = "urn:evalgraph:vocab:context";
    /// How a file or a node in it was written.
    pub const LAYOUT: &str = "urn:evalgraph:vocab:layout";
    /// The layout of the text of a file other than JSON-LD.
    pub const STYLE: &str = "urn:evalgraph:vocab:style";
    /// The content that a file other than JSON-LD has beyond its graph.
    pub const DIFFERENCE: &str = "urn:evalgraph:vocab:difference";
    /// The spelling of the values in a file other than JSON.
    pub const FORM: &str = "urn:evalgraph:vocab:form";
    /// The digest that shows that a graph is unchanged since it was read.
    pub const DIGEST: &str = "urn:evalgraph:vocab:digest";
    /// The facts that a store has about a document, in a dump.
    pub const DOCUMENT: &str = "urn:evalgraph:vocab:document";
    /// The position of a node in its array.
    pub const POSITION: &str = "urn:evalgraph:vocab:position";
    /// The system of a file or question.
    pub const SYSTEM: &str = "urn:evalgraph:vocab:system";
    /// The name of a dataset.
    pub const DATASET: &str = "urn:evalgraph:vocab:dataset";
    /// The id of a question in its file.
    pub const LOCAL_ID: &str = "urn:evalgraph:vocab:localId";
    /// The key that questions with the same text share.
    pub const TEXT_KEY: &str = "urn:evalgraph:vocab:textKey";
    /// The key that questions share even if their punctuation differs.
    pub const LOOSE_KEY: &str = "urn:evalgraph:vocab:looseKey";
    /// A file says that it has no answer to a question: a boolean.
    pub const IS_IMPOSSIBLE: &str = "urn:evalgraph:vocab:isImpossible";
    /// The key that all names of one document share.
    pub const DOCUMENT_KEY: &str = "urn:evalgraph:vocab:documentKey";
    /// How far experts disagree on a task.
    pub const DISAGREEMENT: &str = "urn:evalgraph:vocab:disagreement";
    /// Experts disagree more than the threshold allows.
    pub const CONTESTED: &str = "urn:evalgraph:vocab:contested";
    /// A file answers a question: a boolean.
    pub const ANSWERABLE: &str = "urn:evalgraph:vocab:answerable";
    /// The text of the accepted answer to a question.
    pub const ANSWER: &str = "urn:evalgraph:vocab:answer";
    /// The path of a file as given.
    pub const PATH: &str = "urn:evalgraph:vocab:path";
    /// How many questions a file has.
    pub const QUESTION_COUNT: &str = "urn:evalgraph:vocab:questionCount";
    /// How many triples the graph of a file has.
    pub const TRIPLE_COUNT: &str = "urn:evalgraph:vocab:tripleCount";
    /// On a server, the graph beside a graph that is being sent.
    pub const STAGED_IN: &str = "urn:evalgraph:vocab:stagedIn";
    /// On a server, the graph that has taken the place of a graph.
    pub const PLACED_FROM: &str = "urn:evalgraph:vocab:placedFrom";
}

/// Names that the program uses during an evaluation. Queries cannot contain them: no local name begins with a dot.
pub mod evaluator {
    /// The beginning of the name of a union of graphs. The names of the graphs follow, each after a space. No graph of
    /// the store has such a name; the view recognises it in a query.
    pub const UNION_OF: &str = "urn:evalgraph:fn:.unionOf";
    /// The document of named graphs that belong to no document. It has no triples, so it is never visible.
    pub const NO_DOCUMENT: &str = "urn:evalgraph:fn:.noDocument";
    /// The source of a LOAD that loads nothing, but checks that its destination exists: COPY, MOVE and ADD "may return
    /// failure if the input graph does not exist" (SPARQL 1.1 Update, sections 3.2.3 to 3.2.5), and a mistyped name
    /// would otherwise clear the other graph. There are no empty graphs: a graph without triples does not exist.
    pub const SOURCE: &str = "urn:evalgraph:fn:.source";
    /// The function that returns the blank node of the dataset with a given label.
    pub const BLANK_NODE: &str = "urn:evalgraph:fn:.blankNode";
    /// BNODE with a string argument.
    pub const BLANK_NODE_OF_SOLUTION: &str = "urn:evalgraph:fn:.blankNodeOfSolution";
}

/// schema.org in the one namespace that the store uses.
pub const SCHEMA_ORG: &str = "http://schema.org/";
/// The usual prefix of the vocabulary of checkpoints.
pub const CHECKPOINT_PREFIX: &str = "karenina";
/// The current vocabulary of checkpoints, which Karenina's programs write.
pub const CHECKPOINT: &str = "urn:karenina:vocab:";
/// Our vocabulary.
pub const EVALGRAPH: &str = "urn:evalgraph:vocab:";
/// Our functions.
pub const EVALGRAPH_FUNCTION: &str = "urn:evalgraph:fn:";
/// The contexts that are built in, by their names.
pub const EVALGRAPH_CONTEXT: &str = "urn:evalgraph:context:";

/// The local name of an IRI in another spelling of the schema.org namespace.
pub fn schema_org_alias(iri: &str) -> Option<&str> {
    const ALIASES: [&str; 3] = ["https://schema.org/", "http://www.schema.org/", "https://www.schema.org/"];
    ALIASES.iter().find_map(|alias| iri.strip_prefix(alias))
}
