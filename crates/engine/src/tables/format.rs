//! Which files of tables there are, and how they are named.

/// The form of a file of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFileFormat {
    /// Apache Parquet.
    Parquet,
    /// The file format of Arrow's interprocess communication, which is version 2 of Feather, too.
    Arrow,
    /// A workbook of Office Open XML with one sheet.
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

    /// The media type, as it is registered.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Parquet => "application/vnd.apache.parquet",
            Self::Arrow => "application/vnd.apache.arrow.file",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}
