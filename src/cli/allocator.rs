//! What the allocator of the system does with memory that it is given back. glibc returns an array to the system if it has at least
//! as many bytes as a threshold (`mallopt(3)`), which rises with each such array that comes and goes, up to 32 MiB.

/// Lets the allocator keep what it is given back, for a command that takes as much again at once.
pub(super) fn keep_freed_memory() {
    const LARGE: usize = 31 << 20;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGE)));
}

/// Lets the allocator give arrays of a megabyte back to the system for as long as the process lives: else a server keeps the memory
/// of the largest queries that it has had, and where that is near its limit, ends the next ones. The threshold is fixed before a
/// process begins, so the program begins once more, as the same process. Where it cannot, all is as before.
pub(super) fn give_freed_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt;
        const THRESHOLD: &str = "MALLOC_MMAP_THRESHOLD_";
        let mut arguments = std::env::args_os();
        let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe()) else { return };
        if std::env::var_os(THRESHOLD).is_none() {
            let mut again = std::process::Command::new(program);
            // It returns only if it has failed.
            let _ = again.arg0(name).args(arguments).env(THRESHOLD, "1048576").exec();
        }
    }
}
