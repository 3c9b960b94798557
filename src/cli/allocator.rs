//! Settings of the system's allocator for freed memory. glibc returns an array to the system if it has at least as many
//! bytes as a threshold (`mallopt(3)`). The threshold rises each time such an array is freed, up to 32 MiB.

/// Makes the allocator keep freed memory, for a command that soon needs as much again.
pub(super) fn keep_freed_memory() {
    const LARGE: usize = 31 << 20;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGE)));
}

/// Makes the allocator return arrays of a megabyte or more to the system for the lifetime of the process. Otherwise a
/// server keeps the memory of the largest queries it has had, and if that is near its limit, later queries fail. The
/// threshold is fixed when a process starts, so the program executes itself again, within the same process. If that
/// fails, nothing changes.
pub(super) fn give_freed_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt;
        const THRESHOLD: &str = "MALLOC_MMAP_THRESHOLD_";
        let mut arguments = std::env::args_os();
        let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe()) else { return };
        if std::env::var_os(THRESHOLD).is_none() {
            let mut again = std::process::Command::new(program);
            // It returns only on failure.
            let _ = again.arg0(name).args(arguments).env(THRESHOLD, "1048576").exec();
        }
    }
}
