//! Draws a network.

use super::network::{NetworkNodeKind, StatementNetwork};
use super::network_layout::places;
use super::picture::{
    DrawnPicture, PicturePoint, PictureShape, ShapePaint, TextAnchor, brief, point, text_width,
};

/// How many nodes are drawn. More would lie on each other.
pub const MOST_NODES: usize = 200;
/// How many lines have names.
const NAMED_LINES: usize = 44;
/// The space around the nodes, for their names.
const ASIDE: f64 = 110.0;
const ABOVE: f64 = 40.0;

/// Draws a network, which has at most [`MOST_NODES`].
pub fn network_picture(title: &str, network: &StatementNetwork) -> DrawnPicture {
    let places = places(network);
    let ends = |values: &dyn Fn(&PicturePoint) -> f64| {
        let least = places.iter().map(values).fold(f64::INFINITY, f64::min);
        let most = places.iter().map(values).fold(f64::NEG_INFINITY, f64::max);
        if least > most { [0.0, 0.0] } else { [least, most] }
    };
    let ([left, right], [above, below]) = (ends(&|place| place.x), ends(&|place| place.y));
    let width = (right - left + 2.0 * ASIDE).max(360.0);
    let height = (below - above + 2.0 * ABOVE).max(220.0);
    let mut picture = DrawnPicture { width, height, title: title.to_owned(), shapes: Vec::new() };
    let moved = |place: &PicturePoint| point(place.x - left + ASIDE, place.y - above + ABOVE);
    let places: Vec<PicturePoint> = places.iter().map(moved).collect();
    let mut names = Vec::new();
    for edge in &network.edges {
        let (from, to) = (places[edge.from], places[edge.to]);
        draw_line(from, to, &mut picture);
        if network.edges.len() <= NAMED_LINES {
            let at = point(f64::midpoint(from.x, to.x), f64::midpoint(from.y, to.y) - 3.0);
            names.push(NetworkName { at, paint: ShapePaint::Soft, text: brief(&edge.label, 24) });
        }
    }
    for (node, &at) in network.nodes.iter().zip(&places) {
        let hint = Some(brief(&node.text, 600));
        picture.shapes.push(match node.kind {
            NetworkNodeKind::Literal => PictureShape::Rectangle {
                at: point(at.x - 4.0, at.y - 4.0),
                width: 8.0,
                height: 8.0,
                paint: ShapePaint::Soft,
                hint,
            },
            kind => {
                let radius = match kind {
                    _ if node.is_centre => 9.0,
                    NetworkNodeKind::Blank => 4.5,
                    _ => 6.5,
                };
                let paint =
                    if kind == NetworkNodeKind::Blank { ShapePaint::Edge } else { ShapePaint::Accent };
                PictureShape::Circle { at, radius, paint, hint }
            }
        });
        let base = at.y + if node.is_centre { 23.0 } else { 18.0 };
        names.push(NetworkName {
            at: point(at.x, base),
            paint: ShapePaint::Ink,
            text: brief(&node.label, 26),
        });
    }
    draw_names(names, &mut picture);
    picture
}

/// The name of a node or of a line.
struct NetworkName {
    /// The middle of its base line.
    at: PicturePoint,
    paint: ShapePaint,
    text: String,
}

/// Draws a line with a head.
fn draw_line(from: PicturePoint, to: PicturePoint, picture: &mut DrawnPicture) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1e-6);
    let (ux, uy) = (dx / length, dy / length);
    let tip = point(to.x - ux * 9.0, to.y - uy * 9.0);
    picture.lines(vec![from, tip], ShapePaint::Edge);
    let wing = |side: f64| point(tip.x - ux * 6.0 - uy * side, tip.y - uy * 6.0 + ux * side);
    picture.lines(vec![wing(2.6), tip, wing(-2.6)], ShapePaint::Edge);
}

/// Draws names over the lines behind them, without hiding other names.
fn draw_names(names: Vec<NetworkName>, picture: &mut DrawnPicture) {
    let names: Vec<NetworkName> = names.into_iter().filter(|name| !name.text.is_empty()).collect();
    for NetworkName { at, text, .. } in &names {
        let width = text_width(text);
        picture.shapes.push(PictureShape::Rectangle {
            at: point(at.x - width / 2.0, at.y - 9.0),
            width,
            height: 12.0,
            paint: ShapePaint::Paper,
            hint: None,
        });
    }
    for NetworkName { at, paint, text } in names {
        picture.text(at, TextAnchor::Middle, paint, text);
    }
}
