//! Loads documents together with their catalog entries.
//!
//! `DocumentLoading` is defined in `document_loading.rs`.

use super::dataset_document::{DatasetDocument, links_of};
use super::document_loading::DocumentLoading;
use super::loaded_document_facts::{LoadedDocumentFacts, LoadingCosts, loaded};
use evalgraph_diagnostics::{ReportedResult, RunReport};
use evalgraph_formats::catalog;
use evalgraph_formats::catalog_entries::{CatalogEntries, TasksOfDataset};
use evalgraph_formats::corpus::EvaluationLink;
use evalgraph_formats::rewriting::IndexedGraph;
use evalgraph_rdf::QuadBuffer;
use evalgraph_store::{DocumentBuilder, DocumentExcerpt, NamedDocument};

/// A document with its quads, and the excerpt of them that the catalog uses.
struct ExcerptedDocument {
    named: DatasetDocument,
    builder: DocumentBuilder,
    excerpt: DocumentExcerpt,
    costs: LoadingCosts,
    /// How many quads the document has, without its catalog entries.
    quads: u64,
}

impl DocumentLoading<'_> {
    /// Loads documents together with their catalog entries. The result for a task depends on the opinions in all parts
    /// of its dataset.
    pub fn load_with_catalog(
        &self,
        group: Vec<DatasetDocument>,
        report: &mut RunReport,
    ) -> Vec<(LoadedDocumentFacts, NamedDocument)> {
        let fill = |named: DatasetDocument| {
            let (mut builder, costs) = self.built(&named, report).ok()?;
            let (classes, properties) = named.beside_questions();
            let excerpt = builder.excerpt(classes, properties);
            let quads = builder.finish() as u64;
            Some(ExcerptedDocument { named, builder, excerpt, costs, quads })
        };
        let mut filled: Vec<ExcerptedDocument> = group.into_iter().filter_map(fill).collect();
        let is_of_parts = filled.first().is_some_and(|filled| filled.named.part.is_some());
        let whole = is_of_parts.then(|| {
            let mut whole = QuadBuffer::new();
            filled.iter().for_each(|filled| filled.excerpt.quads.copy_into(&mut whole));
            self.tasks_of(&IndexedGraph::new(&whole, None), report)
        });
        filled.retain_mut(|filled| self.add_catalog(filled, whole.as_ref(), report).is_ok());
        let mut links = Vec::new();
        if filled.iter().any(|filled| filled.named.is_evaluation()) {
            let graphs: Vec<IndexedGraph<'_>> =
                filled.iter().map(|filled| IndexedGraph::new(&filled.excerpt.quads, None)).collect();
            links = links_of(filled.iter().zip(&graphs).map(|(filled, graph)| (&filled.named, graph)));
        }
        for EvaluationLink { file, subject, property, object } in &links {
            catalog::encode_link(subject, property, object, &mut filled[*file].builder);
        }
        let finished =
            filled.into_iter().map(|ExcerptedDocument { named, builder, costs, quads, .. }| {
                let (mut loaded, document) = loaded(named, builder, false, costs);
                loaded.quads = quads;
                (loaded, document)
            });
        finished.collect()
    }

    /// Adds the catalog entries of a document to its quads. `whole` has the tasks of all parts of its dataset.
    fn add_catalog(
        &self,
        ExcerptedDocument { named, builder, excerpt, quads: triples, .. }: &mut ExcerptedDocument,
        whole: Option<&TasksOfDataset>,
        report: &mut RunReport,
    ) -> ReportedResult<()> {
        let entries = self.entries_of(&IndexedGraph::new(&excerpt.quads, None), whole, report)?;
        let time = self.input.clock.now_or_report(report)?;
        named.catalog_entries(&entries, time, *triples, builder, |node| excerpt.term(node));
        Ok(())
    }

    /// Returns the catalog entries about a graph.
    ///
    /// # Errors
    ///
    /// If the graph is at fault, which is reported.
    pub fn entries_of(
        &self,
        graph: &IndexedGraph<'_>,
        whole: Option<&TasksOfDataset>,
        report: &mut RunReport,
    ) -> ReportedResult<CatalogEntries> {
        let entries = CatalogEntries::from_graph(graph, whole, self.session.limits_of_own_text());
        report.ok_or_report(entries)
    }

    /// Returns the results for the tasks of a dataset from all of its parts. Faults are reported.
    pub fn tasks_of(&self, whole: &IndexedGraph<'_>, report: &mut RunReport) -> TasksOfDataset {
        let tasks = TasksOfDataset::from_graph(whole, self.session.limits_of_own_text());
        report.ok_or_report(tasks).unwrap_or_default()
    }
}
