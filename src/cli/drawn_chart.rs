//! Numbers with labels as a chart of the kind that the user names.

use std::path::Path;

use clap::ValueEnum;

use super::CommandStop;
use super::output::write;
use evalgraph_diagnostics::Diagnostic;
use evalgraph_engine::drawing::bar_chart::bar_chart;
use evalgraph_engine::drawing::chart_number::ChartBar;
use evalgraph_engine::drawing::column_chart::{CountedNumber, histogram};
use evalgraph_engine::drawing::line_chart::line_chart;
use evalgraph_engine::drawing::picture::DrawnPicture;
use evalgraph_engine::drawing::picture_files::PictureFormat;

/// The kinds of charts that a user can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DrawnChart {
    /// Bars with names
    Bar,
    /// How often numbers occur
    Hist,
    /// A line through numbers in their order
    Line,
}

impl DrawnChart {
    /// Draws numbers with labels. A histogram has no labels.
    pub(super) fn draw(self, title: &str, bars: &[ChartBar]) -> DrawnPicture {
        match self {
            Self::Bar => bar_chart(title, bars),
            Self::Line => line_chart(title, bars),
            Self::Hist => {
                let counted = bars.iter().map(|bar| CountedNumber { number: bar.value, count: 1.0 });
                histogram(title, &counted.collect::<Vec<_>>())
            }
        }
    }
}

/// Writes a picture: SVG, or PNG if the name of the output says so.
pub(super) fn write_picture(picture: &DrawnPicture, path: Option<&Path>) -> Result<(), CommandStop> {
    let is_png =
        path.and_then(super::output_form::known_extension).is_some_and(|extension| extension == "png");
    let format = if is_png { PictureFormat::Png } else { PictureFormat::Svg };
    let bytes = format.bytes_of(picture);
    let bytes = bytes.map_err(|error| Diagnostic::error("output::picture", error.to_string()))?;
    write(path, |output| std::io::Write::write_all(output, &bytes))
}
