//! Pictures as files.

use std::io;

use super::picture::DrawnPicture;
use super::png_picture::to_png;
use super::svg_picture::to_svg;

/// The forms of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Network Graphics, two dots to a pixel.
    Png,
}

impl PictureFormat {
    /// All forms.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Png];

    /// The name, which is also the extension of files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Returns a picture as a file of this form.
    ///
    /// # Errors
    ///
    /// If a PNG would be too large.
    pub fn bytes_of(self, picture: &DrawnPicture) -> io::Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(to_svg(picture).into_bytes()),
            Self::Png => to_png(picture),
        }
    }
}
