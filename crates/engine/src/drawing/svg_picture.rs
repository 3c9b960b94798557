//! Writes a picture as SVG 1.1.

use std::fmt::Write as _;

use super::picture::{DrawnPicture, FONT_SIZE, PictureShape, ShapePaint, TextAnchor};
use evalgraph_diagnostics::markup::escaped;

/// Returns a picture as SVG. The text is escaped, and nothing in it is fetched or executed.
pub(super) fn to_svg(picture: &DrawnPicture) -> String {
    let (width, height) = (number(picture.width), number(picture.height));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"system-ui, 'Segoe UI', Roboto, 'Noto Sans', \
         sans-serif\" font-size=\"{}\">\n<title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>",
        number(FONT_SIZE),
        plain(&picture.title),
        ShapePaint::Paper.hexadecimal()
    );
    for shape in &picture.shapes {
        write_shape(shape, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

fn write_shape(shape: &PictureShape, svg: &mut String) {
    // Writing to a string does not fail.
    let _ = match shape {
        PictureShape::Rectangle { at, width, height, paint, hint } => writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1.5\" fill=\"{}\"{}",
            number(at.x),
            number(at.y),
            number(*width),
            number(*height),
            paint.hexadecimal(),
            end("rect", hint.as_deref())
        ),
        PictureShape::Circle { at, radius, paint, hint } => writeln!(
            svg,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"{}",
            number(at.x),
            number(at.y),
            number(*radius),
            paint.hexadecimal(),
            end("circle", hint.as_deref())
        ),
        PictureShape::Lines { points, width, paint } => {
            let points: Vec<String> =
                points.iter().map(|point| format!("{},{}", number(point.x), number(point.y))).collect();
            writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
                points.join(" "),
                paint.hexadecimal(),
                number(*width)
            )
        }
        PictureShape::Text { at, anchor, paint, text } => {
            let anchor = match anchor {
                TextAnchor::Start => "",
                TextAnchor::Middle => " text-anchor=\"middle\"",
                TextAnchor::End => " text-anchor=\"end\"",
            };
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\"{anchor} fill=\"{}\">{}</text>",
                number(at.x),
                number(at.y),
                paint.hexadecimal(),
                plain(text)
            )
        }
    };
}

/// The end of an element, with what a pointer shows.
fn end(element: &str, hint: Option<&str>) -> String {
    match hint {
        Some(hint) => format!("><title>{}</title></{element}>", plain(hint)),
        None => "/>".to_owned(),
    }
}

/// A text that may be in XML: escaped, without control characters.
fn plain(text: &str) -> String {
    let allowed: String =
        text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
    escaped(&allowed)
}

/// A number with at most one digit after the point.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{rounded}")
}
