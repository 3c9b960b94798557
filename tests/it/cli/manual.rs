//! The manual and the completions, which are made of the texts of the help.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::input::run;
use super::options::commands;

fn printed(arguments: &[&str]) -> String {
    let (status, stdout, stderr) = run(Path::new("."), arguments);
    assert_eq!((status, stderr.as_str()), (0, ""), "{arguments:?}");
    stdout
}

#[test]
fn each_command_has_its_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pages = format!("{}/", folder.path().display());
    printed(&["man", "-o", &pages]);
    assert!(folder.path().join("evalgraph.1").exists());
    for command in commands() {
        let page = fs::read_to_string(folder.path().join(format!("evalgraph-{command}.1")))
            .expect("there is a page");
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{command}");
        assert_eq!(page, printed(&["man", &command]), "{command}");
    }
    let (status, _, stderr) = run(Path::new("."), &["man", "qurey"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("error[man::unknown-command]"), "{stderr}");
}

#[test]
fn the_reference_is_what_the_program_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/commands.md");
    let written = fs::read_to_string(path).expect("there is a reference");
    let made = printed(&["man", "--format", "markdown"]);
    assert_eq!(written, made, "make it anew: evalgraph man --format markdown -o docs/commands.md");
    for command in commands() {
        assert!(made.contains(&format!("\n## evalgraph {command}\n")), "{command}");
    }
}

#[test]
fn a_shell_completes_commands_options_and_queries() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        // The other two know no values.
        let has_values = ["bash", "zsh", "fish"].contains(&shell);
        let values = ["question-cards", "karenina-gui"].into_iter().filter(|_| has_values);
        for word in values.chain(["endpoint"]) {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = printed(&["completions", "bash"]);
    let asks = "COMP_WORDS=(evalgraph query -n over)\nCOMP_CWORD=3\n_evalgraph evalgraph over -n\necho \"${COMPREPLY[@]}\"";
    let path = folder.path().join("complete.bash");
    fs::write(&path, format!("{script}\n{asks}\n")).expect("ours");
    match Command::new("bash").arg(&path).output() {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "overview"),
        Err(error) => eprintln!("SKIPPED completing in bash: {error}"),
    }
}
