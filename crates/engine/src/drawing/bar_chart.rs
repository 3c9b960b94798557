//! Horizontal bars, one below the other: for names, which need room.

use super::chart_number::{ChartBar, shown_number};
use super::picture::{DrawnPicture, PictureShape, ShapePaint, TextAnchor, brief, point, text_width};

/// The height of a bar with the space around it.
const ROW: f64 = 22.0;
/// The length of the longest bar.
const LENGTH: f64 = 380.0;
/// The space around the picture.
const MARGIN: f64 = 16.0;
/// The longest label, in characters.
const LABEL: usize = 60;
/// How many bars are drawn.
pub const MOST_BARS: usize = 500;

/// Draws bars in their order. If there are more than [`MOST_BARS`], the picture says how many are left out.
pub fn bar_chart(title: &str, bars: &[ChartBar]) -> DrawnPicture {
    let drawn = &bars[..bars.len().min(MOST_BARS)];
    let labels: Vec<String> = drawn.iter().map(|bar| brief(&bar.label, LABEL)).collect();
    let values: Vec<String> = drawn.iter().map(|bar| shown_number(bar.value)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| text_width(text)).fold(0.0, f64::max);
    let most = drawn.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let least = drawn.iter().map(|bar| bar.value).fold(0.0, f64::min);
    let span = if most > least { most - least } else { 1.0 };
    let left = MARGIN + widest(&labels) + 10.0;
    let top = MARGIN + 24.0;
    let left_out = bars.len() - drawn.len();
    let height = top + ROW * (drawn.len() + usize::from(left_out > 0)) as f64 + MARGIN;
    let width = left + LENGTH + 10.0 + widest(&values) + MARGIN;
    let mut picture = DrawnPicture { width, height, title: title.to_owned(), shapes: Vec::new() };
    picture.text(point(MARGIN, MARGIN + 8.0), TextAnchor::Start, ShapePaint::Ink, brief(title, LABEL));
    for (row, ((bar, label), value)) in drawn.iter().zip(labels).zip(values).enumerate() {
        let above = top + ROW * row as f64;
        let base = above + 13.0;
        picture.text(point(left - 10.0, base), TextAnchor::End, ShapePaint::Ink, label);
        let rail = |x: f64, width: f64, paint: ShapePaint, hint: Option<String>| PictureShape::Rectangle {
            at: point(x, above + 3.0),
            width,
            height: ROW - 8.0,
            paint,
            hint,
        };
        picture.shapes.push(rail(left, LENGTH, ShapePaint::Rail, None));
        let start = left + (bar.value.min(0.0) - least) / span * LENGTH;
        let shortest = if bar.value == 0.0 { 0.0 } else { 1.5 };
        let length = (bar.value.abs() / span * LENGTH).max(shortest);
        let hint = format!("{}: {value}", bar.label);
        picture.shapes.push(rail(start, length, ShapePaint::Accent, Some(hint)));
        picture.text(point(left + LENGTH + 10.0, base), TextAnchor::Start, ShapePaint::Soft, value);
    }
    if left_out > 0 {
        let base = top + ROW * drawn.len() as f64 + 13.0;
        let text = format!("and {left_out} more");
        picture.text(point(left, base), TextAnchor::Start, ShapePaint::Soft, text);
    }
    picture
}
