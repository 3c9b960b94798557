//! What other processes take. CPU is what the system counts for finished children (Linux, `proc(5)`), in
//! hundredths of a second, so that several runs are added up.

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The program, in a folder.
pub(crate) fn evalgraph(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_evalgraph"));
    command.current_dir(folder);
    command
}

/// The CPU that one run takes on average; `None` where the program is not there or fails.
pub(crate) fn cpu(runs: u32, command: impl Fn() -> Command) -> Option<Duration> {
    run(&mut command())?;
    cpu_to_any_end(runs, command)
}

/// As [`cpu`], of a program that may say in its end that something is amiss.
pub(crate) fn cpu_to_any_end(runs: u32, command: impl Fn() -> Command) -> Option<Duration> {
    let before = children_ticks();
    for _ in 0..runs {
        ended(&mut command())?;
    }
    // The kernel counts in hundredths of a second wherever Linux runs.
    Some(Duration::from_millis((children_ticks() - before) * 10) / runs)
}

/// The shortest of several runs.
pub(crate) fn wall(runs: u32, command: impl Fn() -> Command) -> Duration {
    let times = (0..runs).map(|_| {
        let start = Instant::now();
        run(&mut command()).expect("the program runs");
        start.elapsed()
    });
    times.min().expect("there are runs")
}

pub(crate) fn run(command: &mut Command) -> Option<()> {
    ended(command)?.success().then_some(())
}

fn ended(command: &mut Command) -> Option<ExitStatus> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()
}

/// User and system time of finished children: fields 16 and 17 of `/proc/self/stat`.
fn children_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("this bench needs Linux");
    let (_, fields) = stat.rsplit_once(')').expect("the name stands in brackets");
    fields.split_whitespace().skip(13).take(2).map(|field| field.parse::<u64>().expect("a number")).sum()
}

/// The most memory that a process has had, in bytes, as far as is known when it ends: what a field of
/// `/proc/PID/status` says, looked at while it runs.
pub(crate) fn peak_memory(child: &mut Child, field: &str) -> Option<u64> {
    let path = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().expect("the process is ours").is_none() {
        let status = std::fs::read_to_string(&path).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
        let kibibytes: Option<u64> =
            line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = peak.max(kibibytes.map(|kibibytes| kibibytes * 1024));
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}
