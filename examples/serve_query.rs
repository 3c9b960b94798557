//! Answers a named query over HTTP: `cargo run --example serve_query -- fixtures/karenina`, and then
//! `curl 'http://127.0.0.1:7878/overview'`, or with parameters `/keywords?limit=3`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use evalgraph::sparql::{
    QueryPrefixes, QueryResults, ResultFormat, TableLayout, write_boolean, write_solutions,
};
use evalgraph::{Evaluations, LoadedData, Loader};

/// The most bytes of a request.
const MOST_BYTES: u64 = 64 << 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let loaded = Loader::new().load(std::env::args().skip(1))?;
    let evaluations = Evaluations::new().timeout(std::time::Duration::from_secs(30));
    let listener = TcpListener::bind(std::env::var("BIND").as_deref().unwrap_or("127.0.0.1:7878"))?;
    println!("http://{}/overview", listener.local_addr()?);
    for stream in listener.incoming() {
        let (mut stream, loaded, evaluations) = (stream?, loaded.clone(), evaluations.clone());
        // Who breaks off is no reason to stop.
        std::thread::spawn(move || answer(&evaluations, &loaded, &mut stream));
    }
    Ok(())
}

fn answer(evaluations: &Evaluations, loaded: &LoadedData, stream: &mut TcpStream) -> std::io::Result<()> {
    let head = BufReader::new(&*stream).take(MOST_BYTES).lines();
    let head: Vec<String> =
        head.take_while(|line| line.as_ref().is_ok_and(|line| !line.is_empty())).collect::<Result<_, _>>()?;
    let request = head.first().map(String::as_str).unwrap_or_default();
    let target = request.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').to_owned();
    match evaluations.run(loaded, move |loaded| table(loaded, &target)) {
        Ok(table) => write!(stream, "HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n\r\n{table}"),
        Err(error) => write!(stream, "HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\n\r\n{error}\n"),
    }
}

fn table(loaded: &LoadedData, target: &str) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let (name, parameters) = target.split_once('?').unwrap_or((target, ""));
    let parameters: Vec<&str> = parameters.split('&').filter(|parameter| !parameter.is_empty()).collect();
    let (mut csv, prefixes) = (Vec::new(), QueryPrefixes::new());
    let layout = TableLayout::new(&prefixes);
    match loaded.named_query(name, &parameters)? {
        QueryResults::Solutions(rows) => drop(write_solutions(rows, ResultFormat::Csv, &layout, &mut csv)?),
        QueryResults::Boolean(answer) => write_boolean(answer, ResultFormat::Csv, &mut csv)?,
        QueryResults::Graph(_) => {
            return Err("the query gives a graph, and this program writes tables".into());
        }
    }
    Ok(String::from_utf8(csv)?)
}
