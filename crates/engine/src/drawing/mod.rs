//! Draws numbers as charts and statements as networks, as the page of the server does: SVG, PNG, and files for programs
//! that draw.

pub mod bar_chart;
pub mod chart_number;
pub mod column_chart;
pub mod line_chart;
pub mod network;
pub mod network_files;
mod network_layout;
pub mod network_picture;
pub mod picture;
pub mod picture_files;
mod png_picture;
mod svg_picture;
