//! The `evalgraph` command.

fn main() -> std::process::ExitCode {
    evalgraph::cli::main()
}
