//! A line through numbers in their order, such as numbers by day.

use super::chart_number::{ChartBar, shown_number};
use super::picture::{
    CHARACTER, DrawnPicture, PictureShape, ShapePaint, TextAnchor, brief, point, text_width,
};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const MARGIN: f64 = 16.0;
const HEAD: f64 = 44.0;
const FOOT: f64 = 26.0;
/// How many points are marked.
const MARKED: usize = 60;

/// Draws a line through the values, in order. The axis begins at 0, unless a value is below.
pub fn line_chart(title: &str, bars: &[ChartBar]) -> DrawnPicture {
    let most = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let least = bars.iter().map(|bar| bar.value).fold(0.0, f64::min);
    let span = if most > least { most - least } else { 1.0 };
    let [high, low] = [most, least].map(shown_number);
    let left = MARGIN + text_width(&high).max(text_width(&low)) + 8.0;
    let (right, above, below) = (WIDTH - MARGIN, HEAD, HEIGHT - FOOT);
    let mut picture =
        DrawnPicture { width: WIDTH, height: HEIGHT, title: title.to_owned(), shapes: Vec::new() };
    picture.text(point(MARGIN, MARGIN + 8.0), TextAnchor::Start, ShapePaint::Ink, brief(title, 80));
    for (y, text) in [(above, high), (below, low)] {
        picture.lines(vec![point(left, y), point(right, y)], ShapePaint::Line);
        picture.text(point(left - 8.0, y + 4.0), TextAnchor::End, ShapePaint::Soft, text);
    }
    let steps = bars.len().saturating_sub(1).max(1) as f64;
    let place = |(index, bar): (usize, &ChartBar)| {
        let x = left + index as f64 / steps * (right - left);
        point(x, below - (bar.value - least) / span * (below - above))
    };
    let points: Vec<_> = bars.iter().enumerate().map(place).collect();
    picture.shapes.push(PictureShape::Lines {
        points: points.clone(),
        width: 2.0,
        paint: ShapePaint::Accent,
    });
    if bars.len() <= MARKED {
        for (bar, at) in bars.iter().zip(points) {
            let hint = Some(format!("{}: {}", bar.label, shown_number(bar.value)));
            picture.shapes.push(PictureShape::Circle { at, radius: 3.0, paint: ShapePaint::Accent, hint });
        }
    }
    let longest = ((right - left) / CHARACTER / 2.0) as usize - 1;
    let ends = [
        (bars.first(), left, TextAnchor::Start),
        (bars.last().filter(|_| bars.len() > 1), right, TextAnchor::End),
    ];
    for (bar, x, anchor) in ends {
        if let Some(bar) = bar {
            let label = brief(&bar.label, longest);
            picture.text(point(x, HEIGHT - 8.0), anchor, ShapePaint::Soft, label);
        }
    }
    picture
}
