//! Arrow's IPC file format: a schema, a record batch for each batch, and a footer. Buffers are not compressed, so a
//! reader can map the file into memory.
//!
//! The FlatBuffers tables are those of the Arrow project; everything between them follows the section "IPC File Format"
//! of the Arrow Columnar Format.

use std::io::{self, Write};

use polars_arrow_format::ipc::planus::{Builder, WriteAsOffset};
use polars_arrow_format::ipc::{
    Block, Bool, Buffer, Date, DateUnit, Decimal, Endianness, Field, FieldNode, FloatingPoint, Footer, Int,
    KeyValue, Message, MessageHeader, MetadataVersion, Precision, RecordBatch, Schema, TimeUnit, Timestamp,
    Type, Utf8,
};

use super::column_batch::{BatchColumn, BatchValues, ColumnBatch, SharedTexts};
use super::column_facts::ColumnType;
use super::columns::{METADATA, ResultsColumn, metadata};

/// The first and last bytes of a file.
const MAGIC: &[u8] = b"ARROW1";
/// The bytes before the length of a message.
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// The alignment of buffers, for vector instructions.
const ALIGNMENT: usize = 64;

/// Writes the batches into a file.
///
/// # Errors
///
/// Fails if the output cannot be written, a batch cannot be read, or the texts of a batch have more than 2 GiB.
pub(super) fn write(
    columns: &[ResultsColumn],
    batches: impl FnOnce(&mut dyn FnMut(ColumnBatch) -> io::Result<()>) -> io::Result<()>,
    output: impl Write,
) -> io::Result<()> {
    let mut file = FileWriter { output, written: 0, blocks: Vec::new() };
    file.put(MAGIC)?;
    file.pad(8)?;
    file.put_message(MessageHeader::Schema(Box::new(schema(columns))), &[])?;
    batches(&mut |batch| {
        let mut body = ArrowBody::default();
        for filled in batch.columns {
            body.add(filled)?;
        }
        let length = long(batch.rows)?;
        let ArrowBody { bytes, nodes, buffers } = body;
        let (nodes, buffers) = (Some(nodes), Some(buffers));
        let header = RecordBatch { length, nodes, buffers, compression: None, variadic_buffer_counts: None };
        let block = file.put_message(MessageHeader::RecordBatch(Box::new(header)), &bytes)?;
        file.blocks.push(block);
        Ok(())
    })?;
    file.put(&CONTINUATION)?;
    file.put(&[0; 4])?;
    let footer = Footer {
        version: MetadataVersion::V5,
        schema: Some(Box::new(schema(columns))),
        dictionaries: None,
        record_batches: Some(std::mem::take(&mut file.blocks)),
        custom_metadata: None,
    };
    let footer = flat_buffer(&footer);
    file.put(&footer)?;
    file.put(&int(footer.len())?.to_le_bytes())?;
    file.put(MAGIC)?;
    file.output.flush()
}

/// A file with the number of bytes written.
struct FileWriter<W> {
    output: W,
    written: usize,
    blocks: Vec<Block>,
}

impl<W: Write> FileWriter<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len();
        self.output.write_all(bytes)
    }

    fn pad(&mut self, alignment: usize) -> io::Result<()> {
        let zeros = self.written.next_multiple_of(alignment) - self.written;
        self.put(&[0; ALIGNMENT][..zeros])
    }

    /// Writes a message and its body, and returns their position.
    fn put_message(&mut self, header: MessageHeader, body: &[u8]) -> io::Result<Block> {
        let (version, header, body_length) = (MetadataVersion::V5, Some(header), long(body.len())?);
        let message = flat_buffer(&Message { version, header, body_length, custom_metadata: None });
        let offset = self.written;
        // The body must be aligned, too.
        let prefix = CONTINUATION.len() + size_of::<i32>();
        let end = (offset + prefix + message.len()).next_multiple_of(ALIGNMENT);
        self.put(&CONTINUATION)?;
        self.put(&int(end - offset - prefix)?.to_le_bytes())?;
        self.put(&message)?;
        self.pad(ALIGNMENT)?;
        self.put(body)?;
        Ok(Block { offset: long(offset)?, meta_data_length: int(end - offset)?, body_length })
    }
}

fn flat_buffer<T>(root: impl WriteAsOffset<T>) -> Vec<u8> {
    Builder::new().finish(root, None).to_vec()
}

fn schema(columns: &[ResultsColumn]) -> Schema {
    let metadata = KeyValue { key: Some(METADATA.to_owned()), value: Some(metadata(columns)) };
    Schema {
        endianness: Endianness::Little,
        fields: Some(columns.iter().map(field).collect()),
        custom_metadata: Some(vec![metadata]),
        features: None,
    }
}

fn field(column: &ResultsColumn) -> Field {
    let floating = |precision| Type::FloatingPoint(Box::new(FloatingPoint { precision }));
    let type_ = match column.column_type() {
        ColumnType::Text => Type::Utf8(Box::new(Utf8 {})),
        ColumnType::Boolean => Type::Bool(Box::new(Bool {})),
        ColumnType::Integer => Type::Int(Box::new(Int { bit_width: 64, is_signed: true })),
        ColumnType::Decimal { precision, scale } => {
            let (precision, scale) = (i32::from(precision), i32::from(scale));
            Type::Decimal(Box::new(Decimal { precision, scale, bit_width: 128 }))
        }
        ColumnType::Float => floating(Precision::Single),
        ColumnType::Double => floating(Precision::Double),
        ColumnType::Date => Type::Date(Box::new(Date { unit: DateUnit::Day })),
        ColumnType::Timestamp { is_utc } => {
            let timezone = is_utc.then(|| "UTC".to_owned());
            Type::Timestamp(Box::new(Timestamp { unit: TimeUnit::Microsecond, timezone }))
        }
    };
    Field {
        name: Some(column.name.clone()),
        nullable: true,
        type_: Some(type_),
        dictionary: None,
        // Readers treat a field without a list of children as damaged.
        children: Some(Vec::new()),
        custom_metadata: None,
    }
}

/// The buffers of a record batch, and their positions.
#[derive(Default)]
struct ArrowBody {
    bytes: Vec<u8>,
    nodes: Vec<FieldNode>,
    buffers: Vec<Buffer>,
}

impl ArrowBody {
    fn add(&mut self, filled: BatchColumn) -> io::Result<()> {
        let BatchColumn { is_bound, values } = filled;
        let null_count = is_bound.iter().filter(|is_bound| !**is_bound).count();
        self.nodes.push(FieldNode { length: long(is_bound.len())?, null_count: long(null_count)? });
        match null_count {
            0 => self.add_buffer(|_| {})?,
            _ => self.add_buffer(|bytes| push_bits(is_bound.iter().copied(), bytes))?,
        }
        match values {
            BatchValues::Text(texts) => self.add_texts(texts, &is_bound),
            BatchValues::Boolean(values) => {
                self.add_buffer(|bytes| push_bits(spread(values, &is_bound), bytes))
            }
            BatchValues::Integer(values) | BatchValues::Timestamp(values) => {
                self.add_numbers(values, &is_bound, i64::to_le_bytes)
            }
            BatchValues::Decimal(values) => self.add_numbers(values, &is_bound, i128::to_le_bytes),
            BatchValues::Float(values) => self.add_numbers(values, &is_bound, f32::to_le_bytes),
            BatchValues::Double(values) => self.add_numbers(values, &is_bound, f64::to_le_bytes),
            BatchValues::Date(values) => self.add_numbers(values, &is_bound, i32::to_le_bytes),
        }
    }

    fn add_buffer(&mut self, fill: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let start = self.bytes.len();
        fill(&mut self.bytes);
        let length = long(self.bytes.len() - start)?;
        self.buffers.push(Buffer { offset: long(start)?, length });
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGNMENT), 0);
        Ok(())
    }

    fn add_numbers<T: Default, const N: usize>(
        &mut self,
        values: Vec<T>,
        is_bound: &[bool],
        bytes_of: fn(T) -> [u8; N],
    ) -> io::Result<()> {
        self.add_buffer(|bytes| bytes.extend(spread(values, is_bound).flat_map(bytes_of)))
    }

    /// Adds the offsets of the texts, and the texts.
    fn add_texts(&mut self, texts: SharedTexts, is_bound: &[bool]) -> io::Result<()> {
        let mut lengths = texts.places.iter().map(|place| place.length);
        let mut offsets = Vec::with_capacity(is_bound.len() + 1);
        let mut end = 0;
        offsets.push(0);
        for is_bound in is_bound {
            if *is_bound {
                end += lengths.next().unwrap_or_default();
            }
            offsets.push(int(end)?);
        }
        self.add_buffer(|bytes| bytes.extend(offsets.into_iter().flat_map(i32::to_le_bytes)))?;
        self.add_buffer(|bytes| texts.into_texts().for_each(|text| bytes.extend_from_slice(&text)))
    }
}

/// The values, with a default value for each row that has none.
fn spread<T: Default>(values: Vec<T>, is_bound: &[bool]) -> impl Iterator<Item = T> {
    let mut values = values.into_iter();
    is_bound
        .iter()
        .map(move |is_bound| if *is_bound { values.next().unwrap_or_default() } else { T::default() })
}

/// Appends one bit for each item, starting with the lowest bit of a byte.
fn push_bits(bits: impl Iterator<Item = bool>, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    for (at, bit) in bits.enumerate() {
        if at % 8 == 0 {
            bytes.push(0);
        }
        if bit && let Some(byte) = bytes.get_mut(start + at / 8) {
            *byte |= 1 << (at % 8);
        }
    }
}

fn int(number: usize) -> io::Result<i32> {
    i32::try_from(number).map_err(|_| io::Error::other("a batch has more than 2 GiB of text"))
}

fn long(number: usize) -> io::Result<i64> {
    i64::try_from(number).map_err(io::Error::other)
}
