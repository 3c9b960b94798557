//! The README and the book in `docs`: what they show is run, what they link to is there, and what the program knows
//! has its place in them.

mod console;
mod coverage;
mod data_blocks;
mod git;
mod links;
mod operands;
mod packaging;
mod page;
mod scripts;
mod tasks;
mod yaml;
