//! The store on disk: beside oxigraph's, with many small documents, with a checkpoint larger than what should be held of it, and
//! its validation by shapes.
//!
//! `cargo bench --profile dist --bench disk` prints the figures beside oxigraph; with `-- many`, `-- scale` or `-- shapes` those of
//! another part.

mod beside;
mod many;
mod scale;
mod shapes;
#[path = "../support/mod.rs"]
mod support;

fn main() {
    // Cargo adds `--bench`.
    let part = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match part.as_deref() {
        None | Some("beside") => beside::main(),
        Some("many") => many::main(),
        Some("scale") => scale::main(),
        Some("shapes") => shapes::main(),
        Some(other) => panic!("the parts are beside, many, scale and shapes, not `{other}`"),
    }
}
