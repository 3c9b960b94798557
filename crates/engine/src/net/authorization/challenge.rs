//! The challenges of a server: `WWW-Authenticate` (RFC 9110, sections 11.3 to 11.6.1). A response may have several of
//! them, in one header field or in several.

/// A challenge: a scheme and its parameters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Challenge {
    /// In lower case.
    pub(super) scheme: String,
    /// Names, in lower case, with values.
    parameters: Vec<(String, String)>,
}

impl Challenge {
    /// The challenges in a header field. Text that is not a challenge is skipped.
    pub(super) fn parse(field: &str) -> Vec<Self> {
        let mut challenges: Vec<Self> = Vec::new();
        let mut rest = ChallengeText(field);
        loop {
            let is_next = rest.skip_to_next();
            let name = rest.token();
            if name.is_empty() {
                if rest.0.is_empty() {
                    return challenges;
                }
                rest.skip_character();
                continue;
            }
            let name = name.to_ascii_lowercase();
            match (rest.value(), challenges.last_mut()) {
                (Some(value), Some(challenge)) => challenge.parameters.push((name, value)),
                (Some(_), None) => {}
                // A `token68`. Only schemes that are not supported here use one.
                (None, Some(_)) if !is_next => {}
                (None, _) => challenges.push(Self { scheme: name, parameters: Vec::new() }),
            }
        }
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns whether a parameter is `true`.
    pub(super) fn says(&self, name: &str) -> bool {
        self.parameter(name).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }
}

/// The rest of a header field.
struct ChallengeText<'f>(&'f str);

impl<'f> ChallengeText<'f> {
    /// Skips the separators between elements. Returns whether there was a comma.
    fn skip_to_next(&mut self) -> bool {
        let rest = self.0.trim_start_matches([' ', '\t', ',']);
        let skipped = &self.0[..self.0.len() - rest.len()];
        self.0 = rest;
        skipped.contains(',')
    }

    fn skip_character(&mut self) {
        let mut characters = self.0.chars();
        characters.next();
        self.0 = characters.as_str();
    }

    fn token(&mut self) -> &'f str {
        let is_of_token =
            |character: char| character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character);
        let end = self.0.find(|character| !is_of_token(character)).unwrap_or(self.0.len());
        let (token, rest) = self.0.split_at(end);
        self.0 = rest;
        token
    }

    /// The value after an equals sign: a token or a quoted string.
    fn value(&mut self) -> Option<String> {
        let rest = self.0.trim_start_matches([' ', '\t']).strip_prefix('=')?;
        self.0 = rest.trim_start_matches([' ', '\t']);
        match self.0.strip_prefix('"') {
            Some(rest) => {
                self.0 = rest;
                Some(self.quoted())
            }
            None => Some(self.token().to_owned()),
        }
    }

    /// The text up to the closing quote, unescaped.
    fn quoted(&mut self) -> String {
        let mut text = String::new();
        let mut characters = self.0.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' => break,
                '\\' => text.extend(characters.next()),
                character => text.push(character),
            }
        }
        self.0 = characters.as_str();
        text
    }
}

#[test]
fn challenges_come_apart() {
    // The example of RFC 9110, section 11.6.1.
    let field = r#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#;
    let parameters = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let apps = [("realm", "apps"), ("type", "1"), ("title", r#"Login to "apps""#)];
    assert_eq!(
        Challenge::parse(field),
        [
            Challenge { scheme: "basic".to_owned(), parameters: parameters(&[("realm", "simple")]) },
            Challenge { scheme: "newauth".to_owned(), parameters: parameters(&apps) },
        ]
    );
}

#[test]
fn odd_challenges_are_read_as_far_as_they_go() {
    let schemes = |field: &str| -> Vec<String> {
        Challenge::parse(field).into_iter().map(|challenge| challenge.scheme).collect()
    };
    assert_eq!(schemes(", ,Basic"), ["basic"]);
    assert_eq!(schemes("Negotiate, BASIC realm = \"a, Digest b\" ,Bearer"), ["negotiate", "basic", "bearer"]);
    assert_eq!(schemes("realm=\"x\", Basic charset=\"UTF-8"), ["basic"]);
    assert_eq!(schemes("Basic realm=\"a\\"), ["basic"]);
    assert_eq!(schemes("äß() Basic"), ["basic"]);
    assert_eq!(schemes("Negotiate YII/a+b c==, Basic realm=x"), ["negotiate", "basic"]);
    assert!(schemes("").is_empty());
    assert!(Challenge::parse("Digest STALE=True")[0].says("stale"));
}
