//! YAML of blocks and of packaging, as JSON.

use libyaml_safer::{Document, NodeData, Parser};
use serde_json::{Map, Value};

/// Reads the first document of a text. Plain words stay texts.
pub(super) fn read(text: &str) -> Result<Value, String> {
    let mut bytes = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut bytes);
    let document = Document::load(&mut parser).map_err(|error| error.to_string())?;
    if document.nodes.is_empty() {
        return Err("there is no document".to_owned());
    }
    value(&document, 1)
}

fn value(document: &Document, index: i32) -> Result<Value, String> {
    let node = usize::try_from(index - 1).ok().and_then(|at| document.nodes.get(at)).ok_or("no such node")?;
    match &node.data {
        NodeData::NoNode => Ok(Value::Null),
        NodeData::Scalar { value, .. } => Ok(Value::String(value.clone())),
        NodeData::Sequence { items, .. } => items.iter().map(|item| value(document, *item)).collect(),
        NodeData::Mapping { pairs, .. } => {
            let mut object = Map::new();
            for pair in pairs {
                let key = value(document, pair.key)?.as_str().ok_or("a key is not text")?.to_owned();
                if object.insert(key.clone(), value(document, pair.value)?).is_some() {
                    return Err(format!("the key `{key}` stands there twice"));
                }
            }
            Ok(Value::Object(object))
        }
    }
}

#[test]
fn yaml_becomes_json() {
    let read = read("a:\n  - b: |\n      two\n      lines\n  - 'c'\n").expect("it is YAML");
    assert_eq!(read, serde_json::json!({"a": [{"b": "two\nlines\n"}, "c"]}));
}
