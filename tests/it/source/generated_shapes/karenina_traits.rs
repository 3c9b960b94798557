//! The shapes of Karenina's traits: the types that the library knows, and the properties with a switch or a number.

use evalgraph::source::checking::schema::{SchemaField, SchemaFieldType};
use evalgraph::source::karenina::rules::{TRAIT_CLASSES, TRAIT_TYPES};

use super::turtle_text::{enumerated, in_words, quoted};

/// The properties of a type.
struct TraitProperties {
    /// The name of the shape, behind that of the rule.
    name: &'static str,
    title: &'static str,
    /// Returns whether a field belongs to the shape.
    has: fn(&SchemaField) -> bool,
    constraints: &'static str,
    /// Words for the value of one property, and for those of several.
    words: [&'static str; 2],
}

const PROPERTIES: [TraitProperties; 5] = [
    TraitProperties {
        name: "boolean",
        title: "switches of a trait",
        has: |field| matches!(field.holds, SchemaFieldType::Boolean) && !field.is_nullable(),
        constraints: "sh:node egk:Boolean",
        words: ["true or false"; 2],
    },
    TraitProperties {
        name: "higher_is_better",
        title: "direction of a trait",
        has: |field| matches!(field.holds, SchemaFieldType::Boolean) && field.is_nullable(),
        constraints: "sh:node egk:Boolean",
        words: ["true, false or null"; 2],
    },
    TraitProperties {
        name: "integer",
        title: "whole numbers of a trait",
        has: |field| matches!(field.holds, SchemaFieldType::Integer),
        constraints: "sh:node egk:Integer",
        words: ["a whole number", "whole numbers"],
    },
    TraitProperties {
        name: "number",
        title: "numbers of a trait",
        has: |field| matches!(field.holds, SchemaFieldType::Number),
        constraints: "sh:node egk:Number",
        words: ["a number", "numbers"],
    },
    TraitProperties {
        name: "positive",
        title: "limits of an agentic trait",
        has: |field| matches!(field.holds, SchemaFieldType::IntegerOf(_)),
        constraints: "sh:node egk:Integer ;\n            sh:or ( [ sh:datatype xsd:string ] [ sh:minExclusive 0 ] )",
        words: ["a whole number above 0", "whole numbers above 0"],
    },
];

/// The shapes of Karenina's traits.
pub(super) fn turtle() -> String {
    let of_question = of_types(
        "K-P1",
        "type of a question's trait",
        &["karenina:QuestionSpecific", "QuestionSpecific", "karenina:Global", "Global"],
        "is not a type of trait that the library knows, such as \"karenina:QuestionSpecificRubricTrait\"",
    );
    let of_checkpoint = of_types(
        "K-P2",
        "type of the checkpoint's trait",
        &["karenina:Global", "Global"],
        &format!(
            "of a trait of the checkpoint has to be one of the {} that begin with \"Global\", such as \
             \"karenina:GlobalRubricTrait\"",
            in_words(TRAIT_TYPES.len())
        ),
    );
    of_question + &of_checkpoint + &PROPERTIES.iter().map(of_properties).collect::<String>()
}

fn of_types(name: &str, title: &str, starts: &[&str], message: &str) -> String {
    let line = |start: &&str| TRAIT_TYPES.map(|stem| quoted(&format!("{start}{stem}"))).join(" ");
    let lines: Vec<String> = starts.iter().map(line).collect();
    format!(
        "egk:{name}\n    a sh:PropertyShape ;\n    sh:name \"{title}\" ;\n    sh:path schema:additionalType ;\n    \
         sh:in (\n        {}\n    ) ;\n    sh:message {} .\n\n",
        lines.join("\n        "),
        quoted(&format!("`additionalType` {message}."))
    )
}

fn of_properties(properties: &TraitProperties) -> String {
    let of_all = TRAIT_CLASSES.iter().flat_map(|class| class.fields());
    let fields: Vec<&SchemaField> = of_all.filter(|field| (properties.has)(field)).collect();
    let mut keys: Vec<&str> = Vec::new();
    for field in &fields {
        if !keys.contains(&field.key) {
            keys.push(field.key);
        }
    }
    // In the graph, a property with null has no value.
    let may_be_null = fields.iter().any(|field| field.is_nullable());
    let count = if may_be_null { "" } else { "sh:minCount 1 ; " };
    let list: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
    let shown: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let [one, several] = properties.words;
    let words = if keys.len() == 1 { format!("has to be {one}") } else { format!("have to be {several}") };
    let TraitProperties { name, title, constraints, .. } = properties;
    format!(
        "egk:K-P3-{name}\n    a sh:PropertyShape ;\n    sh:name \"{title}\" ;\n    \
         sh:path schema:additionalProperty ;\n    sh:or (\n        \
         [ sh:not [ sh:property [ sh:path schema:name ; sh:minCount 1 ;\n            sh:in ( {} ) ] ] ]\n        \
         [ sh:property [ sh:path schema:value ; {count}{constraints} ] ]\n    ) ;\n    sh:message \"{} {words}.\" .\n\n",
        list.join(" "),
        enumerated(&shown, "and")
    )
}
