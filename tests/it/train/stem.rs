//! Names of corpus files: the vectors that Python's `urlparse` gives.

use evalgraph::source::corpus::stem_of_url;

#[test]
fn the_stem_is_the_last_segment_and_the_fragment_as_they_stand() {
    let vectors = [
        ("https://en.example.org/wiki/Caf%C3%A9#History", "Caf%C3%A9#History"),
        ("https://en.example.org/wiki/a%2Fb", "a%2Fb"),
        ("https://en.example.org/wiki/Rubik's_Cube", "Rubik's_Cube"),
        ("https://x.org/a/b/", ""),
        ("https://x.org/a/b/#f", "#f"),
        ("https://x.org", ""),
        ("https://x.org/a;v=1?q=2#frag", "a#frag"),
        ("https://x.org/p?title=Foo", "p"),
        ("https://x.org/a#", "a"),
        ("https://x.org/a#b#c", "a#b#c"),
        // What decides beyond the ten: parameters of an earlier segment, schemes without parameters,
        // blanks, names without a scheme, an authority that is followed by no path.
        ("https://x.org/a;v=1/b;w=2", "b"),
        ("git://x.org/a;v=1", "a;v=1"),
        ("HTTPS://x.org/a;v=1", "a"),
        ("  https://x.org/a\n/b", "b"),
        ("a/b;c", "b"),
        ("//x.org?q=/a", ""),
        ("https://x.org#a/b", "#a/b"),
        ("mailto:a;b", "a;b"),
        ("1a:b/c", "c"),
        ("https://x.org/ä ö\"<>", "ä ö\"<>"),
        ("", ""),
    ];
    for (url, stem) in vectors {
        assert_eq!(stem_of_url(url), stem, "{url}");
    }
}
