//! Exports into files: everything arrives, blank nodes included, the folder is whole at any moment, and nothing of others is
//! removed.

mod folder;
mod read_back;
