//! The page of `serve` in a browser: headless Chromium is driven through it as people use it, by mouse and by keys.
//!
//! A test needs `chromium` and `chromedriver`. Without them it says that it was skipped; where `EVALGRAPH_BROWSER` is
//! `needed`, it fails.

mod accessible;
mod asking;
mod driver;
mod editing;
mod hostile;
mod keyboard;
mod looking;
mod page;
mod pictures;
mod tasks;
