//! Commands over real servers with `--endpoint`, from an export to a checkpoint that comes back.

use std::fs;

use tempfile::TempDir;

use super::server::{Kind, Server};
use crate::cli::input::run_at;
use crate::endpoint::{FILES, Place, TIME, exported, says_what_files_say, takes_updates};

/// Exports a store of the fixtures to a server, and asks it all that can be asked.
fn answers(kind: Kind) {
    let Some(server) = Server::start(kind) else { return };
    let folder = TempDir::new().expect("a temporary folder");
    exported(folder.path());
    let password = folder.path().join("password");
    fs::write(&password, "dba\n").expect("the folder is ours");
    let password = password.display().to_string();
    let login = match kind {
        Kind::Virtuoso => vec!["--user", "dba", "--password-file", &password],
        _ => Vec::new(),
    };
    let through = server.export_arguments();
    let through: Vec<&str> = through.iter().map(String::as_str).collect();
    let options = ["--with", "catalog,sidecar", "--verify", "false"];
    let load = [&["load"], &FILES[..]].concat();
    for command in [&["init"][..], &load, &[&through, &options[..], &login].concat()] {
        let (status, _, stderr) = run_at(TIME, folder.path(), command);
        assert_eq!(status, 0, "{stderr}");
    }
    // By the Graph Store Protocol alone, and to Virtuoso, blank nodes do not stay the same from graph to graph.
    let is_exact = matches!(kind, Kind::Fuseki | Kind::Rdf4j);
    let place = Place { url: server.query_url(), login, folder: folder.path(), is_exact };
    says_what_files_say(&place);
    takes_updates(&place);
}

macro_rules! servers {
    ($($name:ident: $kind:expr;)*) => {$(
        #[test]
        #[ignore = "needs the servers that tests/servers/install installs"]
        fn $name() {
            answers($kind);
        }
    )*};
}

servers! {
    fuseki_in_memory_answers_as_files_do: Kind::Fuseki;
    fuseki_on_disk_answers_as_files_do: Kind::Tdb2;
    rdf4j_answers_as_files_do: Kind::Rdf4j;
    oxigraph_answers_as_files_do: Kind::Oxigraph;
    virtuoso_answers_as_files_do: Kind::Virtuoso;
}
