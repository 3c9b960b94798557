//! Servers as children on loopback, what the system says of them (Linux, `proc(5)`), and a client that keeps its connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::children::evalgraph;

/// A server, which ends when it is dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// The program beside a store in a folder.
    pub(crate) fn ours(folder: &Path) -> Self {
        Self::with(folder, &["--timeout", "600s"])
    }

    /// The program in a folder, with these arguments.
    pub(crate) fn with(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = evalgraph(folder);
        command.args(["serve", "--bind", "127.0.0.1:0"]).args(arguments).stdout(Stdio::piped());
        let mut process = command.spawn().expect("the program starts");
        let mut line = String::new();
        let stdout = process.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        Self { process, address: address.and_then(|address| address.parse().ok()).expect("an address") }
    }

    /// One that `tests/servers/install` has installed, with its data in a folder; none where it is not there.
    pub(crate) fn theirs(name: &str, folder: &Path) -> Option<Self> {
        let port = TcpListener::bind(("127.0.0.1", 0)).ok()?.local_addr().ok()?.port();
        let mut command = Command::new(servers().join("start"));
        command.args([name, &port.to_string()]).arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = Self { process: command.spawn().ok()?, address: ([127, 0, 0, 1], port).into() };
        while TcpStream::connect(server.address).is_err() {
            if server.process.try_wait().expect("it is our child").is_some() {
                return None;
            }
            sleep(Duration::from_millis(50));
        }
        Some(server)
    }

    /// User and system time of the process until now, which the system tells in hundredths of a second.
    pub(crate) fn cpu(&self) -> Duration {
        let stat = self.proc("stat");
        let (_, fields) = stat.rsplit_once(')').expect("the name stands in brackets");
        let ticks = fields.split_whitespace().skip(11).take(2);
        Duration::from_millis(ticks.map(|ticks| ticks.parse::<u64>().expect("a number")).sum::<u64>() * 10)
    }

    /// Bytes of resident memory that no file stands behind.
    pub(crate) fn memory(&self) -> u64 {
        let status = self.proc("status");
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("the system says it");
        kilobytes(line)
    }

    /// Bytes of resident memory, without what is mapped of files in a folder.
    pub(crate) fn memory_outside(&self, folder: &Path) -> u64 {
        let (mut bytes, mut is_outside) = (0, true);
        for line in self.proc("smaps").lines() {
            if let Some(size) = line.strip_prefix("Rss:") {
                bytes += if is_outside { kilobytes(size) } else { 0 };
            } else if line.split_whitespace().next().is_some_and(|first| first.contains('-')) {
                is_outside = !line.contains(&folder.display().to_string());
            }
        }
        bytes
    }

    fn proc(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.process.id())).expect("the server lives")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn kilobytes(line: &str) -> u64 {
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number of kilobytes") << 10
}

fn servers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers")
}

/// The program of oxigraph that `tests/servers/install` has installed.
pub(crate) fn oxigraph() -> Option<PathBuf> {
    let program = servers().join("programs/oxigraph/oxigraph-0.5.13.data/scripts/oxigraph");
    program.is_file().then_some(program)
}

/// A connection that is kept.
pub(crate) struct Client(BufReader<TcpStream>);

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let connection = TcpStream::connect(address).expect("the server listens");
        connection.set_nodelay(true).expect("a socket has options");
        Self(BufReader::with_capacity(1 << 16, connection))
    }

    /// Asks a query by GET, and hands over each piece of the answer.
    pub(crate) fn ask(&mut self, query: &str, accept: &str, mut piece: impl FnMut(&[u8])) {
        let mut url = String::from("/query?query=");
        evalgraph::rdf::iri::percent_encode_into(query, &mut url);
        let request = format!("GET {url} HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\n\r\n");
        self.0.get_mut().write_all(request.as_bytes()).expect("the server reads");
        let status = self.line();
        let mut length = None;
        loop {
            let header = self.line().to_ascii_lowercase();
            let Some((name, value)) = header.split_once(':') else { break };
            if name == "content-length" {
                length = value.trim().parse().ok();
            }
        }
        match length {
            Some(length) => self.pieces(length, &mut piece),
            None => loop {
                let length = u64::from_str_radix(&self.line(), 16).expect("the length of a chunk");
                self.pieces(length, &mut piece);
                self.line();
                if length == 0 {
                    break;
                }
            },
        }
        assert!(status.contains(" 200"), "{status}: {query}");
    }

    fn pieces(&mut self, length: u64, piece: &mut impl FnMut(&[u8])) {
        let mut left = length as usize;
        while left > 0 {
            let bytes = self.0.fill_buf().expect("the server answers");
            assert!(!bytes.is_empty(), "the answer broke off");
            let taken = bytes.len().min(left);
            piece(&bytes[..taken]);
            self.0.consume(taken);
            left -= taken;
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.0.by_ref().take(1 << 16).read_line(&mut line);
        assert!(read.is_ok_and(|read| read > 0), "the server answers");
        line.truncate(line.trim_end().len());
        line
    }
}
