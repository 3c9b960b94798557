//! The surroundings of a process: the variables of its environment, and the files of configuration that it finds.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable that names the user's file of configuration.
const CONFIG: &str = "EVALGRAPH_CONFIG";
/// The user's file, in the folder of all configuration.
const USERS_FILE: &str = "evalgraph/config.toml";
/// The name of a project's file.
pub(super) const PROJECTS_FILE: &str = "evalgraph.toml";

/// The process that asks.
#[derive(Clone, Copy)]
pub struct ProcessEnvironment<'s> {
    /// The values of the variables of the environment.
    pub variable: &'s dyn Fn(&str) -> Option<OsString>,
    /// The folder that it works in, an absolute path.
    pub folder: &'s Path,
}

impl ProcessEnvironment<'_> {
    /// The value of a variable; an empty one counts as none.
    pub(super) fn value(&self, name: &str) -> Option<OsString> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    /// Returns whether the user's file is where a variable says.
    pub(super) fn names_users_file(&self) -> bool {
        self.value(CONFIG).is_some()
    }

    /// The user's file of configuration, whether it is there or not.
    pub(super) fn users_file(&self) -> Option<PathBuf> {
        if let Some(named) = self.value(CONFIG) {
            return Some(self.folder.join(named));
        }
        // The XDG Base Directory Specification: a relative path is not valid, and is ignored.
        let folder = self.value("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
        Some(folder.or_else(|| self.home().map(|home| home.join(".config")))?.join(USERS_FILE))
    }

    /// The user's folder.
    pub(super) fn home(&self) -> Option<PathBuf> {
        self.value("HOME").or_else(|| self.value("USERPROFILE")).map(PathBuf::from)
    }

    /// The file of the project: the nearest one upwards.
    pub(super) fn projects_file(&self) -> Option<PathBuf> {
        self.folder.ancestors().map(|folder| folder.join(PROJECTS_FILE)).find(|file| file.is_file())
    }
}
