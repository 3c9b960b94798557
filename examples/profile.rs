use evalgraph::sparql::construct::ConstructedTriples;
use evalgraph::store::*;
use oxjsonld::JsonLdParser;
fn main() {
    let json = std::fs::read("/tmp/k10000.jsonld").unwrap();
    let files: usize = std::env::args().nth(3).map_or(1, |f| f.parse().unwrap());
    let docs = (0..files)
        .map(|k| {
            let mut b = DocumentBuilder::new();
            b.extend_quads(JsonLdParser::new().for_slice(&json).map(|q| q.unwrap()));
            NamedDocument { graph: format!("urn:x:{k}"), builder: b }
        })
        .collect();
    let d = Dataset::from_documents(docs);
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let t = cpu_time::ProcessTime::now();
    let mut c = 0;
    for _ in 0..n {
        let query = spargebra::SparqlParser::new().parse_query(&text).unwrap();
        let ev = spareval::QueryEvaluator::new();
        let v = d.view(DefaultGraph::Union);
        if let Some(t) = ConstructedTriples::evaluate(&ev, &query, &v).unwrap() {
            c += t.count();
            continue;
        }
        match ev.prepare(&query).execute(v).unwrap() {
            spareval::QueryResults::Solutions(s) => {
                for x in s {
                    x.unwrap();
                    c += 1
                }
            }
            spareval::QueryResults::Graph(s) => {
                for x in s {
                    x.unwrap();
                    c += 1
                }
            }
            _ => {}
        }
    }
    println!("{c} rows, {:?} each", t.elapsed() / n as u32);
}
