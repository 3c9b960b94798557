//! The IRIs that are made here, read back: names of graphs and ids of nodes come out as they went in.

use evalgraph::rdf::iri::is_iri;
use evalgraph::rdf::minted::{
    CATALOG, behind_dataset, dataset_and_part, document_graph, document_of_sidecar, encoded_dataset_and_part,
    is_beside_documents, is_ours, is_sidecar, node, node_base, node_base_of_graph, node_id, sidecar_graph,
};
use proptest::prelude::*;

const SYSTEMS: [&str; 4] = ["karenina", "train", "kwanzaa", "rlcf"];

/// Names and ids as people give them, and such as look like what stands around them in an IRI.
const ODD: [&str; 13] =
    ["catalog", "sidecar:a", "a/b", "a:b", "%2F", "%", "%+1", "graph", "#file", ".", "ü ß", "\u{0}", ""];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z/:%#~ .]{0,9}",
        proptest::sample::select(&ODD[..]).prop_map(str::to_owned)
    ]
}

proptest! {
    #[test]
    fn a_document_graph_is_read_back(dataset in name(), part in proptest::option::of(name())) {
        let graph = document_graph(&dataset, part.as_deref());
        prop_assert!(is_iri(&graph) && is_ours(&graph), "{graph}");
        prop_assert_eq!(dataset_and_part(&graph), Some((dataset.clone(), part.clone())));
        // The one name that is reserved, where the catalog is.
        prop_assert_eq!(is_beside_documents(&graph), dataset == CATALOG && part.is_none());
        prop_assert!(!is_sidecar(&graph));
        let sidecar = sidecar_graph(&graph).expect("a document graph has one");
        prop_assert!(is_sidecar(&sidecar) && is_beside_documents(&sidecar) && is_iri(&sidecar));
        prop_assert_eq!(document_of_sidecar(&sidecar), Some(graph));
    }

    #[test]
    fn a_node_is_read_back(
        system in proptest::sample::select(&SYSTEMS[..]),
        dataset in name(),
        part in proptest::option::of(name()),
        id in name(),
    ) {
        let base = node_base(system, &dataset);
        let graph = document_graph(&dataset, part.as_deref());
        prop_assert_eq!(&node_base_of_graph(system, &graph), &base);
        let iri = node(&base, &id);
        prop_assert!(is_iri(&iri) && is_ours(&iri), "{iri}");
        prop_assert_eq!(node_id(system, &iri), Some(id));
        let (encoded, _) = encoded_dataset_and_part(&graph);
        let behind = behind_dataset(system, encoded, &iri).expect("it is of the dataset");
        prop_assert_eq!(format!("{}{}", &base[..base.len() - 1], behind), iri.clone());
        for other in SYSTEMS.iter().filter(|other| **other != system) {
            prop_assert_eq!(node_id(other, &iri), None);
        }
        // No graph is taken for a node, and no node for a graph.
        prop_assert_eq!(node_id(system, &graph), None);
        prop_assert_eq!(dataset_and_part(&iri), None);
    }

    #[test]
    fn other_iris_are_nobodys(text in any::<String>()) {
        prop_assume!(!text.starts_with("urn:evalgraph:"));
        prop_assert_eq!(dataset_and_part(&text), None);
        prop_assert_eq!(sidecar_graph(&text), None);
        prop_assert_eq!(document_of_sidecar(&text), None);
        prop_assert!(!is_beside_documents(&text) && !is_ours(&text));
        prop_assert!(SYSTEMS.iter().all(|system| node_id(system, &text).is_none()));
    }
}
