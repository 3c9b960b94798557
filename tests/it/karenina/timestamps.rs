//! The timestamps of checkpoints: which are of ISO 8601.

use evalgraph::source::checking::IsoTimestamp;

#[test]
fn timestamps_are_read_as_iso_8601_has_them() {
    for text in ["2026-04-11", "2024-02-29"] {
        assert!(matches!(IsoTimestamp::parse(text), Some(IsoTimestamp::Date(_))), "{text}");
    }
    for text in ["2026-04-11T10:00", "2026-04-11T10:00:00", "2026-04-11T10:00:00.5", "2026-04-11T23:59:60"] {
        assert!(matches!(IsoTimestamp::parse(text), Some(IsoTimestamp::Naive(_))), "{text}");
    }
    for text in ["2026-04-11T10:00:00.123456789Z", "2026-04-11T10:00+02:00", "2026-04-11T10:00:00-0330"] {
        assert!(matches!(IsoTimestamp::parse(text), Some(IsoTimestamp::Zoned(..))), "{text}");
    }
    for text in [
        "",
        "2026",
        "2026-4-11",
        "2026-02-30",
        "2026-04-11 10:00:00",
        "2026-04-11T",
        "2026-04-11T25:00:00",
        "2026-04-11T10:00:00.",
        "2026-04-11T10:00:00+25:00",
        "2026-04-11T10:00:00 Z",
        "yesterday",
        "+2026-04-11",
        "２026-04-11",
        "2026-04-11T10:00:00Zé",
    ] {
        assert_eq!(IsoTimestamp::parse(text), None, "{text}");
    }
}
