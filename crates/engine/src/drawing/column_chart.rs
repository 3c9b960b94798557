//! A histogram: how often values fall into parts of their range.

use std::collections::BTreeSet;

use super::chart_number::{ChartBar, shown_number};
use super::picture::{CHARACTER, DrawnPicture, PictureShape, ShapePaint, TextAnchor, brief, point};

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 220.0;
const MARGIN: f64 = 16.0;
/// The space above and below the columns.
const HEAD: f64 = 44.0;
const FOOT: f64 = 22.0;
/// The widest column: a few of them do not fill the whole width.
const WIDEST: f64 = 64.0;
/// The greatest range of whole numbers that get a column each.
const WHOLE: f64 = 24.0;

/// A number, and how often it occurs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountedNumber {
    /// The number, which is finite.
    pub number: f64,
    /// How often it occurs.
    pub count: f64,
}

/// Draws how often numbers occur. Whole numbers in a small range have a column each; otherwise the range has 5 to 20
/// equal parts.
pub fn histogram(title: &str, values: &[CountedNumber]) -> DrawnPicture {
    let numbers = || values.iter().map(|value| value.number);
    let low = numbers().fold(f64::INFINITY, f64::min);
    let high = numbers().fold(f64::NEG_INFINITY, f64::max);
    let mut picture =
        DrawnPicture { width: WIDTH, height: HEIGHT, title: title.to_owned(), shapes: Vec::new() };
    picture.text(point(MARGIN, MARGIN + 8.0), TextAnchor::Start, ShapePaint::Ink, brief(title, 70));
    if !low.is_finite() {
        return picture;
    }
    let is_whole = numbers().all(|number| number.fract() == 0.0) && high - low <= WHOLE;
    let kinds: BTreeSet<u64> = numbers().map(f64::to_bits).collect();
    let parts = if is_whole { (high - low) as usize + 1 } else { kinds.len().clamp(5, 20) };
    let step = if is_whole { 1.0 } else { (high - low) / parts as f64 };
    let mut counts = vec![0.0; parts];
    for CountedNumber { number, count } in values {
        let part = if step > 0.0 { ((number - low) / step) as usize } else { 0 };
        counts[part.min(parts - 1)] += count;
    }
    let bars = counts.iter().enumerate().map(|(part, &count)| {
        let begin = low + part as f64 * step;
        let label = match is_whole {
            true => shown_number(begin),
            false => format!("{} to {}", shown_number(begin), shown_number(begin + step)),
        };
        ChartBar { label, value: count }
    });
    draw_columns(&bars.collect::<Vec<_>>(), is_whole, [low, high], &mut picture);
    picture
}

fn draw_columns(bars: &[ChartBar], is_whole: bool, ends: [f64; 2], picture: &mut DrawnPicture) {
    let most = bars.iter().map(|bar| bar.value).fold(1.0, f64::max);
    let each = WIDEST.min((WIDTH - 2.0 * MARGIN) / bars.len() as f64);
    let gap = (each * 0.18).min(3.0);
    let (below, room) = (HEIGHT - FOOT, HEIGHT - FOOT - HEAD);
    for (index, bar) in bars.iter().enumerate() {
        let left = MARGIN + index as f64 * each;
        let tall = if bar.value == 0.0 { 0.0 } else { (bar.value / most * room).max(1.5) };
        picture.shapes.push(PictureShape::Rectangle {
            at: point(left + gap / 2.0, below - tall),
            width: (each - gap).max(1.0),
            height: tall,
            paint: ShapePaint::Accent,
            hint: Some(format!("{}: {}", bar.label, shown_number(bar.value))),
        });
        let middle = left + each / 2.0;
        let count = shown_number(bar.value);
        if bar.value > 0.0 && each >= CHARACTER * (count.chars().count() as f64 + 1.0) {
            picture.text(point(middle, below - tall - 5.0), TextAnchor::Middle, ShapePaint::Soft, count);
        }
        if is_whole && each >= CHARACTER * (bar.label.chars().count() as f64 + 1.0) {
            let label = bar.label.clone();
            picture.text(point(middle, HEIGHT - 6.0), TextAnchor::Middle, ShapePaint::Soft, label);
        }
    }
    let end = MARGIN + each * bars.len() as f64;
    picture.lines(vec![point(MARGIN, below + 0.5), point(end, below + 0.5)], ShapePaint::Edge);
    if !is_whole {
        let [low, high] = ends.map(shown_number);
        picture.text(point(MARGIN, HEIGHT - 6.0), TextAnchor::Start, ShapePaint::Soft, low);
        picture.text(point(end, HEIGHT - 6.0), TextAnchor::End, ShapePaint::Soft, high);
    }
}
