//! The natural order of names that contain numbers: `row/2` before `row/10`.

use std::cmp::Ordering;

/// Compares strings piece by piece, and runs of digits as numbers. Different strings are never equal.
pub(super) fn natural_order(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left.as_bytes(), right.as_bytes());
    loop {
        let ordering = match (a.first(), b.first()) {
            (None, None) => return left.cmp(right),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let (x, y) = (digits(&mut a), digits(&mut b));
                x.len().cmp(&y.len()).then_with(|| x.cmp(y))
            }
            (Some(x), Some(y)) => {
                let ordering = x.cmp(y);
                (a, b) = (&a[1..], &b[1..]);
                ordering
            }
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
}

/// Removes the digits at the beginning of a string, and returns them without leading zeros.
fn digits<'t>(text: &mut &'t [u8]) -> &'t [u8] {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(length);
    *text = rest;
    let zeros = digits.iter().take_while(|&&byte| byte == b'0').count();
    &digits[zeros..]
}

#[cfg(test)]
mod tests {
    use super::natural_order;
    use std::cmp::Ordering;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names = ["b/10", "b/2", "a", "b/02", "b", "b/2/1", ""];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["", "a", "b", "b/02", "b/2", "b/2/1", "b/10"]);
        assert_eq!(natural_order("x1", "x1"), Ordering::Equal);
    }
}
