//! Tests which server a name means, which credentials are sent to it, and where mistakes are reported.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::net::SecretText;

/// A folder with a user's configuration, a project and secrets, and the variables of an environment.
struct EndpointTestScene {
    folder: TempDir,
    variables: HashMap<&'static str, String>,
    report: RunReport,
}

impl EndpointTestScene {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        fs::create_dir_all(folder.path().join("project/inner")).expect("there is room");
        let home = folder.path().display().to_string();
        Self { variables: [("HOME", home)].into(), folder, report: RunReport::default() }
    }

    fn with_variable(mut self, name: &'static str, value: &str) -> Self {
        self.variables.insert(name, value.to_owned());
        self
    }

    fn with_file(self, name: &str, text: &str) -> Self {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
        fs::write(&path, text).expect("there is room");
        close(&path);
        self
    }

    fn with_users(self, text: &str) -> Self {
        self.with_file(".config/evalgraph/config.toml", text)
    }

    fn with_projects(self, text: &str) -> Self {
        self.with_file("project/evalgraph.toml", text)
    }

    fn choose(&mut self, endpoint: &str, arguments: &ServerUse) -> Result<ChosenEndpoint, Box<Diagnostic>> {
        let variable = |name: &str| self.variables.get(name).map(OsString::from);
        let folder = self.folder.path().join("project/inner");
        let surroundings = ProcessEnvironment { variable: &variable, folder: &folder };
        choose(endpoint, arguments, &NetUse::default(), surroundings, &mut self.report)
    }

    fn chosen(&mut self, endpoint: &str) -> ChosenEndpoint {
        self.choose(endpoint, &ServerUse::default()).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Returns the error, with its path relative to this folder.
    fn fault(&mut self, endpoint: &str) -> String {
        let fault = self.choose(endpoint, &ServerUse::default()).expect_err("it is at fault");
        assert!(fault.place.as_ref().is_none_or(|place| place.excerpt.text.is_empty()), "it quotes the file");
        let root = format!("{}/", self.folder.path().display());
        let help: Vec<String> = fault.help.iter().map(|help| format!(" ({help})")).collect();
        format!("{fault}{}", help.concat()).replace(&root, "")
    }
}

#[cfg(unix)]
fn close(path: &Path) {
    use std::os::unix::fs::PermissionsExt;

    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("it is ours");
}

#[cfg(not(unix))]
fn close(_path: &Path) {}

fn login(user: &str, password: &str) -> Option<Credentials> {
    Some(Credentials::Login { user: user.to_owned(), password: SecretText::new(password) })
}

fn token(token: &str) -> Option<Credentials> {
    Some(Credentials::Token(SecretText::new(token)))
}

#[test]
fn a_url_is_asked_with_the_credentials_of_the_environment() {
    let mut scene = EndpointTestScene::new().with_projects("not TOML, and never read");
    let chosen = scene.chosen("https://example.org/ds");
    assert_eq!(chosen.addresses.url.as_deref(), Some("https://example.org/ds"));
    assert_eq!(chosen.options.credentials, None);
    let mut scene =
        scene.with_variable("EVALGRAPH_USER", "ada").with_variable("EVALGRAPH_PASSWORD", "open sesame");
    assert_eq!(scene.chosen("http://localhost:3030/ds").options.credentials, login("ada", "open sesame"));
    let mut scene =
        EndpointTestScene::new().with_variable("EVALGRAPH_TOKEN", "abc").with_variable("EVALGRAPH_USER", "");
    assert_eq!(scene.chosen("https://example.org/ds").options.credentials, token("abc"));
}

#[test]
fn a_bad_url_is_refused_without_the_password_in_it() {
    let mut scene = EndpointTestScene::new();
    for (url, words) in [
        (
            "https://ada:sesame@example.org/",
            "`https://***@example.org/` contains a user name or password, which are never sent",
        ),
        ("https://ada:ses/ame@example.org/", "`https://***@example.org/` is not an absolute URL"),
        ("https://ada:ses ame@example.org/", "`https://***@example.org/` is not an absolute URL"),
        ("ftp://example.org/", "`ftp://example.org/` is not a URL of the scheme `https`"),
        ("localhost:3030/ds", "`localhost:3030/ds` is not a URL of the scheme `https`"),
    ] {
        let told = scene.fault(url);
        assert!(told.starts_with(&format!("server::address: {words}")), "{told}");
    }
}

#[test]
fn a_definition_of_the_user_says_where_and_who() {
    let text = "
[endpoints.lab]
url = 'https://example.org/repositories/evals'
update = 'https://example.org/write'
default-graph = 'urn:example:a'
named-graph = ['urn:example:b', 'urn:example:c']
user = 'ada'
password-file = 'secrets/lab'
ca = '~/lab.pem'
";
    let mut scene = EndpointTestScene::new()
        .with_users(text)
        .with_file(".config/evalgraph/secrets/lab", "open sesame\r\nmore\n");
    let chosen = scene.chosen("lab");
    let update = Some("https://example.org/write".to_owned());
    let url = Some("https://example.org/repositories/evals".to_owned());
    assert_eq!(chosen.addresses, GivenAddresses { url, update, ..GivenAddresses::default() });
    assert_eq!(chosen.graphs.default, ["urn:example:a"]);
    assert_eq!(chosen.graphs.named, ["urn:example:b", "urn:example:c"]);
    assert_eq!(chosen.options.credentials, login("ada", "open sesame"));
    assert_eq!(chosen.options.ca, Some(scene.folder.path().join("lab.pem")));
    assert_eq!(scene.report.findings().count(), 0);
}

#[test]
fn the_users_file_is_looked_for_where_variables_say() {
    let text = "[endpoints.x]\nurl = 'https://example.org/a'";
    let mut scene = EndpointTestScene::new().with_users(text);
    assert_eq!(scene.chosen("x").addresses.any(), Some("https://example.org/a"));
    let folder = scene.folder.path().join("xdg").display().to_string();
    let mut scene = scene
        .with_file("xdg/evalgraph/config.toml", "[endpoints.x]\nurl = 'https://example.org/b'")
        .with_variable("XDG_CONFIG_HOME", &folder);
    assert_eq!(scene.chosen("x").addresses.any(), Some("https://example.org/b"));
    let mut scene = scene
        .with_file("project/own.toml", "[endpoints.x]\nquery = 'https://example.org/c'")
        .with_variable("EVALGRAPH_CONFIG", "../own.toml");
    assert_eq!(scene.chosen("x").addresses.any(), Some("https://example.org/c"));
    let mut scene = scene.with_variable("EVALGRAPH_CONFIG", "/nowhere/config.toml");
    let told = "/nowhere/config.toml: config::unreadable: the configuration cannot be read: \
                no such file or directory";
    assert_eq!(scene.fault("x"), told);
}

#[test]
fn credentials_come_from_arguments_then_the_definition_then_the_environment() {
    let definition = "[endpoints.lab]\nurl = 'https://example.org/'\n";
    let mut scene = EndpointTestScene::new()
        .with_users(definition)
        .with_file("given", "given")
        .with_variable("EVALGRAPH_USER", "eve")
        .with_variable("EVALGRAPH_PASSWORD", "of environment")
        .with_variable("LAB", "of definition");
    assert_eq!(scene.chosen("lab").options.credentials, login("eve", "of environment"));
    let mut scene = scene.with_users(&format!("{definition}user = 'ada'\npassword-variable = 'LAB'"));
    assert_eq!(scene.chosen("lab").options.credentials, login("ada", "of definition"));
    let file = scene.folder.path().join("given");
    let by_password = ServerUse { password_file: Some(file.clone()), ..ServerUse::default() };
    let chosen = scene.choose("lab", &by_password).expect("the definition has the user");
    assert_eq!(chosen.options.credentials, login("ada", "given"));
    let by_user = ServerUse { user: Some("bob".to_owned()), ..ServerUse::default() };
    let chosen = scene.choose("lab", &by_user).expect("the definition has the password");
    assert_eq!(chosen.options.credentials, login("bob", "of definition"));
    let by_token = ServerUse { token_file: Some(file), ca: Some("own.pem".into()), ..ServerUse::default() };
    let chosen = scene.choose("lab", &by_token).expect("the token is there");
    assert_eq!((chosen.options.credentials, chosen.options.ca), (token("given"), Some("own.pem".into())));
    let mut scene = scene.with_users(&format!("{definition}token-variable = 'LAB'"));
    let fault = scene.fault("lab");
    assert!(fault.contains("the token has an invalid character"), "{fault}");
}

#[test]
fn no_credentials_go_to_an_endpoint_of_a_project() {
    let mut scene = EndpointTestScene::new()
        .with_projects("endpoint = 'lab'\n[endpoints.lab]\nurl = 'https://elsewhere.example/'")
        .with_users(
            "[endpoints.other]\nurl = 'https://example.org/'\nuser = 'ada'\npassword-variable = 'LAB'",
        )
        .with_file("given", "given")
        .with_variable("LAB", "sesame")
        .with_variable("EVALGRAPH_TOKEN", "abc")
        .with_variable("EVALGRAPH_USER", "eve")
        .with_variable("EVALGRAPH_PASSWORD", "sesame");
    for name in ["lab", "."] {
        assert_eq!(scene.chosen(name).options.credentials, None);
    }
    let told: Vec<String> = scene.report.findings().map(ToString::to_string).collect();
    let note =
        "project/evalgraph.toml:2:12: config::endpoint: the endpoint `lab` is `https://elsewhere.example/`";
    assert!(told.len() == 2 && told[0].ends_with(note), "{told:?}");
    // Credentials given together with the name are sent to the project's server.
    let given = scene.folder.path().join("given");
    let arguments = ServerUse { token_file: Some(given), ..ServerUse::default() };
    let chosen = scene.choose("lab", &arguments).expect("the token is there");
    assert_eq!(chosen.options.credentials, token("given"));
    // An incomplete login is not completed from another place.
    let arguments = ServerUse { user: Some("ada".to_owned()), ..ServerUse::default() };
    let fault = scene.choose("lab", &arguments).expect_err("there is no password");
    assert_eq!(fault.message, "there is a user, but no password");
}

#[test]
fn a_project_works_with_an_endpoint_of_the_user() {
    let mut scene = EndpointTestScene::new()
        .with_projects("endpoint = 'lab'")
        .with_users("[endpoints.lab]\nurl = 'https://example.org/'\ntoken-variable = 'LAB'")
        .with_variable("LAB", "abc");
    assert_eq!(scene.chosen(".").options.credentials, token("abc"));
    assert!(scene.report.findings().next().is_none());
}

#[test]
fn a_project_names_no_credentials() {
    let keys = ["user", "password", "password-file", "password-variable", "token", "token-file", "ca"];
    for key in keys.into_iter().chain(["token-variable"]) {
        let text = format!("[endpoints.lab]\nurl = 'https://example.org/'\n  {key} = 'sesame'");
        let told = EndpointTestScene::new().with_projects(&text).fault("lab");
        let words = format!(
            "project/evalgraph.toml:3:3: config::forbidden: `{key}` in the configuration of a project, which must \
             not choose credentials or certificates (define the endpoint in your own configuration)"
        );
        assert_eq!(told, words);
        assert!(!told.contains("sesame"));
    }
}

#[test]
fn faults_of_a_configuration_have_their_places_and_quote_nothing() {
    let file = ".config/evalgraph/config.toml";
    for (text, words) in [
        (
            "[endpoints.lab]\npassword = 'sesame'",
            "2:1: config::forbidden: a password must not be in a configuration file",
        ),
        (
            "[endpoints.lab]\ntoken = 'sesame'",
            "2:1: config::forbidden: a token must not be in a configuration file",
        ),
        (
            "[endpoints.lab]\npasswort-file = 'sesame'",
            "2:1: config::key: no key is called `passwort-file` here (did you mean `password-file`?)",
        ),
        (
            "endpoint = 'sesame'",
            "1:1: config::key: no key is called `endpoint` here (did you mean `endpoints`?)",
        ),
        ("[endpoints.lab]\nurl = 5", "2:7: config::value: `url` has to be a string"),
        (
            "[endpoints.lab]\nurl = 'https://a:sesame@example.org/'",
            "2:7: server::address: `https://***@example.org/` contains",
        ),
        (
            "[endpoints.lab]\nupdate = 'https://example.org/'",
            "1:12: config::value: the endpoint `lab` has no address",
        ),
        (
            "[endpoints.lab]\nnamed-graph = ['urn:x', 'sesame']",
            "2:25: config::value: `named-graph` has to be an IRI, or a list of IRIs",
        ),
        (
            "[endpoints.'a/b']\nurl = 'https://example.org/'",
            "1:12: config::value: `a/b` is not a name for an endpoint",
        ),
        ("[endpoints.lab]\nuser = \"sesame\npassword-file = 'x'", "2:15: config::syntax: this is not TOML: "),
        ("endpoints = 'sesame'", "1:13: config::value: `endpoints` has to be a table"),
        (
            "[endpoints.lab]\ntoken-file = 'a'\ntoken-variable = 'sesame'",
            "3:18: config::value: one secret is given both as a file and as a variable",
        ),
    ] {
        let told = EndpointTestScene::new().with_users(text).fault("lab");
        assert!(told.starts_with(&format!("{file}:{words}")), "{told}");
        assert!(!told.contains("sesame"), "{told}");
    }
}

#[test]
fn names_that_mean_nothing_or_two_things_are_told() {
    let definition = "[endpoints.laboratory]\nurl = 'https://example.org/'";
    let mut scene = EndpointTestScene::new().with_users(definition);
    let words = "config::unknown-endpoint: no endpoint is called `laboratry` (did you mean `laboratory`?)";
    assert_eq!(scene.fault("laboratry"), words);
    let told = scene.fault("x");
    assert!(told.contains("define it in `.config/evalgraph/config.toml` or `evalgraph.toml`"), "{told}");
    assert!(scene.fault(".").contains("no `evalgraph.toml` here or above names the endpoint of the project"));
    let mut scene = scene.with_projects(definition);
    let words = "project/evalgraph.toml:1:12: config::ambiguous: the endpoint `laboratory` is defined by the \
                 project and by your own configuration (give one of the two another name)";
    assert_eq!(scene.fault("laboratory"), words);
}

#[test]
fn secrets_that_cannot_be_had_are_told() {
    let definition = "[endpoints.lab]\nurl = 'https://example.org/'\nuser = 'ada'\npassword-file = 'secret'";
    let mut scene = EndpointTestScene::new().with_users(definition);
    let words = "config::credentials: the password cannot be read from `.config/evalgraph/secret`: ";
    assert_eq!(scene.fault("lab"), format!("{words}no such file or directory"));
    let secret = ".config/evalgraph/secret";
    let mut scene = scene.with_file(secret, "\nsesame");
    assert_eq!(scene.fault("lab"), format!("{words}its first line is empty"));
    let mut scene = scene.with_file(secret, &"x".repeat(1 << 17));
    assert_eq!(scene.fault("lab"), format!("{words}its first line has more than 64 KiB"));
    let mut scene = scene.with_file(secret, "ses\u{7}ame");
    assert_eq!(scene.fault("lab"), "config::credentials: the password has a control character");
    let mut scene = scene.with_users("[endpoints.lab]\nurl = 'https://example.org/'\ntoken-variable = 'LAB'");
    assert_eq!(scene.fault("lab"), "config::credentials: the variable `LAB` has no token");
    let mut scene = EndpointTestScene::new().with_variable("EVALGRAPH_PASSWORD", "sesame");
    let words =
        "config::credentials: there is a password, but no user (`user` or `EVALGRAPH_USER` names the user)";
    assert_eq!(scene.fault("https://example.org/"), words);
    let mut scene = scene.with_variable("EVALGRAPH_TOKEN", "abc");
    assert!(
        scene.fault("https://example.org/").contains("a token is given together with a user or a password")
    );
}

#[cfg(unix)]
#[test]
fn a_secret_that_others_can_read_is_warned_of() {
    use std::os::unix::fs::PermissionsExt;

    let mut scene = EndpointTestScene::new().with_file("secret", "sesame");
    let path = scene.folder.path().join("secret");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
    let arguments = ServerUse { token_file: Some(path), ..ServerUse::default() };
    let chosen = scene.choose("https://example.org/", &arguments).expect("it is read all the same");
    assert_eq!(chosen.options.credentials, token("sesame"));
    let codes: Vec<&str> = scene.report.findings().map(|finding| finding.code.as_ref()).collect();
    assert_eq!(codes, ["config::readable"]);
}
