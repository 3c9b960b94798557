//! A corpus without `@vocab`: products and recipes of schema.org under prefixes, scoped contexts
//! and `@graph`.

use super::random::Random;
use serde_json::{Value, json};

const WORDS: [&str; 24] = [
    "steel",
    "oak",
    "lamp",
    "kettle",
    "chair",
    "mug",
    "travel",
    "light",
    "blue",
    "crème",
    "soft",
    "large",
    "garden",
    "onion",
    "thyme",
    "butter",
    "flour",
    "roast",
    "slow",
    "fresh",
    "Käse",
    "jalapeño",
    "basil",
    "抹茶",
];

/// The context: terms by prefix, type- and property-scoped contexts, language and index maps.
fn context() -> Value {
    json!({
        "@version": 1.1,
        "schema": "http://schema.org/",
        "shop": "https://shop.example/vocab#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "id": "@id",
        "type": "@type",
        "Product": {
            "@id": "schema:Product",
            "@context": {
                "name": {"@id": "schema:name", "@container": "@language"},
                "sku": "schema:sku",
                "weight": {"@id": "schema:weight", "@type": "xsd:decimal"},
            },
        },
        "Recipe": {
            "@id": "schema:Recipe",
            "@context": {
                "name": "schema:name",
                "steps": {"@id": "schema:recipeInstructions", "@container": "@list"},
                "ingredients": {"@id": "schema:recipeIngredient", "@container": "@set"},
                "cookTime": {"@id": "schema:cookTime", "@type": "schema:Duration"},
            },
        },
        "description": {"@id": "schema:description", "@language": "en"},
        "released": {"@id": "schema:releaseDate", "@type": "xsd:date"},
        "image": {"@id": "schema:image", "@type": "@id"},
        "related": {"@id": "schema:isRelatedTo", "@type": "@id", "@container": "@set"},
        "offers": {
            "@id": "schema:offers",
            "@context": {
                "price": {"@id": "schema:price", "@type": "xsd:decimal"},
                "currency": "schema:priceCurrency",
                "availability": {"@id": "schema:availability", "@type": "@vocab"},
                "InStock": "schema:InStock",
                "OutOfStock": "schema:OutOfStock",
            },
        },
        "review": {"@id": "schema:review", "@container": "@index"},
        "author": "schema:author",
        "rating": "schema:reviewRating",
    })
}

/// The text of a corpus of that many products and as many recipes.
pub(crate) fn text(products: usize) -> String {
    let mut random = Random::new(11);
    let graph: Vec<Value> = (0..products)
        .flat_map(|number| [product(&mut random, number, products), recipe(&mut random, number)])
        .collect();
    format!("{:#}", json!({"@context": context(), "@graph": graph}))
}

fn words(random: &mut Random, count: usize) -> String {
    random.words(&WORDS, count, " ")
}

fn product(random: &mut Random, number: usize, products: usize) -> Value {
    let offers: Vec<Value> = (0..1 + random.below(3))
        .map(|_| {
            json!({
                "type": "schema:Offer",
                "price": format!("{}.{:02}", random.below(900), random.below(100)),
                "currency": random.pick(&["EUR", "USD", "JPY"]),
                "availability": random.pick(&["InStock", "OutOfStock"]),
                "shop:stock": random.below(5000),
            })
        })
        .collect();
    let review = |random: &mut Random, by: &str| {
        json!({
            "type": "schema:Review",
            "author": format!("{by} {number}"),
            "description": words(random, 14),
            "rating": random.below(5) + 1,
        })
    };
    json!({
        "type": "Product",
        "id": format!("https://shop.example/product/{number}"),
        "name": {"en": words(random, 3), "fr": words(random, 4)},
        "sku": format!("SKU-{number:07}"),
        "weight": format!("{}.5", random.below(40)),
        "description": words(random, 24),
        "released": format!("20{:02}-{:02}-{:02}", random.below(26), random.below(12) + 1, random.below(28) + 1),
        "image": format!("https://shop.example/image/{number}.png"),
        "related": [
            format!("https://shop.example/product/{}", random.below(products as u64)),
            format!("https://shop.example/recipe/{}", random.below(products as u64)),
        ],
        "shop:featured": random.fraction() < 0.1,
        "shop:score": random.fraction(),
        "offers": offers,
        "review": {"first": review(random, "reviewer"), "second": review(random, "critic")},
    })
}

fn recipe(random: &mut Random, number: usize) -> Value {
    let steps: Vec<String> = (0..3 + random.below(4)).map(|_| words(random, 10)).collect();
    let ingredients: Vec<String> =
        (0..7).map(|amount| format!("{} g {} {amount}", random.below(500), words(random, 2))).collect();
    json!({
        "type": ["Recipe", "shop:Editorial"],
        "id": format!("https://shop.example/recipe/{number}"),
        "name": words(random, 4),
        "description": words(random, 20),
        "cookTime": format!("PT{}M", random.below(120)),
        "ingredients": ingredients,
        "steps": steps,
        "image": format!("https://shop.example/image/r{number}.png"),
        "schema:recipeYield": random.below(8) + 1,
        "schema:nutrition": {
            "type": "schema:NutritionInformation",
            "schema:calories": format!("{} kcal", random.below(900)),
            "schema:fatContent": format!("{} g", random.below(60)),
        },
    })
}
