//! Exports to a server on its bad days: the old graphs or the new ones, never half, and a second run finishes.

use super::kinds::{FUSEKI, GRAPHS, KINDS, Kind, Place, STORE, STORE_WITH_UPDATES, VIRTUOSO};
use super::{Ended, at_once, bad_days, run_all, without_ports};
use crate::faulty_server::{Fault, Plan};
use crate::http_server::Answer;
use crate::share::one_of;

pub(super) const PATIENCE: [&str; 4] = ["--net-timeout", "1s", "--retries", "1"];

/// Exports on a bad day, looks at the server, and exports again on a good day. Returns what the first run says.
fn survives(kind: Kind, way: &str, plan: &Plan, resumes: bool) -> String {
    let place = Place::new();
    place.server.plan(plan.clone());
    let ended = place.export(kind, &[&[way], &PATIENCE[..]].concat());
    let what = format!("{kind:?} {way}, {plan:?}: {}", ended.stderr);
    let new = if way == "--append" { "both" } else { "new" };
    tells(&ended, place.state(), new, &what);
    place.server.heal();
    // What was added is not added twice.
    let is_done = ended.status == 0 || ended.stderr.contains("all 2 graphs are in place");
    if !(is_done && new == "both") {
        let more: &[&str] = if resumes { &[way, "--resume"] } else { &[way] };
        let again = place.export(kind, more);
        assert_eq!((again.status, place.state()), (0, [new, new]), "again after {what}: {}", again.stderr);
        assert!(place.others().is_empty(), "again after {what}: {:?}", place.others());
    }
    let told = without_ports(&ended.stderr, &place.server);
    let told: Vec<&str> = told.lines().filter(|line| !line.contains("[export::done]")).collect();
    format!("{}\n{}\n", ended.status, told.join("\n"))
}

/// Checks that a run ends as it should, and that each graph is what the run says of it.
pub(super) fn tells(ended: &Ended, state: [&str; 2], new: &str, what: &str) {
    assert!(state.iter().all(|graph| [new, "old"].contains(graph)), "{state:?} {what}");
    let says = |words: &str| ended.stderr.contains(words);
    match ended.status {
        0 => assert_eq!(state, [new, new], "{what}"),
        // The server has taken quads and does not have them.
        1 => assert!(says("[export::differs]"), "{what}"),
        status => {
            assert_eq!(status, 2, "{what}");
            assert_eq!(ended.stderr.matches("error[").count(), 1, "{what}");
        }
    }
    let sentences = || ended.stderr.split(['\n', ';']);
    for (graph, is) in GRAPHS.iter().zip(state).filter(|_| ended.status == 2) {
        let named = |words: &str| {
            sentences().any(|sentence| sentence.contains(words) && sentence.contains(&format!("`{graph}`")))
        };
        let in_place = says("all 2 graphs are in place") || named("of 2 graphs");
        let is_said = named("it is not known") || is == if in_place { new } else { "old" };
        assert!(is_said, "{graph} is {is}: {what}");
    }
    let accounts = ["nothing was sent", "no graph on the server has changed", "in place"];
    assert!(ended.status != 2 || accounts.iter().any(|account| says(account)), "{what}");
}

/// What an export to Fuseki says on each bad day that comes with some requests.
fn told_by_fuseki(plan: impl Fn(Fault) -> Plan + Sync, resumes: bool) -> String {
    let plan = &plan;
    let day = |(name, fault): (&'static str, Fault)| {
        move || format!("{name}: {}", survives(FUSEKI, "--replace", &plan(fault), resumes))
    };
    at_once(bad_days().into_iter().map(day)).join("\n")
}

#[test]
fn an_export_says_what_is_wrong_with_the_server_when_it_is_first_asked() {
    insta::assert_snapshot!(told_by_fuseki(|fault| Plan::of("/ds", fault), false));
}

#[test]
fn an_export_says_what_is_wrong_with_the_server_when_it_is_sent_quads() {
    insta::assert_snapshot!(told_by_fuseki(|fault| Plan::of("POST /ds/data", fault), true));
}

#[test]
fn an_export_says_what_is_wrong_with_the_server_when_graphs_take_their_places() {
    // The first update adds rows to the register.
    insta::assert_snapshot!(told_by_fuseki(|fault| Plan::of("/ds/update", fault).after(1), true));
}

#[test]
fn an_export_says_what_was_done_and_what_was_not() {
    let fails = || Fault::Instead(Answer::status(500, "no"));
    let kinds = [FUSEKI, VIRTUOSO, STORE].into_iter();
    let all = kinds.flat_map(|kind| (0..requests(kind, "--replace")).map(move |spared| (kind, spared)));
    let texts = at_once(all.map(|(kind, spared)| {
        move || {
            let plan = Plan::of("", fails()).after(spared);
            format!("{}, request {spared}: {}", kind[0], survives(kind, "--replace", &plan, true))
        }
    }));
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn an_answer_that_breaks_off_while_it_is_read_is_asked_for_again() {
    // The register, and the staging graphs that are verified; counts.
    let each = |of: &'static str, spared: usize, is_once: bool| {
        let plan = Plan::of(of, Fault::Cuts(20)).after(spared);
        let options = [&["--replace"], &PATIENCE[..]].concat();
        let place = Place::new();
        place.server.plan(if is_once { plan.times(1) } else { plan });
        let ended = place.export(FUSEKI, &options);
        let what = format!("{of} but for {spared}: {}", ended.stderr);
        if is_once {
            let come_to = (place.server.played(), ended.status, place.state());
            assert_eq!(come_to, (1, 0, ["new", "new"]), "{what}");
        } else {
            assert!(ended.stderr.contains("error[server::broke-off]"), "{what}");
            assert!(ended.stderr.contains("after 2 tries"), "{what}");
            assert_eq!(ended.status, 2, "{what}");
        }
    };
    at_once(["GET /ds/data", "POST /ds/query"].into_iter().flat_map(|of| {
        (0..3).flat_map(move |spared| [true, false].map(|is_once| move || each(of, spared, is_once)))
    }));
}

#[test]
fn an_address_for_updates_is_looked_at_before_anything_is_sent() {
    let place = Place::new();
    let ended = place.export(&["gsp", "{}/ds/data", "--update-url", "localhost:3030"], &[]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.starts_with("error[server::address]: `localhost:3030`"), "{}", ended.stderr);
    assert!(place.server.http().requests().is_empty());
}

#[test]
fn what_was_added_is_not_added_again() {
    // The first time that the graph is read, it has been extended.
    let of = "GET /ds/data?graph=urn%3Aevalgraph%3Agraph%3Ab";
    let plan = Plan::of(of, Fault::Instead(Answer::status(404, "not there"))).times(1);
    let told = survives(STORE_WITH_UPDATES, "--append", &plan, true);
    assert!(told.contains("error[export::not-in-place]"), "{told}");
}

/// How many requests an export takes.
fn requests(kind: Kind, way: &str) -> usize {
    let place = Place::new();
    let ended = place.export(kind, &[way]);
    assert_eq!(ended.status, 0, "{kind:?} {way}: {}", ended.stderr);
    place.server.http().requests().len()
}

#[test]
fn an_export_that_is_disturbed_at_any_request_leaves_old_graphs_or_new_ones() {
    let mut all: Vec<(Kind, &str, Plan)> = Vec::new();
    for kind in KINDS {
        // Nobody can tell there whether triples were added.
        let ways: &[&str] = if kind == STORE { &["--replace"] } else { &["--replace", "--append"] };
        for way in ways {
            let requests = requests(kind, way);
            for (_, fault) in bad_days().into_iter().chain(stops()) {
                for spared in 0..requests {
                    // From then on, or once.
                    let plan = Plan::of("", fault.clone()).after(spared);
                    all.push((kind, way, plan.clone()));
                    all.push((kind, way, plan.times(1)));
                }
            }
        }
    }
    // A share that meets each day, and other requests on each.
    let share = if run_all() { 1 } else { 19 * one_of(3) };
    let some = all.into_iter().enumerate().filter(|(at, _)| at % share == 0);
    at_once(
        some.map(|(at, (kind, way, plan))| {
            move || survives(kind, way, &plan, way == "--append" || at % 2 == 0)
        }),
    );
}

/// A server that stops within an update.
fn stops() -> impl Iterator<Item = (&'static str, Fault)> {
    (1..4).map(|operations| ("stops in an update", Fault::Stops(operations)))
}
