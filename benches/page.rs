//! The page of the server in headless Chromium, as its users feel it: the first paint, a key of the search, a scroll by a page, and
//! a result of as many rows as there are questions. `EVALGRAPH_BENCH_QUESTIONS` makes other numbers of them (100,000).
//!
//! Times are the browser's own, from the moment of the key or the press to the frame that shows what came of it. Each is the
//! median of several; the greatest stands behind it.

#[path = "../tests/it/browser/driver.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod driver;
#[path = "support/mod.rs"]
mod support;

use driver::Browser;
use serde_json::Value;
use support::checkpoint;
use support::children::{evalgraph, run};
use support::servers::Server;
use tempfile::TempDir;

/// How often the page is opened.
const VISITS: usize = 7;
/// What each script begins with: the time once what has been drawn is on the screen.
const PAINTED: &str = "const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))));
    const pause = (time) => new Promise((done) => setTimeout(done, time));\n";
const KEYS: &str = "const times = [];
    const search = document.querySelector('#search');
    // The beginnings of a text that is there, so that each key leaves something to draw.
    const whole = document.querySelector('.row .name').textContent;
    const texts = [...Array(12).keys()].map((at) => whole.slice(0, at + 1)).filter((text) => !text.endsWith(' '));
    for (const text of texts) {
        const begin = performance.now();
        const drawn = new Promise((done) => {
            const watcher = new MutationObserver(() => { watcher.disconnect(); done(); });
            watcher.observe(document.querySelector('#list'), { childList: true });
        });
        search.value = text;
        search.dispatchEvent(new Event('input', { bubbles: true }));
        await Promise.race([drawn, pause(5000)]);
        times.push(await painted() - begin);
        await pause(400);
    }
    return times;";
const SCROLLS: &str = "const times = [];
    for (let at = 0; at < 12; at += 1) {
        const begin = performance.now();
        scrollBy(0, at < 6 ? innerHeight - 100 : innerHeight * 200);
        do await painted(); while (document.querySelector('.row.waiting') && performance.now() - begin < 5000);
        times.push(performance.now() - begin);
        await pause(200);
    }
    return times;";
const ROWS: &str = "const times = [];
    const area = document.querySelector('.editor textarea');
    area.value = 'SELECT ?question ?text { ?question a s:Question ; s:text ?text } LIMIT COUNT';
    area.dispatchEvent(new Event('input'));
    await pause(900);
    for (let at = 0; at < 5; at += 1) {
        const status = document.querySelector('.status');
        const begin = performance.now();
        document.querySelector('.tools .primary').click();
        while (/ in /.test(status.textContent)) await pause(1);
        while (!/ in /.test(status.textContent)) await pause(1);
        times.push(await painted() - begin);
        await pause(300);
    }
    return times;";

fn main() {
    if let Some(program) = Browser::missing() {
        println!("not measured: there is no {program}; tests/browser/install installs it");
        return;
    }
    let count = std::env::var("EVALGRAPH_BENCH_QUESTIONS").ok().and_then(|count| count.parse().ok());
    let count: usize = count.unwrap_or(100_000);
    let folder = TempDir::new().expect("a temporary folder");
    let file = checkpoint::write_into(folder.path(), count);
    run(evalgraph(folder.path()).arg("init")).expect("the store can be made");
    run(evalgraph(folder.path()).arg("load").arg(file)).expect("the file can be loaded");
    let server = Server::ours(folder.path());
    let browser = Browser::start();
    let address = |view: &str| format!("http://{}/{view}", server.address);
    let mut painted = Vec::new();
    let mut listed = Vec::new();
    for _ in 0..VISITS {
        browser.load(&address("#/questions"));
        browser.until("document.querySelector('.row .name')");
        painted.push(number(
            &browser.value("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
        ));
        // The rows are there with the last answer that they needed.
        let last = "Math.max(...performance.getEntriesByType('resource').filter((one) => one.name.includes('api/questions'))
            .map((one) => one.responseEnd))";
        listed.push(number(&browser.value(last)));
    }
    println!("{count} questions, in milliseconds: the median, and the greatest");
    told("first paint", painted);
    told("the list has come", listed);
    told("a key of the search", measured(&browser, KEYS));
    browser.load(&address("#/questions"));
    browser.until("document.querySelector('.row .name')");
    told("a scroll by a page", measured(&browser, SCROLLS));
    browser.load(&address("#/sparql"));
    browser.until("document.querySelector('.names a')");
    told("a result of all rows", measured(&browser, &ROWS.replace("COUNT", &count.to_string())));
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a time is a number")
}

fn measured(browser: &Browser, script: &str) -> Vec<f64> {
    let text = format!("return (async () => {{ {PAINTED}{script} }})();");
    let times = browser.script(&text, &[]);
    times.as_array().expect("a list of times").iter().map(number).collect()
}

fn told(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let last = times.last().expect("it was measured");
    println!("{what:<24} {:>8.1} {last:>8.1}", times[times.len() / 2]);
}
