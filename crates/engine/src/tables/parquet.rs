//! Parquet: one row group for each batch, with pages compressed by Zstandard.

use std::io::{self, Write};
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as PhysicalType, ZstdLevel};
use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    FloatType, Int32Type, Int64Type,
};
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::{Type, TypePtr};
use bytes::Bytes;

use super::column_batch::{BatchColumn, BatchValues, ColumnBatch, PackedTexts};
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
    let fields = columns.map(|(name, column_type)| field(name, column_type));
    let fields = fields.collect::<Result<Vec<TypePtr>, _>>().map_err(failed)?;
    let schema = Type::group_type_builder(name).with_fields(fields).build().map_err(failed)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(failed)?))
        .set_created_by(format!("evalgraph version {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(metadata.map(|metadata| vec![KeyValue::new(METADATA.to_owned(), metadata)]))
        .build();
    let mut writer =
        SerializedFileWriter::new(output, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
    batches(&mut |batch| {
        let mut group = writer.next_row_group().map_err(failed)?;
        batch.columns.into_iter().try_for_each(|filled| write_column(filled, &mut group)).map_err(failed)?;
        group.close().map(drop).map_err(failed)
    })?;
    writer.close().map(drop).map_err(failed)
}

/// The error of the operating system that caused an error of the writer, or an error with the writer's message.
fn failed(error: ParquetError) -> io::Error {
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
        BatchValues::Text(texts) => write_values::<ByteArrayType, W>(&byte_arrays(texts), &levels, group),
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

/// The texts, without copying them.
fn byte_arrays(texts: PackedTexts) -> Vec<ByteArray> {
    let bytes = Bytes::from(texts.bytes);
    let starts = std::iter::once(0).chain(texts.ends.iter().copied());
    starts
        .zip(texts.ends.iter().copied())
        .map(|(start, end)| ByteArray::from(bytes.slice(start..end)))
        .collect()
}
