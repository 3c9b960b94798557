//! The environment of a process: its variables, and the configuration files that it finds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable that names the user's configuration file.
const CONFIG: &str = "EVALGRAPH_CONFIG";
/// The user's file, in the folder of all configuration.
const USERS_FILE: &str = "evalgraph/config.toml";
/// The name of a project's file.
pub(super) const PROJECTS_FILE: &str = "evalgraph.toml";

/// The process that sends requests.
#[derive(Clone, Copy)]
pub struct ProcessEnvironment<'s> {
    /// The values of the environment variables.
    pub variable: &'s dyn Fn(&str) -> Option<OsString>,
    /// The working folder, an absolute path.
    pub folder: &'s Path,
}

impl ProcessEnvironment<'_> {
    /// Returns the value of a variable, or `None` if it is empty.
    pub(super) fn value(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    /// Returns whether a variable names the user's file.
    pub(super) fn names_users_file(&self) -> bool {
        self.value(CONFIG).is_some()
    }

    /// Returns the path of the user's configuration file, whether or not it exists.
    pub(super) fn users_file(&self) -> Option<PathBuf> {
        if let Some(named) = self.value(CONFIG) {
            return Some(self.folder.join(named));
        }
        // The XDG Base Directory Specification: a relative path is not valid, and is ignored.
        let folder = self.value("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
        Some(folder.or_else(|| self.home().map(|home| home.join(".config")))?.join(USERS_FILE))
    }

    /// Returns the user's folder.
    pub(super) fn home(&self) -> Option<PathBuf> {
        self.value("HOME").or_else(|| self.value("USERPROFILE")).map(PathBuf::from)
    }

    /// Returns the file of the project: the nearest one in this folder or above.
    pub(super) fn projects_file(&self) -> Option<PathBuf> {
        self.folder.ancestors().map(|folder| folder.join(PROJECTS_FILE)).find(|file| file.is_file())
    }
}
