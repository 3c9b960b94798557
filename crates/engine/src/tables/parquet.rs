//! Parquet: one row group for each batch, with pages compressed by Zstandard.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{
    Compression, Encoding, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel,
};
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::{EnabledStatistics, WriterProperties};
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{ColumnPath, Type, TypePtr};

use super::column_batch::{BatchColumn, BatchValues, ColumnBatch};
use super::column_facts::ColumnType;
use super::columns::{METADATA, ResultsColumn, metadata};

/// The size in bytes of a decimal of 128 bits.
const DECIMAL_BYTES: i32 = 16;

/// Writes the batches into a file.
///
/// # Errors
///
/// Fails if the output cannot be written, or a batch cannot be read.
pub(super) fn write(
    columns: &[ResultsColumn],
    batches: impl FnOnce(&mut dyn FnMut(ColumnBatch) -> io::Result<()>) -> io::Result<()>,
    output: impl Write + Send,
) -> io::Result<()> {
    let typed = columns.iter().map(|column| (column.name.as_str(), column.column_type()));
    write_columns("solutions", typed, Some(metadata(columns)), batches, output)
}

/// Writes the batches of columns with these names and types into a file. `metadata` is about the columns, as JSON.
///
/// # Errors
///
/// The errors of [`write`].
pub(super) fn write_columns<'c>(
    name: &str,
    columns: impl Iterator<Item = (&'c str, ColumnType)>,
    metadata: Option<String>,
    batches: impl FnOnce(&mut dyn FnMut(ColumnBatch) -> io::Result<()>) -> io::Result<()>,
    output: impl Write + Send,
) -> io::Result<()> {
    let mut file = ParquetFile::new(name, columns, metadata, ColumnOrder::default(), output)?;
    batches(&mut |batch| file.write(batch))?;
    file.finish().map(drop)
}

/// What is known about the order of values in columns, by name.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ColumnOrder {
    /// Integers that rise over many rows. Each is written as its distance from the one before.
    pub(super) ascending: &'static [&'static str],
    /// Integers that seldom occur again, so that a dictionary of them would need more room.
    pub(super) varied: &'static [&'static str],
    /// Texts in no order, whose bounds would exclude nothing.
    pub(super) unordered: &'static [&'static str],
}

/// A file that is written batch by batch.
pub(super) struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file with columns of these names and types. `metadata` is about the columns, as JSON.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub(super) fn new<'c>(
        name: &str,
        columns: impl Iterator<Item = (&'c str, ColumnType)>,
        metadata: Option<String>,
        order: ColumnOrder,
        output: W,
    ) -> io::Result<Self> {
        let columns: Vec<(&str, ColumnType)> = columns.collect();
        let fields = columns.iter().map(|(name, column_type)| field(name, *column_type));
        let fields = fields.collect::<Result<Vec<TypePtr>, _>>().map_err(failed)?;
        let schema = Type::group_type_builder(name).with_fields(fields).build().map_err(failed)?;
        let metadata = metadata.map(|metadata| vec![KeyValue::new(METADATA.to_owned(), metadata)]);
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(failed)?))
            .set_created_by(format!("evalgraph version {}", env!("CARGO_PKG_VERSION")))
            .set_key_value_metadata(metadata);
        for column in order.ascending.iter().map(|name| ColumnPath::from(*name)) {
            properties = properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
        }
        for column in order.varied.iter().map(|name| ColumnPath::from(*name)) {
            properties = properties.set_column_dictionary_enabled(column, false);
        }
        // NaN is not in the least and greatest values, from which some readers conclude that all values are the same.
        let is_floating = |column_type| matches!(column_type, ColumnType::Float | ColumnType::Double);
        let floating = columns.iter().filter(|(_, column_type)| is_floating(*column_type));
        let without = order.unordered.iter().copied().chain(floating.map(|(name, _)| *name));
        for column in without.map(ColumnPath::from) {
            properties = properties.set_column_statistics_enabled(column, EnabledStatistics::None);
        }
        let writer = SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties.build()));
        Ok(Self { writer: writer.map_err(failed)? })
    }

    /// Writes a batch as a row group.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub(super) fn write(&mut self, batch: ColumnBatch) -> io::Result<()> {
        let mut group = self.writer.next_row_group().map_err(failed)?;
        batch.columns.into_iter().try_for_each(|filled| write_column(filled, &mut group)).map_err(failed)?;
        group.close().map(drop).map_err(failed)
    }

    /// Writes the end of the file, and returns the output.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub(super) fn finish(self) -> io::Result<W> {
        self.writer.into_inner().map_err(failed)
    }
}

/// Returns the names and types of the columns of a file.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub(super) fn read_columns(file: File) -> io::Result<Vec<(String, ColumnType)>> {
    let reader = SerializedFileReader::new(file).map_err(failed)?;
    let schema = reader.metadata().file_metadata().schema();
    let columns = schema.get_fields().iter().map(|field| {
        let column_type = match (field.get_physical_type(), field.get_basic_info().logical_type_ref()) {
            (PhysicalType::BOOLEAN, _) => ColumnType::Boolean,
            (PhysicalType::INT64, Some(LogicalType::Timestamp { .. })) => {
                ColumnType::Timestamp { is_utc: true }
            }
            (PhysicalType::INT64, _) => ColumnType::Integer,
            (PhysicalType::FIXED_LEN_BYTE_ARRAY, _) => ColumnType::Decimal { precision: 38, scale: 0 },
            (PhysicalType::FLOAT, _) => ColumnType::Float,
            (PhysicalType::DOUBLE, _) => ColumnType::Double,
            (PhysicalType::INT32, _) => ColumnType::Date,
            _ => ColumnType::Text,
        };
        (field.name().to_owned(), column_type)
    });
    Ok(columns.collect())
}

/// The error of the operating system that caused an error of the writer, or an error with the writer's message.
pub(super) fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => {
            cause.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
        }
        other => io::Error::other(other),
    }
}

fn field(name: &str, column_type: ColumnType) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match column_type {
        ColumnType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        ColumnType::Boolean => (PhysicalType::BOOLEAN, None),
        ColumnType::Integer => (PhysicalType::INT64, None),
        ColumnType::Decimal { precision, scale } => {
            let logical = LogicalType::decimal(i32::from(scale), i32::from(precision));
            (PhysicalType::FIXED_LEN_BYTE_ARRAY, Some(logical))
        }
        ColumnType::Float => (PhysicalType::FLOAT, None),
        ColumnType::Double => (PhysicalType::DOUBLE, None),
        ColumnType::Date => (PhysicalType::INT32, Some(LogicalType::Date)),
        ColumnType::Timestamp { is_utc } => {
            (PhysicalType::INT64, Some(LogicalType::timestamp(is_utc, TimeUnit::MICROS)))
        }
    };
    let mut builder = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical);
    if let ColumnType::Decimal { precision, scale } = column_type {
        let (precision, scale) = (i32::from(precision), i32::from(scale));
        builder = builder.with_length(DECIMAL_BYTES).with_precision(precision).with_scale(scale);
    }
    builder.build().map(Arc::new)
}

fn write_column<W: Write + Send>(
    filled: BatchColumn,
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = filled.is_bound.iter().map(|is_bound| i16::from(*is_bound)).collect();
    match filled.values {
        BatchValues::Text(texts) => {
            let texts: Vec<ByteArray> = texts.into_texts().map(ByteArray::from).collect();
            write_values::<ByteArrayType, W>(&texts, &levels, group)
        }
        BatchValues::Boolean(values) => write_values::<BoolType, W>(&values, &levels, group),
        BatchValues::Integer(values) | BatchValues::Timestamp(values) => {
            write_values::<Int64Type, W>(&values, &levels, group)
        }
        BatchValues::Decimal(values) => {
            let bytes = |value: i128| FixedLenByteArray::from(value.to_be_bytes().to_vec());
            let values: Vec<FixedLenByteArray> = values.into_iter().map(bytes).collect();
            write_values::<FixedLenByteArrayType, W>(&values, &levels, group)
        }
        BatchValues::Float(values) => write_values::<FloatType, W>(&values, &levels, group),
        BatchValues::Double(values) => write_values::<DoubleType, W>(&values, &levels, group),
        BatchValues::Date(values) => write_values::<Int32Type, W>(&values, &levels, group),
    }
}

fn write_values<T: DataType, W: Write + Send>(
    values: &[T::T],
    levels: &[i16],
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else { return Ok(()) };
    writer.typed::<T>().write_batch(values, Some(levels), None)?;
    writer.close()
}
