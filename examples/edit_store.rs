//! Loads a checkpoint into a store, changes it there, and writes the file with the change:
//! `cargo run --example edit_store -- fixtures/karenina/p1-physics.jsonld out/`.

use std::path::Path;

use evalgraph::sparql::QueryResults;
use evalgraph::{OutputForm, Store};

const UPDATE: &str = "
    DELETE { ?question s:keywords ?keyword }
    INSERT { ?question s:keywords 'reviewed' }
    WHERE { ?question a s:Question OPTIONAL { ?question s:keywords ?keyword } }";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [checkpoint, folder] = arguments.as_slice() else {
        return Err("give a checkpoint and a folder".into());
    };
    std::fs::create_dir_all(folder)?;
    let mut store = Store::create(folder)?;
    store.load([checkpoint])?;
    for finding in store.update(UPDATE)?.findings() {
        println!("{finding}");
    }

    // The catalog keeps up with every change.
    let query =
        "SELECT ?questions { GRAPH <urn:evalgraph:graph:catalog> { ?file eg:questionCount ?questions } }";
    let QueryResults::Solutions(files) = store.query(query)? else {
        return Err("a table comes of SELECT".into());
    };
    for file in files {
        println!("the catalog counts {} questions", file?["questions"]);
    }

    for file in store.convert(OutputForm::Same)?.files {
        let path = Path::new(folder).join(&file.path);
        std::fs::write(&path, file.text)?;
        println!("{}", path.display());
    }
    Ok(())
}
