//! A picture: shapes with places in pixels, from the upper left corner.

use std::fmt::Write as _;

/// The colour of a shape by its purpose. The colours are those of the server's page in daylight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapePaint {
    /// The background.
    Paper,
    /// The background of a bar.
    Rail,
    /// Lines around and below.
    Line,
    /// Lines between nodes.
    Edge,
    /// Text, and literals.
    Ink,
    /// Text that is less important.
    Soft,
    /// Bars, columns and nodes.
    Accent,
}

impl ShapePaint {
    /// The red, green and blue parts.
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Self::Paper => [0xff, 0xff, 0xff],
            Self::Rail => [0xf2, 0xee, 0xe6],
            Self::Line => [0xe2, 0xdc, 0xcf],
            Self::Edge => [0x8f, 0x88, 0x7a],
            Self::Ink => [0x1d, 0x1c, 0x19],
            Self::Soft => [0x61, 0x5c, 0x53],
            Self::Accent => [0x0b, 0x5f, 0x5c],
        }
    }

    /// The colour as in SVG.
    pub(super) fn hexadecimal(self) -> String {
        let mut text = String::from("#");
        for part in self.rgb() {
            let _ = write!(text, "{part:02x}");
        }
        text
    }
}

/// A place in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PicturePoint {
    /// From the left.
    pub x: f64,
    /// From above.
    pub y: f64,
}

/// The part of a text that lies at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextAnchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// A shape.
#[derive(Debug, Clone, PartialEq)]
pub enum PictureShape {
    /// A filled rectangle.
    Rectangle {
        /// The upper left corner.
        at: PicturePoint,
        /// The width.
        width: f64,
        /// The height.
        height: f64,
        /// The colour.
        paint: ShapePaint,
        /// What a pointer shows.
        hint: Option<String>,
    },
    /// A filled circle.
    Circle {
        /// The middle.
        at: PicturePoint,
        /// The radius.
        radius: f64,
        /// The colour.
        paint: ShapePaint,
        /// What a pointer shows.
        hint: Option<String>,
    },
    /// Lines through some points.
    Lines {
        /// The points.
        points: Vec<PicturePoint>,
        /// The width of the lines.
        width: f64,
        /// The colour.
        paint: ShapePaint,
    },
    /// A line of text.
    Text {
        /// A place on the base line.
        at: PicturePoint,
        /// The part of the text at that place.
        anchor: TextAnchor,
        /// The colour.
        paint: ShapePaint,
        /// The text.
        text: String,
    },
}

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPicture {
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
    /// What the picture shows, for readers who cannot see it.
    pub title: String,
    /// The shapes, from the back to the front.
    pub shapes: Vec<PictureShape>,
}

impl DrawnPicture {
    pub(super) fn text(&mut self, at: PicturePoint, anchor: TextAnchor, paint: ShapePaint, text: String) {
        self.shapes.push(PictureShape::Text { at, anchor, paint, text });
    }

    pub(super) fn lines(&mut self, points: Vec<PicturePoint>, paint: ShapePaint) {
        self.shapes.push(PictureShape::Lines { points, width: 1.0, paint });
    }
}

/// Roughly how wide a text is, in pixels.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// The width of a character.
pub(super) const CHARACTER: f64 = 6.6;
/// The size of the font.
pub(super) const FONT_SIZE: f64 = 11.0;

/// The text in one line, cut after some characters.
pub(super) fn brief(text: &str, most: usize) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((cut, _)) = line.char_indices().nth(most) {
        line.truncate(cut);
        line.push('…');
    }
    line
}

pub(super) fn point(x: f64, y: f64) -> PicturePoint {
    PicturePoint { x, y }
}
