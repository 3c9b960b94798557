//! The order in which people expect texts, as in a list of names or of numbered ids.

use crate::without_marks;
use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// Compares texts as a reader would: case, accents and white space count only between texts that are otherwise the
/// same, and digits are compared as numbers.
///
/// ```
/// use evalgraph_text_keys::reading_order::reading_order;
///
/// let mut texts = ["Q10", "q9", "Zürich", "Zurich", "äpfel", "Birnen"];
/// texts.sort_by(|one, other| reading_order(one, other));
/// assert_eq!(texts, ["äpfel", "Birnen", "q9", "Q10", "Zurich", "Zürich"]);
/// ```
pub fn reading_order(one: &str, other: &str) -> Ordering {
    let (plain, other_plain) = (without_marks(one), without_marks(other));
    numbers_in_order(&plain, &other_plain).then_with(|| one.cmp(other))
}

fn numbers_in_order(one: &str, other: &str) -> Ordering {
    let (mut one, mut other) = (one.chars().peekable(), other.chars().peekable());
    loop {
        let (Some(character), Some(other_character)) = (one.peek(), other.peek()) else {
            return one.peek().is_some().cmp(&other.peek().is_some());
        };
        let order = match character.is_ascii_digit() && other_character.is_ascii_digit() {
            true => {
                let (number, other_number) = (digits(&mut one), digits(&mut other));
                number.len().cmp(&other_number.len()).then_with(|| number.cmp(&other_number))
            }
            false => {
                let order = character.cmp(other_character);
                one.next();
                other.next();
                order
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Takes the digits at the beginning, without leading zeros.
fn digits(characters: &mut Peekable<Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = characters.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    digits.trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_order_is_total(texts in proptest::collection::vec("[0-2aAäÄ ]{0,6}", 3)) {
            let [a, b, c] = [&texts[0], &texts[1], &texts[2]];
            proptest::prop_assert_eq!(reading_order(a, b), reading_order(b, a).reverse());
            proptest::prop_assert_eq!(reading_order(a, b) == Ordering::Equal, a == b);
            if reading_order(a, b).is_le() && reading_order(b, c).is_le() {
                proptest::prop_assert!(reading_order(a, c).is_le());
            }
        }
    }
}
