//! The examples of codes about backups and dumps of a store, and about undoing its changes.

use super::code_example::{CodeExample, command, line};

#[rustfmt::skip]
pub(super) const STORE: &[CodeExample] = &[
    command("backup::unverified",
        "evalgraph backup /mnt/worn-out/store.tar.zst",
        "evalgraph backup /mnt/new/store.tar.zst"),
    line("backup::written",
        "evalgraph backup store.tar.zst",
        "evalgraph dump --whole -o store.nq"),
    command("dump::damaged",
        "evalgraph load edited-by-hand.nq",
r"evalgraph dump --whole -o store.nq
evalgraph load store.nq --store other"),
    command("dump::texts",
        "evalgraph dump --whole -o store.nq",
        "evalgraph backup store.tar.zst"),
    line("restore::damaged",
        "evalgraph restore data.ttl --store copy",
r"evalgraph backup store.tar.zst
evalgraph restore store.tar.zst --store copy"),
    line("restore::exists",
r"evalgraph backup store.tar.zst
evalgraph restore store.tar.zst",
r"evalgraph backup store.tar.zst
evalgraph restore store.tar.zst --force"),
    line("restore::made",
r"evalgraph backup store.tar.zst
evalgraph restore store.tar.zst --store copy",
        "evalgraph doctor"),
    line("store::no-undo",
r"evalgraph undo
evalgraph undo",
r"evalgraph undo
evalgraph undo --redo"),
    line("store::undone",
        "evalgraph undo",
        "evalgraph graphs"),
];
