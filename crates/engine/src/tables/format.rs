//! The formats of table files, and their names.

/// The format of a table file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFileFormat {
    /// Apache Parquet.
    Parquet,
    /// Arrow's IPC file format, which is the same as Feather version 2.
    Arrow,
    /// An Office Open XML workbook with one sheet.
    Xlsx,
}

impl TableFileFormat {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Parquet, Self::Arrow, Self::Xlsx];

    /// The name of the format, which is also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Xlsx => "xlsx",
        }
    }

    /// The registered media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Arrow => "application/vnd.apache.arrow.file",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}
