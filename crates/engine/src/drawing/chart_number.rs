//! Numbers in charts.

use evalgraph_diagnostics::thousands;

/// A number with its label.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartBar {
    /// The label.
    pub label: String,
    /// The number, which is finite.
    pub value: f64,
}

/// Returns a number as it is shown: with separators between thousands, and with at most three digits after the point.
///
/// ```
/// use evalgraph_engine::drawing::chart_number::shown_number;
///
/// assert_eq!(shown_number(1234567.0), "1,234,567");
/// assert_eq!(shown_number(-0.12345), "-0.123");
/// ```
pub fn shown_number(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    let whole = rounded.abs().trunc();
    if !rounded.is_finite() || whole >= 1e15 {
        return format!("{value:e}");
    }
    let sign = if rounded < 0.0 { "-" } else { "" };
    let digits = format!("{:.3}", rounded.abs() - whole);
    let digits = digits.trim_start_matches('0').trim_end_matches('0').trim_end_matches('.');
    format!("{sign}{}{digits}", thousands(whole as u64))
}
