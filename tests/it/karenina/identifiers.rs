//! Question ids and template ids, against values that the working programs gave.

use evalgraph::source::checkpoint::identifiers::{
    interface_question_id, interface_rating_id, python_question_id, text_hash, text_md5,
};
use evalgraph::source::checkpoint::template::{
    TemplateState, default_stub, interface_name, python_name, state, template_id,
};

#[test]
fn the_interface_hashes_utf_16_units_into_a_signed_32_bit_sum() {
    let golden = [
        ("What is 2+2?", "4dc98640"),
        ("What is the capital of France?", "41620d5c"),
        ("", "0"),
        ("a", "61"),
        ("What is AI?", "6ddd71dd"),
        ("😀 emoji question?", "279396fe"),
        ("polygenelubricants", "80000000"),
        ("İstanbul K\u{212A}", "7f4ec1bc"),
    ];
    for (text, hash) in golden {
        assert_eq!(text_hash(text), hash, "{text}");
    }
}

#[test]
fn interface_ids_show_the_text_in_letters_digits_and_hyphens() {
    let golden = [
        ("What is 2+2?", "urn:uuid:question-what-is-22-4dc98640"),
        ("", "urn:uuid:question--0"),
        ("😀 emoji question?", "urn:uuid:question--emoji-question-279396fe"),
        ("İstanbul K\u{212A}", "urn:uuid:question-istanbul-kk-7f4ec1bc"),
        ("Second?", "urn:uuid:question-second-275a1dd5"),
    ];
    for (text, id) in golden {
        assert_eq!(interface_question_id(text), id);
    }
    // What JavaScript takes for white space, and U+0085, which it does not.
    assert!(interface_question_id("a\u{feff}\u{a0}\u{2028}b").starts_with("urn:uuid:question-a-b-"));
    assert!(interface_question_id("a\u{85}b").starts_with("urn:uuid:question-ab-"));
    let long = interface_question_id(&"word ".repeat(20));
    assert!(long.starts_with("urn:uuid:question-word-word-word-word-word-word-word-word-word-word--"));
}

#[test]
fn python_ids_keep_all_but_question_marks_full_stops_and_commas() {
    let golden = [
        ("What is 2+2?", "urn:uuid:question-what-is-2+2-936dbc87"),
        ("What is the capital of France?", "urn:uuid:question-what-is-the-capital-of-france-cb0b4aaf"),
        ("What is 3+3?", "urn:uuid:question-what-is-3+3-d1ef6fa6"),
    ];
    for (text, id) in golden {
        assert_eq!(python_question_id(text), id);
    }
    assert!(python_question_id("Who said \"A, b.\"?").starts_with("urn:uuid:question-who-said-\"a-b\"-"));
    let long = python_question_id(&"é".repeat(60));
    assert_eq!(long.chars().filter(|&character| character == 'é').count(), 50);
}

#[test]
fn questions_added_as_objects_have_the_md5_of_their_text() {
    assert_eq!(text_md5("What is 2+2?"), "936dbc8755f623c951d96ea2b03e13bc");
}

#[test]
fn rating_ids_lose_nothing_but_white_space() {
    assert_eq!(interface_rating_id("Does it cite (ok)?"), "urn:uuid:rating-does-it-cite-(ok)?");
    assert_eq!(interface_rating_id("Unit \t score"), "urn:uuid:rating-unit-score");
}

#[test]
fn template_names_are_cut_after_thirty_characters_or_units() {
    assert_eq!(python_name("What is AI?"), "What is AI?... Answer Template");
    let text = format!("{}😀😀", "x".repeat(29));
    assert_eq!(python_name(&text), format!("{}😀... Answer Template", "x".repeat(29)));
    assert_eq!(interface_name(&text), format!("{}\u{fffd}... Answer Template", "x".repeat(29)));
}

#[test]
fn template_ids_ignore_indentation_line_ends_and_trailing_space() {
    let plain = "class Answer:\n    x: int\n\n    def verify(self):\n        return True";
    let id = template_id(plain);
    assert_eq!(id, text_md5(plain));
    let indented = format!("\n{}\n  ", plain.lines().map(|line| format!("  {line}  \n")).collect::<String>());
    assert_eq!(template_id(&indented), id);
    assert_eq!(template_id(&plain.replace('\n', "\r\n")), id);
    assert_ne!(template_id(&plain.replace("    ", "\t")), id);
    assert_eq!(template_id(" \n\t"), "no_template");
}

#[test]
fn the_default_stub_is_known_by_the_question_it_was_made_for() {
    let question = "Which of the very many questions in this benchmark is the longest of all?";
    let stub = default_stub(question);
    assert!(
        stub.contains(
            "\"\"\"Answer template for: Which of the very many questions in this benchmark...\"\"\""
        )
    );
    assert_eq!(state(&format!("{stub}\n"), question), TemplateState::DefaultStub);
    assert_eq!(state(&stub, "Another question"), TemplateState::Written);
    assert_eq!(state(" \n", question), TemplateState::Empty);
}
