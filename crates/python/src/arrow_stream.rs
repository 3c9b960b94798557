//! Rows as a stream of Arrow's C interface (Arrow PyCapsule Interface).

use std::io;
use std::sync::Arc;

use arrow_array::builder::StringViewBuilder;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int64Array,
    RecordBatch, RecordBatchIterator, StringViewArray, TimestampMicrosecondArray,
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use evalgraph::tables::{AnswerTable, BatchColumn, BatchValues, ColumnType, SharedTexts, TextPlace};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// How many bytes the blocks of texts have in Arrow.
const BLOCK: u32 = 4 << 20;

/// Returns the rows as a stream.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    table: &Arc<AnswerTable>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = schema_of(table);
    let batches = py.detach(|| batches_of(table, &schema)).map_err(failed)?;
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
}

/// Returns the types of the columns.
pub(crate) fn schema_capsule<'py>(py: Python<'py>, table: &AnswerTable) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(&*schema_of(table)).map_err(failed)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn schema_of(table: &AnswerTable) -> SchemaRef {
    let fields =
        table.columns().into_iter().map(|(name, column_type)| Field::new(name, data_type(column_type), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn data_type(column_type: ColumnType) -> DataType {
    match column_type {
        ColumnType::Text => DataType::Utf8View,
        ColumnType::Boolean => DataType::Boolean,
        ColumnType::Integer => DataType::Int64,
        // The digits are at most 38, which the engine has checked.
        ColumnType::Decimal { precision, scale } => DataType::Decimal128(precision, scale.cast_signed()),
        ColumnType::Float => DataType::Float32,
        ColumnType::Double => DataType::Float64,
        ColumnType::Date => DataType::Date32,
        ColumnType::Timestamp { is_utc } => {
            DataType::Timestamp(TimeUnit::Microsecond, is_utc.then(|| "UTC".into()))
        }
    }
}

fn batches_of(table: &AnswerTable, schema: &SchemaRef) -> Result<Vec<RecordBatch>, ArrowError> {
    let mut batches = Vec::new();
    let visited = table.batches(&mut |batch| {
        let columns = batch.columns.into_iter().zip(schema.fields());
        let columns = columns.map(|(column, field)| array_of(column, field.data_type()));
        let batch = columns
            .collect::<Result<_, _>>()
            .and_then(|columns| RecordBatch::try_new(Arc::clone(schema), columns));
        batches.push(batch.map_err(io::Error::other)?);
        Ok(())
    });
    visited.map_err(|error| ArrowError::IoError(error.to_string(), error))?;
    Ok(batches)
}

/// Returns a column, in which rows without a value are null.
fn array_of(column: BatchColumn, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    let BatchColumn { is_bound, values } = column;
    Ok(match values {
        BatchValues::Text(texts) => Arc::new(text_array(&is_bound, &texts)?),
        BatchValues::Boolean(values) => Arc::new(with_gaps(&is_bound, values).collect::<BooleanArray>()),
        BatchValues::Integer(values) => Arc::new(with_gaps(&is_bound, values).collect::<Int64Array>()),
        BatchValues::Decimal(values) => Arc::new(
            with_gaps(&is_bound, values).collect::<Decimal128Array>().with_data_type(data_type.clone()),
        ),
        BatchValues::Float(values) => Arc::new(with_gaps(&is_bound, values).collect::<Float32Array>()),
        BatchValues::Double(values) => Arc::new(with_gaps(&is_bound, values).collect::<Float64Array>()),
        BatchValues::Date(values) => Arc::new(with_gaps(&is_bound, values).collect::<Date32Array>()),
        BatchValues::Timestamp(values) => {
            let times = with_gaps(&is_bound, values).collect::<TimestampMicrosecondArray>();
            match data_type {
                DataType::Timestamp(_, Some(zone)) => Arc::new(times.with_timezone(Arc::clone(zone))),
                _ => Arc::new(times),
            }
        }
    })
}

/// Returns texts as views. They are copied out of their blocks, which is faster than to check each of them once more.
fn text_array(is_bound: &[bool], texts: &SharedTexts) -> Result<StringViewArray, ArrowError> {
    let damaged = || ArrowError::InvalidArgumentError("a block of texts is damaged".to_owned());
    let blocks = texts.blocks.iter().map(|block| str::from_utf8(block));
    let blocks = blocks.collect::<Result<Vec<_>, _>>().map_err(|_| damaged())?;
    let mut array = StringViewBuilder::with_capacity(is_bound.len()).with_fixed_block_size(BLOCK);
    let mut places = texts.places.iter();
    for is_bound in is_bound {
        match is_bound.then(|| places.next()).flatten() {
            Some(TextPlace { block, begin, length }) => {
                let text = blocks.get(*block).and_then(|block| block.get(*begin..begin + length));
                array.try_append_value(text.ok_or_else(damaged)?)?;
            }
            None => array.append_null(),
        }
    }
    Ok(array.finish())
}

/// The values of all rows. `values` has those of the rows that are bound.
fn with_gaps<T>(is_bound: &[bool], values: Vec<T>) -> impl Iterator<Item = Option<T>> {
    let mut values = values.into_iter();
    is_bound.iter().map(move |is_bound| is_bound.then(|| values.next()).flatten())
}
