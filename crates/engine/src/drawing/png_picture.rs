//! Writes a picture as PNG, with two dots to a pixel. Text has the shapes of Noto Sans Mono, for Latin letters; any
//! other character is a box.

use std::io::{self, Write as _};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

use super::picture::{DrawnPicture, PicturePoint, PictureShape, ShapePaint, TextAnchor};

/// How many dots a pixel has in each direction.
const DOTS: f64 = 2.0;
/// The greatest number of dots: those of a picture of 10,000 by 10,000.
const MOST_DOTS: f64 = 1e8;
/// The height of a character in dots: that of 12 pixels.
const HEIGHT: RasterHeight = RasterHeight::Size24;
/// How many dots of a character are below the base line.
const DESCENT: f64 = 6.0;

/// Returns a picture as PNG.
///
/// # Errors
///
/// If it would have too many dots.
pub(super) fn to_png(picture: &DrawnPicture) -> io::Result<Vec<u8>> {
    let (width, height) = ((picture.width * DOTS).ceil(), (picture.height * DOTS).ceil());
    if width * height > MOST_DOTS || width < 1.0 || height < 1.0 {
        return Err(io::Error::other("the picture is too large for PNG: write SVG"));
    }
    let mut canvas = DotCanvas {
        width: width as usize,
        height: height as usize,
        dots: vec![0xff; width as usize * height as usize * 3],
    };
    for shape in &picture.shapes {
        canvas.draw(shape);
    }
    canvas.to_png()
}

/// Appends a part of a PNG file: its length, its name, its content, and the checksum of both (PNG, section 5.3).
fn write_chunk(name: [u8; 4], content: &[u8], png: &mut Vec<u8>) {
    let length = u32::try_from(content.len()).expect("a picture has far fewer bytes");
    png.extend(length.to_be_bytes());
    png.extend(name);
    png.extend(content);
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&name);
    checksum.update(content);
    png.extend(checksum.finalize().to_be_bytes());
}

/// The dots of a picture: red, green and blue, row by row.
struct DotCanvas {
    width: usize,
    height: usize,
    dots: Vec<u8>,
}

impl DotCanvas {
    /// Returns the dots as PNG: 8 bits for each colour, no interlacing, and rows without filters, since drawings have
    /// large areas of one colour.
    fn to_png(&self) -> io::Result<Vec<u8>> {
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        let [width, height] = [self.width as u32, self.height as u32].map(u32::to_be_bytes);
        write_chunk(*b"IHDR", &[&width[..], &height[..], &[8, 2, 0, 0, 0]].concat(), &mut png);
        let mut rows = ZlibEncoder::new(Vec::new(), Compression::default());
        for row in self.dots.chunks_exact(self.width * 3) {
            rows.write_all(&[0])?;
            rows.write_all(row)?;
        }
        write_chunk(*b"IDAT", &rows.finish()?, &mut png);
        write_chunk(*b"IEND", &[], &mut png);
        Ok(png)
    }

    fn draw(&mut self, shape: &PictureShape) {
        match shape {
            PictureShape::Rectangle { at, width, height, paint, .. } => {
                let (right, below) = ((at.x + width) * DOTS, (at.y + height) * DOTS);
                self.fill(at.x * DOTS, at.y * DOTS, right, below, *paint);
            }
            PictureShape::Circle { at, radius, paint, .. } => self.circle(*at, *radius, *paint),
            PictureShape::Lines { points, width, paint } => {
                for ends in points.windows(2) {
                    self.line(ends[0], ends[1], *width, *paint);
                }
            }
            PictureShape::Text { at, anchor, paint, text } => self.text(*at, *anchor, *paint, text),
        }
    }

    /// Mixes a colour into a dot; `share` is how much of the dot it covers.
    fn mix(&mut self, x: i64, y: i64, paint: ShapePaint, share: f64) {
        let is_inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height;
        if !is_inside || share <= 0.0 {
            return;
        }
        let start = (y as usize * self.width + x as usize) * 3;
        for (dot, colour) in self.dots[start..start + 3].iter_mut().zip(paint.rgb()) {
            let mixed = f64::from(*dot) + (f64::from(colour) - f64::from(*dot)) * share.min(1.0);
            *dot = mixed.round() as u8;
        }
    }

    /// Fills a rectangle, whose edges may lie between dots.
    fn fill(&mut self, left: f64, above: f64, right: f64, below: f64, paint: ShapePaint) {
        let covered = |at: f64, from: f64, to: f64| (to.min(at + 1.0) - from.max(at)).clamp(0.0, 1.0);
        for y in above.floor().max(0.0) as i64..below.ceil().min(self.height as f64) as i64 {
            let share = covered(y as f64, above, below);
            for x in left.floor().max(0.0) as i64..right.ceil().min(self.width as f64) as i64 {
                self.mix(x, y, paint, share * covered(x as f64, left, right));
            }
        }
    }

    fn circle(&mut self, at: PicturePoint, radius: f64, paint: ShapePaint) {
        let (x, y, radius) = (at.x * DOTS, at.y * DOTS, radius * DOTS);
        for row in (y - radius).floor() as i64..=(y + radius).ceil() as i64 {
            for column in (x - radius).floor() as i64..=(x + radius).ceil() as i64 {
                let distance = (column as f64 + 0.5 - x).hypot(row as f64 + 0.5 - y);
                self.mix(column, row, paint, radius + 0.5 - distance);
            }
        }
    }

    fn line(&mut self, from: PicturePoint, to: PicturePoint, width: f64, paint: ShapePaint) {
        let [from, to] = [from, to].map(|end| (end.x * DOTS, end.y * DOTS));
        let half = width * DOTS / 2.0;
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let square = (dx * dx + dy * dy).max(1e-9);
        // A long line is drawn in steps, so that only dots near it are looked at.
        let steps = (square.sqrt() / 16.0).ceil().max(1.0) as usize;
        for step in 0..steps {
            let [begin, end] = [step, step + 1].map(|step| step as f64 / steps as f64);
            let [x1, x2] = [begin, end].map(|part| from.0 + dx * part);
            let [y1, y2] = [begin, end].map(|part| from.1 + dy * part);
            let rows = (y1.min(y2) - half).floor() as i64..=(y1.max(y2) + half).ceil() as i64;
            for row in rows {
                for column in (x1.min(x2) - half).floor() as i64..=(x1.max(x2) + half).ceil() as i64 {
                    let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                    let along = ((x - from.0) * dx + (y - from.1) * dy) / square;
                    // Each dot belongs to one step.
                    if along < begin || along >= end {
                        continue;
                    }
                    let distance = (x - from.0 - dx * along).hypot(y - from.1 - dy * along);
                    self.mix(column, row, paint, half + 0.5 - distance);
                }
            }
        }
    }

    fn text(&mut self, at: PicturePoint, anchor: TextAnchor, paint: ShapePaint, text: &str) {
        // The font has no ellipsis.
        let text = text.replace('…', "...");
        let advance = get_raster_width(FontWeight::Regular, HEIGHT) as f64;
        let width = advance * text.chars().count() as f64;
        let left = match anchor {
            TextAnchor::Start => at.x * DOTS,
            TextAnchor::Middle => at.x * DOTS - width / 2.0,
            TextAnchor::End => at.x * DOTS - width,
        };
        let above = (at.y * DOTS + DESCENT - HEIGHT.val() as f64).round() as i64;
        for (index, character) in text.chars().enumerate() {
            let left = (left + advance * index as f64).round() as i64;
            let Some(raster) = get_raster(character, FontWeight::Regular, HEIGHT) else {
                let (x, y) = (left as f64 + 2.0, above as f64 + 5.0);
                self.fill(x, y, x + advance - 4.0, y + 13.0, ShapePaint::Line);
                continue;
            };
            for (row, shares) in (above..).zip(raster.rows()) {
                for (column, share) in (left..).zip(shares) {
                    self.mix(column, row, paint, f64::from(*share) / 255.0);
                }
            }
        }
    }
}
