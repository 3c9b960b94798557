//! Evaluations side by side in a process that goes on: whoever asks is answered in time, whatever the evaluator does.

use std::sync::mpsc;
use std::time::Duration;

use evalgraph::sparql::QueryResults;
use evalgraph::{Error, Evaluations, LoadedData, Loader, Store};

/// A join without a shared variable, which is not interrupted, of a number of rows to the third power.
fn product(rows: usize) -> String {
    let values: String = (0..rows).map(|number| format!("{number} ")).collect();
    let tables: String = (0..3).map(|table| format!("VALUES ?v{table} {{ {values} }} ")).collect();
    format!("SELECT (SUM(?v0) AS ?sum) {{ {tables} FILTER(REGEX(STR(?v1 + ?v2), '^(1|2)+$')) }}")
}

fn count(loaded: &LoadedData, query: &str) -> Result<usize, Error> {
    let QueryResults::Solutions(rows) = loaded.query(query)? else { panic!("a table comes of SELECT") };
    let mut count = 0;
    for row in rows {
        row?;
        count += 1;
    }
    Ok(count)
}

fn physics() -> LoadedData {
    Loader::new().load(["fixtures/karenina/p1-physics.jsonld"]).expect("the fixture is read")
}

fn code(error: &Error) -> String {
    error.findings().next().expect("an error has a finding").code.to_string()
}

#[test]
fn a_query_that_ends_answers_what_it_answers_alone() {
    let loaded = physics();
    let query = "SELECT * { ?s ?p ?o }";
    let alone = count(&loaded, query).expect("it is answered");
    let evaluations = Evaluations::new().timeout(Duration::from_secs(60));
    assert_eq!(evaluations.run(&loaded, |loaded| count(loaded, query)).expect("it is answered"), alone);
    let fault = evaluations.run(&loaded, |loaded| count(loaded, "SELECT")).expect_err("it is not SPARQL");
    assert!(fault.to_string().contains("query:1:"), "{fault}");
    assert_eq!((evaluations.running(), evaluations.given_up()), (0, 0));
}

#[test]
fn what_cannot_be_interrupted_is_given_up_and_counted_until_it_ends() {
    let loaded = physics();
    let evaluations = Evaluations::new().timeout(Duration::from_millis(50)).max_given_up(1);
    let (let_end, may_end) = mpsc::channel::<()>();
    let deaf = move |_: &LoadedData| {
        may_end.recv().expect("it is told");
        Ok::<_, Error>(())
    };
    let late = evaluations.run(&loaded, deaf).expect_err("it does not listen");
    assert_eq!(code(&late), "sparql::timeout");
    assert_eq!((evaluations.running(), evaluations.given_up()), (1, 1));
    let refused = evaluations.run(&loaded, |loaded| count(loaded, "ASK {}")).expect_err("one was given up");
    assert_eq!(code(&refused), "limit::given-up");
    let_end.send(()).expect("it waits for this");
    while evaluations.running() > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(evaluations.given_up(), 0);
    evaluations.run(&loaded, |_| Ok::<_, Error>(())).expect("the thread has ended");
}

#[test]
fn a_query_that_is_too_long_ends_one_evaluation_and_no_other() {
    let loaded = physics();
    let evaluations = Evaluations::new().timeout(Duration::from_millis(100));
    std::thread::scope(|scope| {
        let long = scope.spawn(|| {
            let query = product(300);
            evaluations.run(&loaded, move |loaded| count(loaded, &query))
        });
        let others: Vec<_> =
            (0..3).map(|_| scope.spawn(|| evaluations.run(&loaded, |_| Ok::<_, Error>(1)))).collect();
        for other in others {
            assert_eq!(other.join().expect("no panic").expect("it is short"), 1);
        }
        assert_eq!(code(&long.join().expect("no panic").expect_err("it is long")), "sparql::timeout");
    });
}

#[test]
fn a_panic_ends_one_evaluation() {
    let loaded = physics();
    let evaluations = Evaluations::new();
    let fault = evaluations.run(&loaded, |_| -> Result<(), Error> { panic!("on purpose") });
    assert_eq!(code(&fault.expect_err("it panicked")), "limit::panic");
    assert_eq!((evaluations.running(), evaluations.given_up()), (0, 0));
    assert_eq!(evaluations.run(&loaded, |_| Ok::<_, Error>(7)).expect("others go on"), 7);
}

#[test]
fn terms_that_a_long_lived_state_has_read_can_be_let_go_and_are_read_again() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut store = Store::create(folder.path()).expect("the folder is empty");
    store.load(["fixtures/karenina/p1-physics.jsonld"]).expect("the fixture is read");
    let mut state = store.snapshot().expect("there is a store");
    let texts = |state: &LoadedData| {
        let QueryResults::Solutions(rows) =
            state.query("SELECT ?t { ?q s:text ?t } ORDER BY ?t").expect("it is SPARQL")
        else {
            panic!("a table comes of SELECT")
        };
        rows.map(|row| row.expect("the store is whole")["t"].to_string()).collect::<Vec<_>>()
    };
    let before = texts(&state);
    let clone = state.clone();
    assert_eq!(state.let_go(), 0, "a clone may be reading");
    drop(clone);
    assert!(state.let_go() > before.iter().map(|text| text.len() as u64).sum(), "all texts were read");
    assert_eq!(state.let_go(), 0, "nothing was read since");
    assert_eq!(texts(&state), before);
}
