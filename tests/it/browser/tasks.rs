//! Twelve tasks of people who write no SPARQL, as scripts of clicks. Each begins at the list of questions.

use super::page::{OF_ALL, Page};
use crate::serve::served::Served;

/// More clicks are a way that nobody finds.
const MOST_CLICKS: usize = 6;

enum Step {
    Click(&'static str, &'static str),
    /// Opens a list and presses an option: two clicks.
    Choose(&'static str, &'static str),
    /// Presses a field and writes: one click.
    Write(&'static str, &'static str),
    /// Looks until something is there.
    See(&'static str),
    /// Gets a file that has a text, and no text of another kind.
    Get(File),
}

struct File {
    name: &'static str,
    lines: usize,
    each: &'static str,
}

struct Task {
    name: &'static str,
    steps: &'static [Step],
}

use Step::{Choose, Click, Get, See, Write};

const TASKS: [Task; 12] = [
    Task {
        name: "the question with the lowest rating",
        steps: &[
            Choose("#sort", "rating"),
            See("document.querySelector('.row[data-index=\"0\"] .rating b').innerText === '0.5'"),
            Click(".row[data-index='0'] .name", ""),
            See("document.querySelector('h1').innerText.startsWith('What holds the two strands')"),
            See("document.querySelector('#ratings .mean')"),
        ],
    },
    Task {
        name: "which questions lack a template",
        steps: &[
            Click(".choice", "Without a template"),
            See("location.hash.includes('template=false')"),
            See("document.querySelector('.above .count').innerText === document.querySelector( \
                 '[data-key=\"template=false\"] .count').innerText + ' questions'"),
        ],
    },
    Task {
        name: "who disagrees on a task",
        steps: &[
            Write("#search", "termination review"),
            See("document.querySelectorAll('.row .name').length === 1"),
            Click(".row .name", ""),
            See("document.querySelector('.split').innerText.startsWith('They disagree')"),
            See("document.querySelector('.feedback .differs b').innerText !== ''"),
        ],
    },
    Task {
        name: "the findings of one file as a file",
        steps: &[
            Click("#views a", "Findings"),
            Click(".finding button", "tenancy.jsonld"),
            See("location.hash.includes('file=')"),
            See("document.querySelector('.chip')"),
            Click(".downloads button", "CSV"),
            Get(File { name: "findings.csv", lines: 12, each: "tenancy.jsonld" }),
        ],
    },
    Task {
        name: "unfinished questions of one dataset",
        steps: &[
            Click(".choice", "Unfinished"),
            See("location.hash.includes('finished=false')"),
            Click(".choice", "Cell Biology"),
            See("location.hash.includes('dataset=')"),
            See("document.querySelectorAll('.row .name').length > 0 && \
                 document.querySelectorAll('.row .name').length === document.querySelectorAll('.row .mark:not(.done)').length"),
            See(
                "[...document.querySelectorAll('.row .meta')].every((e) => e.innerText.includes('Cell Biology'))",
            ),
        ],
    },
    Task {
        name: "questions with a keyword",
        steps: &[
            Click(".choice", "particles"),
            See("document.querySelector('.above .count').innerText === '2 questions'"),
            See("[...document.querySelectorAll('.row')].every((e) => e.innerText.includes('particles'))"),
        ],
    },
    Task {
        name: "the line of a finding",
        steps: &[
            Click("#views a", "Findings"),
            See(
                "[...document.querySelectorAll('.finding .place')].some((e) => /\\.jsonld:\\d+/.test(e.innerText))",
            ),
        ],
    },
    Task {
        name: "who else asks a question",
        steps: &[
            Write("#search", "notice period flat"),
            See("document.querySelectorAll('.row .name').length === 3"),
            Click(".row .name", ""),
            See("document.querySelectorAll('#same li a').length === 2"),
        ],
    },
    Task {
        name: "the sources of an answer",
        steps: &[
            Write("#search", "bessie coleman pilot"),
            See("document.querySelectorAll('.row .name').length === 1"),
            Click(".row .name", ""),
            See("document.querySelector('#sources li .source-name').innerText !== ''"),
        ],
    },
    Task {
        name: "how the ratings of a trait are spread",
        steps: &[Click("#views a", "Figures"), See("document.querySelector('.multiples svg')")],
    },
    Task {
        name: "how far each file is",
        steps: &[
            Click("#views a", "Figures"),
            See(
                "[...document.querySelectorAll('.figure')].find((e) => e.querySelector('a[href$=\"name=progress\"]')) \
                 .querySelector('.picture').textContent.includes('cell-biology')",
            ),
        ],
    },
    Task {
        name: "all questions as CSV",
        steps: &[Click("button", "Download CSV"), Get(File { name: "questions.csv", lines: 80, each: "" })],
    },
];

#[test]
#[ignore = "needs chromium and chromedriver"]
fn twelve_tasks_take_few_clicks() {
    let Some(page) = Page::of(|| Served::fixtures(&OF_ALL), "twelve tasks in a browser") else { return };
    for Task { name, steps } in &TASKS {
        page.open("#/questions");
        page.browser.until("document.querySelector('.row .name') && document.querySelector('.choice')");
        let clicks: usize = steps.iter().map(|step| take(&page, step)).sum();
        assert!(clicks <= MOST_CLICKS, "{name}: {clicks} clicks");
        println!("{clicks} clicks: {name}");
    }
    page.is_quiet();
}

/// Takes a step: its clicks.
fn take(page: &Page, step: &Step) -> usize {
    let browser = &page.browser;
    match step {
        Click(css, text) => {
            browser.click(css, text);
            1
        }
        Choose(css, value) => {
            browser.choose(css, value);
            2
        }
        Write(css, text) => {
            browser.click(css, "");
            browser.write(text);
            1
        }
        See(expression) => {
            browser.until(expression);
            0
        }
        Get(file) => {
            let text = page.download(file.name);
            let rows: Vec<&str> = text.lines().skip(1).collect();
            assert!(rows.len() + 1 >= file.lines, "{}: {text}", file.name);
            assert!(rows.iter().all(|row| row.contains(file.each)), "{}: {text}", file.name);
            0
        }
    }
}
