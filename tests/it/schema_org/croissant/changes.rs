//! Changes of documents that are right, each with what is found then.

use serde_json::Value;
use std::path::Path;

/// One edit of a document, by JSON Pointer.
pub(crate) enum Edit {
    Remove(&'static str),
    /// Sets a member or item to a JSON text.
    Set(&'static str, &'static str),
    Rename(&'static str, &'static str),
}

use Edit::{Remove, Rename, Set};

/// A changed document.
pub(crate) struct Change {
    pub(crate) name: &'static str,
    pub(crate) file: &'static str,
    pub(crate) edits: &'static [Edit],
    /// The findings, each as code, node, property, term and `> suggestion`, then `@` and the pointer of its place.
    pub(crate) finds: &'static [&'static str],
}

impl Change {
    /// The changed document of a folder.
    pub(crate) fn made(&self, folder: &Path) -> Value {
        let mut document = read(&folder.join(self.file));
        self.edits.iter().for_each(|edit| edit.make(&mut document));
        document
    }
}

pub(crate) fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Edit {
    fn make(&self, document: &mut Value) {
        let (Remove(pointer) | Set(pointer, _) | Rename(pointer, _)) = self;
        let (owner, key) = pointer.rsplit_once('/').expect("a pointer to a member");
        let owner = document.pointer_mut(owner).unwrap_or_else(|| panic!("nothing is at {owner}"));
        let key = key.replace("~1", "/");
        match (self, owner) {
            (Remove(_), Value::Object(members)) => {
                members.shift_remove(&key).unwrap_or_else(|| panic!("nothing is at {pointer}"));
            }
            (Remove(_), Value::Array(items)) => {
                items.remove(key.parse().expect("the number of an item"));
            }
            (Set(_, text), Value::Object(members)) => {
                members.insert(key, serde_json::from_str(text).expect("it is JSON"));
            }
            (Set(_, text), Value::Array(items)) => {
                let value = serde_json::from_str(text).expect("it is JSON");
                let at: usize = key.parse().expect("the number of an item");
                if at < items.len() { items[at] = value } else { items.push(value) }
            }
            (Rename(_, to), Value::Object(members)) => {
                let renamed = std::mem::take(members).into_iter();
                members.extend(
                    renamed.map(|(name, value)| (if name == key { (*to).to_owned() } else { name }, value)),
                );
            }
            _ => panic!("{pointer} is of no object"),
        }
    }
}

const OWLS: &str = "owls-1.1.json";
const TIDES: &str = "tides-1.0.json";

/// Changes of our own documents: at least one for each rule.
pub(crate) const OF_FIXTURES: &[Change] = &[
    Change {
        name: "an unknown version",
        file: TIDES,
        edits: &[Set("/conformsTo", "\"http://mlcommons.org/croissant/3.0\"")],
        finds: &["croissant-version _: conformsTo http://mlcommons.org/croissant/3.0 @ /conformsTo"],
    },
    Change {
        name: "the IRI of a version in another spelling",
        file: OWLS,
        edits: &[Set("/conformsTo", "\"https://mlcommons.org/croissant/1.1/\"")],
        finds: &[
            "croissant-version _: conformsTo https://mlcommons.org/croissant/1.1/ > http://mlcommons.org/croissant/1.1 @ /conformsTo",
        ],
    },
    Change {
        name: "no version",
        file: OWLS,
        edits: &[Remove("/conformsTo")],
        finds: &[
            "croissant-version owls.tar @type > http://mlcommons.org/croissant/1.1 @ /distribution/0/@type",
        ],
    },
    Change {
        name: "conformsTo that the context leaves to schema.org",
        file: TIDES,
        edits: &[Remove("/@context/conformsTo")],
        finds: &["croissant-version _: conformsTo conformsTo > dct:conformsTo @ /conformsTo"],
    },
    Change {
        name: "the terms of 0.8",
        file: TIDES,
        edits: &[Remove("/conformsTo"), Set("/@context/cr", "\"http://mlcommons.org/schema/\"")],
        finds: &["croissant-version tides.zip @type @ /distribution/0/@type"],
    },
    Change {
        name: "the namespace with https",
        file: OWLS,
        edits: &[Set("/@context/cr", "\"https://mlcommons.org/croissant/\"")],
        finds: &[
            "croissant-namespace owls.tar @type https://mlcommons.org/croissant/ > http://mlcommons.org/croissant/ @ /distribution/0/@type",
        ],
    },
    Change {
        name: "schema.org with http",
        file: OWLS,
        edits: &[
            Set("/@context/@vocab", "\"http://schema.org/\""),
            Set("/@context/sc", "\"http://schema.org/\""),
        ],
        finds: &[],
    },
    Change {
        name: "a term that the context leaves to schema.org",
        file: OWLS,
        edits: &[Remove("/@context/recordSet")],
        finds: &["croissant-namespace _: recordSet recordSet > cr:recordSet @ /recordSet"],
    },
    Change {
        name: "a term that schema.org has, too",
        file: TIDES,
        edits: &[Remove("/@context/data")],
        finds: &[
            "croissant-data moons data @ /recordSet/0/data/0",
            "croissant-namespace moons data data > cr:data @ /recordSet/0/data",
            "unknown-property _: moons/day moons/day @ /recordSet/0/data/0/moons~1day",
            "unknown-property _: moons/day moons/day @ /recordSet/0/data/1/moons~1day",
            "unknown-property _: moons/name moons/name @ /recordSet/0/data/0/moons~1name",
            "unknown-property _: moons/name moons/name @ /recordSet/0/data/1/moons~1name",
        ],
    },
    Change {
        name: "containers of version 1.0 in version 1.1",
        file: OWLS,
        edits: &[Remove("/@context/containedIn"), Remove("/distribution/3")],
        finds: &[
            "croissant-namespace sounds containedIn containedIn > cr:containedIn @ /distribution/2/containedIn",
        ],
    },
    Change {
        name: "a misspelt class of a file",
        file: TIDES,
        edits: &[Set("/distribution/1/@type", "\"cr:FileObjct\"")],
        finds: &["croissant-type harbours.csv @type FileObjct > FileObject @ /distribution/1/@type"],
    },
    Change {
        name: "a file of schema.org's class",
        file: TIDES,
        edits: &[Set("/distribution/0/@type", "\"sc:DataDownload\"")],
        finds: &["croissant-type tides.zip @type DataDownload @ /distribution/0/@type"],
    },
    Change {
        name: "a record set without a type",
        file: OWLS,
        edits: &[Remove("/recordSet/2/@type")],
        finds: &["croissant-type species @type @ /recordSet/2", "no-type species @ /recordSet/2"],
    },
    Change {
        name: "a field of another class",
        file: OWLS,
        edits: &[Set("/recordSet/2/field/1/@type", "\"cr:RecordSet\"")],
        finds: &["croissant-type species/name @type RecordSet @ /recordSet/2/field/1/@type"],
    },
    Change {
        name: "a dataset of another class",
        file: TIDES,
        edits: &[Set("/@type", "\"sc:DataCatalog\"")],
        finds: &["croissant-type _: @type DataCatalog @ /@type", "domain _: distribution @ /distribution"],
    },
    Change {
        name: "a class that is none, where nothing leads",
        file: OWLS,
        edits: &[Set("/prov:wasDerivedFrom", r#"{"@type": "cr:Lable", "@id": "urn:x"}"#)],
        finds: &["croissant-unknown-term urn:x @type Lable > Label @ /prov:wasDerivedFrom/@type"],
    },
    Change {
        name: "one id for a file and a record set",
        file: TIDES,
        edits: &[Set("/recordSet/1/@id", "\"harbours.csv\"")],
        finds: &[
            "croissant-cardinality harbours.csv name @ /recordSet/1/name",
            "croissant-duplicate-id harbours.csv harbours.csv @ /distribution/1",
        ],
    },
    Change {
        name: "one id for fields of two record sets",
        file: OWLS,
        edits: &[Set("/recordSet/1/field/4/@id", "\"splits/url\"")],
        finds: &["croissant-duplicate-id splits/url splits/url @ /recordSet/0/field/1"],
    },
    Change {
        name: "a container that is not there",
        file: TIDES,
        edits: &[Set("/distribution/1/containedIn/@id", "\"tide.zip\"")],
        finds: &[
            "croissant-reference harbours.csv containedIn tide.zip > tides.zip @ /distribution/1/containedIn/@id",
        ],
    },
    Change {
        name: "a source that is not there",
        file: OWLS,
        edits: &[Set("/recordSet/2/field/0/source/fileObject/@id", "\"call.csv\"")],
        finds: &[
            "croissant-reference _: fileObject call.csv > calls.csv @ /recordSet/2/field/0/source/fileObject/@id",
        ],
    },
    Change {
        name: "a text for a reference",
        file: OWLS,
        edits: &[Set("/recordSet/2/field/0/source/fileObject", "\"calls.csv\"")],
        finds: &["croissant-value _: fileObject calls.csv @ /recordSet/2/field/0/source/fileObject"],
    },
    Change {
        name: "a reference to a field that is not there",
        file: OWLS,
        edits: &[Set("/recordSet/1/field/1/references/field/@id", "\"splits/nmae\"")],
        finds: &[
            "croissant-reference _: field splits/nmae > splits/name @ /recordSet/1/field/1/references/field/@id",
        ],
    },
    Change {
        name: "a field without a data type",
        file: TIDES,
        edits: &[Remove("/recordSet/1/field/0/dataType")],
        finds: &["croissant-field-type harbours/id dataType @ /recordSet/1/field/0"],
    },
    Change {
        name: "a data type that is a text",
        file: TIDES,
        edits: &[
            Set("/@context/dataType", "\"cr:dataType\""),
            Remove("/recordSet/2"),
            Remove("/recordSet/0"),
        ],
        finds: &[
            "croissant-field-type harbours/id dataType sc:Text @ /recordSet/0/field/0/dataType",
            "croissant-field-type harbours/name dataType sc:Text @ /recordSet/0/field/1/dataType",
            "croissant-field-type harbours/place dataType sc:GeoCoordinates @ /recordSet/0/field/2/dataType",
            "croissant-field-type harbours/place/latitude dataType sc:Float @ /recordSet/0/field/2/subField/0/dataType",
            "croissant-field-type harbours/place/longitude dataType sc:Float @ /recordSet/0/field/2/subField/1/dataType",
        ],
    },
    Change {
        name: "no atomic type among many",
        file: OWLS,
        edits: &[Set("/recordSet/2/field/0/dataType", r#"["cr:Label", "prov:Entity"]"#)],
        finds: &["croissant-field-type species/file dataType @ /recordSet/2/field/0/dataType/0"],
    },
    Change {
        name: "the shape of an array that is none",
        file: OWLS,
        edits: &[Set("/recordSet/1/field/3/arrayShape", "\"128xN\"")],
        finds: &["croissant-array-shape calls/spectrum arrayShape 128xN @ /recordSet/1/field/3/arrayShape"],
    },
    Change {
        name: "a shape without an array",
        file: OWLS,
        edits: &[Remove("/recordSet/1/field/3/isArray")],
        finds: &["croissant-array-shape calls/spectrum arrayShape @ /recordSet/1/field/3/arrayShape"],
    },
    Change {
        name: "a property of files that is none",
        file: TIDES,
        edits: &[Set("/recordSet/2/field/0/source/extract/fileProperty", "\"fileName\"")],
        finds: &[
            "croissant-file-property _: fileProperty fileName > filename @ /recordSet/2/field/0/source/extract/fileProperty",
        ],
    },
    Change {
        name: "a record with another key",
        file: TIDES,
        edits: &[Rename("/recordSet/0/data/1/moons~1day", "moons/days")],
        finds: &[
            "croissant-data moons data day @ /recordSet/0/data",
            "croissant-data moons data moons/days @ /recordSet/0/data",
        ],
    },
    Change {
        name: "a record that is none",
        file: OWLS,
        edits: &[Set("/recordSet/0/data/1", "\"test\"")],
        finds: &["croissant-data splits data @ /recordSet/0/data"],
    },
    Change {
        name: "data without a record",
        file: OWLS,
        edits: &[Set("/recordSet/0/data", "[]")],
        finds: &["croissant-data splits data @ /recordSet/0/data"],
    },
    Change {
        name: "a dataset without what is required",
        file: OWLS,
        edits: &[Remove("/name"), Remove("/license")],
        finds: &[
            "croissant-missing-property _: license license @ ",
            "croissant-missing-property _: name name @ ",
        ],
    },
    Change {
        name: "a file without address",
        file: TIDES,
        edits: &[Remove("/distribution/0/contentUrl")],
        finds: &["croissant-missing-property tides.zip contentUrl contentUrl @ /distribution/0"],
    },
    Change {
        name: "a file without format",
        file: TIDES,
        edits: &[Remove("/distribution/1/encodingFormat")],
        finds: &["croissant-missing-property harbours.csv encodingFormat encodingFormat @ /distribution/1"],
    },
    Change {
        name: "a set of files that includes none",
        file: OWLS,
        edits: &[Remove("/distribution/2/includes")],
        finds: &["croissant-missing-property sounds includes includes @ /distribution/2"],
    },
    Change {
        name: "a file without checksum",
        file: OWLS,
        edits: &[Remove("/distribution/0/sha256")],
        finds: &["croissant-missing-property owls.tar sha256 sha256 @ /distribution/0"],
    },
    Change {
        name: "a file of a live dataset without checksum",
        file: OWLS,
        edits: &[Remove("/distribution/0/sha256"), Set("/isLiveDataset", "true")],
        finds: &[],
    },
    Change {
        name: "two addresses of a file",
        file: TIDES,
        edits: &[Set("/distribution/0/contentUrl", r#"["https://example.org/a", "https://example.org/b"]"#)],
        finds: &["croissant-cardinality tides.zip contentUrl @ /distribution/0/contentUrl/1"],
    },
    Change {
        name: "two formats of a file in version 1.0",
        file: TIDES,
        edits: &[Set("/distribution/0/encodingFormat", r#"["application/zip", "application/x-zip"]"#)],
        finds: &["croissant-cardinality tides.zip encodingFormat @ /distribution/0/encodingFormat/1"],
    },
    Change {
        name: "names in two languages",
        file: OWLS,
        edits: &[Set(
            "/name",
            r#"[{"@value": "owls", "@language": "en"}, {"@value": "gufi", "@language": "it"}]"#,
        )],
        finds: &[],
    },
    Change {
        name: "two sources of a field",
        file: OWLS,
        edits: &[Set("/recordSet/1/field/5/source", r#"[{"@id": "species/name"}, {"@id": "species/file"}]"#)],
        finds: &["croissant-cardinality calls/species source @ /recordSet/1/field/5/source/0/@id"],
    },
    Change {
        name: "a text for a Boolean",
        file: OWLS,
        edits: &[Set("/isLiveDataset", "\"no\"")],
        finds: &["croissant-value _: isLiveDataset @ /isLiveDataset"],
    },
    Change {
        name: "a number for a text",
        file: TIDES,
        edits: &[Set("/recordSet/1/field/0/source/extract/column", "3")],
        finds: &["croissant-value _: column @ /recordSet/1/field/0/source/extract/column"],
    },
    Change {
        name: "a property that Croissant does not have",
        file: OWLS,
        edits: &[Rename("/recordSet/1/field/3/isArray", "cr:isArry")],
        finds: &[
            "croissant-array-shape calls/spectrum arrayShape @ /recordSet/1/field/3/arrayShape",
            "croissant-unknown-term calls/spectrum isArry isArry > isArray @ /recordSet/1/field/3/cr:isArry",
        ],
    },
    Change {
        name: "a term of version 1.1 in version 1.0",
        file: TIDES,
        edits: &[Rename("/recordSet/2/field/1/repeated", "cr:isArray")],
        finds: &["croissant-unknown-term readings/levels isArray isArray @ /recordSet/2/field/1/cr:isArray"],
    },
    Change {
        name: "a term of version 1.0 in version 1.1",
        file: OWLS,
        edits: &[
            Remove("/recordSet/1/field/3/arrayShape"),
            Rename("/recordSet/1/field/3/isArray", "cr:repeated"),
        ],
        finds: &[
            "croissant-unknown-term calls/spectrum repeated repeated > isArray @ /recordSet/1/field/3/cr:repeated",
        ],
    },
    Change {
        name: "a file for a set of files",
        file: OWLS,
        edits: &[Rename("/recordSet/2/field/0/source/fileObject", "fileSet")],
        finds: &["croissant-reference-class _: fileSet calls.csv @ /recordSet/2/field/0/source/fileSet/@id"],
    },
    Change {
        name: "a reference to a record set",
        file: OWLS,
        edits: &[Set("/recordSet/1/field/1/references/field/@id", "\"splits\"")],
        finds: &["croissant-reference-class _: field splits @ /recordSet/1/field/1/references/field/@id"],
    },
    Change {
        name: "a source that is nothing",
        file: TIDES,
        edits: &[Set("/recordSet/1/field/0/source", "{}")],
        finds: &["croissant-reference-class harbours/id source @ /recordSet/1/field/0/source"],
    },
    Change {
        name: "a checksum that is none",
        file: TIDES,
        edits: &[Set("/distribution/0/sha256", "\"3b0d1ce9ffb5224626105c50a0f9e5fb\"")],
        finds: &[
            "croissant-checksum tides.zip sha256 3b0d1ce9ffb5224626105c50a0f9e5fb @ /distribution/0/sha256",
        ],
    },
    Change {
        name: "a checksum with other letters",
        file: OWLS,
        edits: &[Set("/distribution/1/md5", "\"9a475053fed0c26ee95cd4525e50074g\"")],
        finds: &["croissant-checksum calls.csv md5 9a475053fed0c26ee95cd4525e50074g @ /distribution/1/md5"],
    },
    Change {
        name: "a file in itself",
        file: TIDES,
        edits: &[Set("/distribution/0/containedIn", r#"{"@id": "harbours.csv"}"#)],
        finds: &["croissant-containment tides.zip containedIn @ /distribution/0/containedIn/@id"],
    },
    Change {
        name: "a field without values",
        file: TIDES,
        edits: &[Remove("/recordSet/1/field/1/source")],
        finds: &["croissant-source harbours/name source @ /recordSet/1/field/1"],
    },
    Change {
        name: "a field with a source and a value",
        file: OWLS,
        edits: &[Set("/recordSet/2/field/1/value", "\"Tyto alba\"")],
        finds: &["croissant-source species/name value @ /recordSet/2/field/1/value"],
    },
    Change {
        name: "a source of two files",
        file: TIDES,
        edits: &[Set("/recordSet/1/field/0/source/fileSet", r#"{"@id": "levels"}"#)],
        finds: &["croissant-source _: fileSet @ /recordSet/1/field/0/source/fileSet/@id"],
    },
    Change {
        name: "a source of no file",
        file: TIDES,
        edits: &[Remove("/recordSet/1/field/0/source/fileObject")],
        finds: &["croissant-source harbours/id source @ /recordSet/1/field/0/source"],
    },
    Change {
        name: "two things that are taken out",
        file: TIDES,
        edits: &[Set("/recordSet/1/field/0/source/extract/jsonPath", "\"$.id\"")],
        finds: &["croissant-source _: extract @ /recordSet/1/field/0/source/extract"],
    },
    Change {
        name: "a transformation that is none",
        file: TIDES,
        edits: &[Set("/recordSet/2/field/0/source/transform", r#"{"@type": "cr:Transform"}"#)],
        finds: &["croissant-source _: transform @ /recordSet/2/field/0/source/transform"],
    },
    Change {
        name: "a transformation that is two",
        file: TIDES,
        edits: &[Set("/recordSet/2/field/0/source/transform/separator", "\",\"")],
        finds: &["croissant-source _: transform @ /recordSet/2/field/0/source/transform"],
    },
    Change {
        name: "a key that is not a field of the record set",
        file: OWLS,
        edits: &[Set("/recordSet/1/key/0/@id", "\"file\"")],
        finds: &["croissant-key calls key file > calls/file @ /recordSet/1/key/0/@id"],
    },
    Change {
        name: "an enumeration without key",
        file: TIDES,
        edits: &[Remove("/recordSet/0/key")],
        finds: &["croissant-key moons key @ /recordSet/0"],
    },
    Change {
        name: "a misspelt data type",
        file: TIDES,
        edits: &[Set("/recordSet/1/field/0/dataType", "\"sc:Txet\"")],
        finds: &["croissant-data-type harbours/id dataType Txet > Text @ /recordSet/1/field/0/dataType"],
    },
    Change {
        name: "a data type of other languages",
        file: OWLS,
        edits: &[Set("/recordSet/2/field/0/dataType", "\"sc:String\"")],
        finds: &["croissant-data-type species/file dataType String > Text @ /recordSet/2/field/0/dataType"],
    },
    Change {
        name: "a misspelt data type of Croissant",
        file: OWLS,
        edits: &[Set("/recordSet/1/field/5/dataType", r#"["sc:Text", "cr:Lable"]"#)],
        finds: &[
            "croissant-data-type calls/species dataType Lable > Label @ /recordSet/1/field/5/dataType/1",
        ],
    },
    Change {
        name: "a property of schema.org that is none",
        file: OWLS,
        edits: &[Set("/recordSet/2/field/1/equivalentProperty", "\"https://schema.org/nmae\"")],
        finds: &[
            "croissant-data-type species/name equivalentProperty nmae > name @ /recordSet/2/field/1/equivalentProperty",
        ],
    },
    Change {
        name: "sources that nothing joins",
        file: TIDES,
        edits: &[Remove("/recordSet/2/field/0/references")],
        finds: &["croissant-join readings/harbour_name source @ /recordSet/2/field/3/source"],
    },
    Change {
        name: "a dataset without what is recommended",
        file: OWLS,
        edits: &[Remove("/keywords"), Remove("/version")],
        finds: &["croissant-recommended-property _: @ "],
    },
];

const TITANIC: &str = "1.0-titanic.json";
const FLORES: &str = "1.0-flores-200.json";
const JOIN: &str = "1.0-json-join.json";
const SQUAD: &str = "1.1-huggingface-squad_v2.json";

/// Changes of the metadata of real datasets, each with what is found then and was not before.
pub(crate) const OF_METADATA: &[Change] = &[
    Change {
        name: "a dataset without name",
        file: TITANIC,
        edits: &[Remove("/name")],
        finds: &["croissant-missing-property _: name name @ "],
    },
    Change {
        name: "a dataset without license",
        file: "1.0-dices-350.json",
        edits: &[Remove("/license")],
        finds: &["croissant-missing-property _: license license @ "],
    },
    Change {
        name: "a file without address",
        file: TITANIC,
        edits: &[Remove("/distribution/0/contentUrl")],
        finds: &["croissant-missing-property passengers.csv contentUrl contentUrl @ /distribution/0"],
    },
    Change {
        name: "a file without format",
        file: FLORES,
        edits: &[Remove("/distribution/2/encodingFormat")],
        finds: &["croissant-missing-property metadata-dev encodingFormat encodingFormat @ /distribution/2"],
    },
    Change {
        name: "a set of files that includes none",
        file: "1.1-commoncrawl-CC-MAIN-2025-43-draft.json",
        edits: &[Remove("/distribution/1/includes")],
        finds: &["croissant-missing-property warc-files includes includes @ /distribution/1"],
    },
    Change {
        name: "a file without checksum",
        file: "1.1-image_test.json",
        edits: &[Remove("/distribution/0/sha256")],
        finds: &["croissant-missing-property S2_images_all_bands_zip sha256 sha256 @ /distribution/0"],
    },
    Change {
        name: "a SHA-256 that is too short",
        file: TITANIC,
        edits: &[Set("/distribution/0/sha256", "\"c617db2c7470716250f6f001be51304c\"")],
        finds: &[
            "croissant-checksum passengers.csv sha256 c617db2c7470716250f6f001be51304c @ /distribution/0/sha256",
        ],
    },
    Change {
        name: "an MD5 that is none",
        file: "1.0-credit-g.json",
        edits: &[Set("/distribution/0/md5", "\"unknown\"")],
        finds: &["croissant-checksum data-file md5 unknown @ /distribution/0/md5"],
    },
    Change {
        name: "a container that is not there",
        file: FLORES,
        edits: &[Set("/distribution/2/containedIn/@id", "\"flores.tar.gz\"")],
        finds: &[
            "croissant-reference metadata-dev containedIn flores.tar.gz @ /distribution/2/containedIn/@id",
        ],
    },
    Change {
        name: "a file that is not there",
        file: TITANIC,
        edits: &[Set("/recordSet/2/field/0/source/fileObject/@id", "\"passenger.csv\"")],
        finds: &[
            "croissant-reference _: fileObject passenger.csv > passengers.csv @ /recordSet/2/field/0/source/fileObject/@id",
        ],
    },
    Change {
        name: "a field that is not there",
        file: TITANIC,
        edits: &[Set("/recordSet/2/field/1/references/field/@id", "\"genders/lable\"")],
        finds: &[
            "croissant-reference _: field genders/lable > genders/label @ /recordSet/2/field/1/references/field/@id",
        ],
    },
    Change {
        name: "a file of another class",
        file: TITANIC,
        edits: &[Set("/distribution/1/@type", "\"sc:MediaObject\"")],
        finds: &[
            "croissant-type genders.csv @type MediaObject @ /distribution/1/@type",
            "datatype genders.csv contentUrl @ /distribution/1/contentUrl",
            "range _: distribution @ /distribution/1",
        ],
    },
    Change {
        name: "a misspelt record set",
        file: JOIN,
        edits: &[Set("/recordSet/0/@type", "\"cr:Recordset\"")],
        finds: &["croissant-type items_recordset @type Recordset > RecordSet @ /recordSet/0/@type"],
    },
    Change {
        name: "a field of another class",
        file: "1.0-huggingface-rag-dataset.json",
        edits: &[Set("/recordSet/0/field/0/@type", "\"sc:PropertyValue\"")],
        finds: &[
            "croissant-type question-answer_splits/split_name @type PropertyValue @ /recordSet/0/field/0/@type",
        ],
    },
    Change {
        name: "a dataset of another class",
        file: "1.0-bigcode-the-stack.json",
        edits: &[Set("/@type", "\"sc:CreativeWork\"")],
        finds: &["croissant-type _: @type CreativeWork @ /@type", "domain _: distribution @ /distribution"],
    },
    Change {
        name: "an unknown version",
        file: "1.0-bigcode-the-stack.json",
        edits: &[Set("/conformsTo", "\"http://mlcommons.org/croissant/2.0\"")],
        finds: &["croissant-version _: conformsTo http://mlcommons.org/croissant/2.0 @ /conformsTo"],
    },
    Change {
        name: "no version",
        file: SQUAD,
        edits: &[Remove("/conformsTo")],
        finds: &["croissant-version repo @type > http://mlcommons.org/croissant/1.1 @ /distribution/0/@type"],
    },
    Change {
        name: "a property of files that is none",
        file: FLORES,
        edits: &[Set("/recordSet/0/field/0/source/extract/fileProperty", "\"lineNumber\"")],
        finds: &[
            "croissant-file-property _: fileProperty lineNumber > lineNumbers @ /recordSet/0/field/0/source/extract/fileProperty",
        ],
    },
    Change {
        name: "a record with another key",
        file: SQUAD,
        edits: &[Rename("/recordSet/0/data/0/squad_v2_splits~1split_name", "squad_v2_splits/name")],
        finds: &[
            "croissant-data squad_v2_splits data split_name @ /recordSet/0/data",
            "croissant-data squad_v2_splits data squad_v2_splits/name @ /recordSet/0/data",
        ],
    },
    Change {
        name: "a field without a data type",
        file: "1.0-huggingface-anthropic-hh-rlhf.json",
        edits: &[Remove("/recordSet/1/field/0/dataType")],
        finds: &["croissant-field-type red-team-attempts/transcript dataType @ /recordSet/1/field/0"],
    },
    Change {
        name: "a misspelt data type",
        file: TITANIC,
        edits: &[Set("/recordSet/2/field/0/dataType", "\"sc:Txet\"")],
        finds: &["croissant-data-type passengers/name dataType Txet > Text @ /recordSet/2/field/0/dataType"],
    },
    Change {
        name: "a shape of an array that is none",
        file: "1.1-huggingface-data_provenance_initiative.json",
        edits: &[Set("/recordSet/1/annotation/subField/1/arrayShape", "\"many\"")],
        finds: &[
            "croissant-array-shape default/metadata/language arrayShape many @ /recordSet/1/annotation/subField/1/arrayShape",
        ],
    },
    Change {
        name: "a field without values",
        file: TITANIC,
        edits: &[Remove("/recordSet/2/field/2/source")],
        finds: &["croissant-source passengers/age source @ /recordSet/2/field/2"],
    },
    Change {
        name: "a source of no file",
        file: TITANIC,
        edits: &[Remove("/recordSet/2/field/2/source/fileObject")],
        finds: &["croissant-source passengers/age source @ /recordSet/2/field/2/source"],
    },
    Change {
        name: "sources that nothing joins",
        file: JOIN,
        edits: &[Remove("/recordSet/1/field/0/references")],
        finds: &["croissant-join items_with_prices/name source @ /recordSet/1/field/2/source"],
    },
    Change {
        name: "a file for a set of files",
        file: "1.1-image_test.json",
        edits: &[Rename("/recordSet/0/field/0/source/fileSet", "fileObject")],
        finds: &[
            "croissant-reference-class _: fileObject image_s2_tif_set @ /recordSet/0/field/0/source/fileObject/@id",
        ],
    },
    Change {
        name: "a term that the context does not map",
        file: TITANIC,
        edits: &[Remove("/@context/recordSet")],
        finds: &["croissant-namespace _: recordSet recordSet > cr:recordSet @ /recordSet"],
    },
];
