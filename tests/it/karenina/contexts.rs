//! The built-in contexts: what they hold and under which addresses they are found.

use evalgraph::jsonld::{BuiltIn, CheckpointSampleContext, DocumentLoader, LoadDocumentOptions, LoadError};

#[test]
fn schema_org_has_the_coercions_of_release_30() {
    let context = BuiltIn::named("schema.org").expect("schema.org is built in");
    let terms = context.get(context.root(), "@context").expect("it is a context document");
    let coerced = |to: &str| {
        let coercions = context.members(terms).filter_map(|term| context.get(term.value, "@type"));
        coercions.filter(|&coercion| context.string(coercion).as_deref() == Some(to)).count()
    };
    assert_eq!(coerced("@id"), 80);
    assert_eq!(coerced("Date"), 46);
    let prefixes = context.members(terms).filter(|term| {
        context.string(term.value).is_some_and(|iri| iri.contains(':') && iri != "http://schema.org/")
    });
    assert_eq!(prefixes.count(), 73);
    assert!(context.duplicate_keys().is_empty());
    let vocabulary = context.get(terms, "@vocab").and_then(|value| context.string(value));
    assert_eq!(vocabulary.as_deref(), Some("http://schema.org/"));
}

#[test]
fn schema_org_is_found_under_each_of_its_addresses() {
    for scheme in ["http://", "https://"] {
        for host in ["schema.org", "www.schema.org"] {
            for path in ["", "/", "/docs/jsonldcontext.jsonld", "/docs/jsonldcontext.json"] {
                let url = format!("{scheme}{host}{path}");
                let remote =
                    BuiltIn.load(&url, &LoadDocumentOptions::for_context()).expect("schema.org is built in");
                assert_eq!(remote.document_url, url);
            }
        }
    }
    for url in ["http://schema.org/Question", "http://schema.organic/", "ftp://schema.org/", "schema.org"] {
        assert_eq!(
            BuiltIn.load(url, &LoadDocumentOptions::for_context()).err(),
            Some(LoadError::Unknown),
            "{url}"
        );
    }
}

#[test]
fn contexts_are_found_by_name_and_by_urn() {
    for name in BuiltIn::NAMES {
        let document = BuiltIn::named(name).expect("every name has a context");
        assert!(document.get(document.root(), "@context").is_some(), "{name}");
        BuiltIn
            .load(&format!("urn:evalgraph:context:{name}"), &LoadDocumentOptions::for_context())
            .expect("and a URN");
    }
    assert!(BuiltIn::named("kareninn").is_none());
}

#[test]
fn the_samples_context_is_the_specifications_wherever_it_is_said_to_lie() {
    let found = CheckpointSampleContext
        .load("file:///home/ann/src/contexts/schema-org.jsonld", &LoadDocumentOptions::for_context());
    let document = found.expect("the sample's context is built in").document;
    assert_eq!(&**document.name(), "built-in context karenina-spec");
    let other = CheckpointSampleContext
        .load("file:///home/ann/contexts/other.jsonld", &LoadDocumentOptions::for_context());
    assert_eq!(other.err(), Some(LoadError::Unknown));
}
