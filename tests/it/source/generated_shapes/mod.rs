//! The shapes that only say what a table of fields says are made from the table: a part of each file of shapes. With
//! `EVALGRAPH_WRITE_SHAPES=1` the test writes these parts anew.

mod class_shapes;
mod karenina_traits;
mod kwanzaa_words;
mod rlcf_shapes;
mod turtle_text;

use std::path::Path;

const BEGIN: &str = "# Made from the tables of fields; `cargo test` says how to make it anew.\n";
const END: &str = "# The end of what is made from the tables.\n";

fn kept_in_step(file: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shapes").join(file);
    let text = std::fs::read_to_string(&path).expect("the shapes are there");
    let (before, rest) = text.split_once(BEGIN).expect("the file has a part that is made");
    let (is, after) = rest.split_once(END).expect("the part has an end");
    let made = format!("\n{made}");
    if std::env::var_os("EVALGRAPH_WRITE_SHAPES").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{made}{END}{after}"))
            .expect("the shapes can be written");
    } else {
        assert!(
            is == made,
            "shapes/{file} is not what the tables say: EVALGRAPH_WRITE_SHAPES=1 cargo test --test it generated_shapes"
        );
    }
}

#[test]
fn the_shapes_of_rlcf_say_what_its_tables_say() {
    kept_in_step("rlcf.ttl", &rlcf_shapes::turtle());
}

#[test]
fn the_shapes_of_karenina_say_what_its_tables_say() {
    kept_in_step("karenina.ttl", &karenina_traits::turtle());
}

#[test]
fn the_shapes_of_kwanzaa_say_what_its_tables_say() {
    let classes = class_shapes::KWANZAA.iter().map(class_shapes::turtle);
    kept_in_step("kwanzaa.ttl", &(classes.collect::<String>() + &kwanzaa_words::turtle()));
}
