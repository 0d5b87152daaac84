//! Reads tensors as exact binary64 values, for quantisation, comparison and products.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use binade::catalog::{BF16, F16, F32, F64};
use binade::{Datum, Format, Projection, Spec, Value, decode, project};
use binade_files::{ElementType, Tensor};

use crate::Error;
use crate::layout::is_int8;

/// A binary64 as a datum.
pub(crate) fn datum(x: f64) -> Datum {
    Datum::new(F64, x.to_bits()).expect("every code of 64 bits is one of binary64")
}

/// The nearest binary64. It is exact for every named format.
pub(crate) fn to_f64(value: Value) -> f64 {
    match value {
        Value::Nan { negative } => f64::NAN.copysign(if negative { -1.0 } else { 1.0 }),
        _ => f64::from_bits(project(F64, value, Projection::default()).code),
    }
}

/// Decodes a tensor's codes to values.
enum Decoder {
    F64,
    F32,
    /// The value of each code, for codes of at most 16 bits.
    Table(Arc<[f64]>),
    Wide(Format),
    Unsigned,
    Signed,
}

/// The value of each code of a format, computed once: a checkpoint has thousands of tensors in few formats.
pub(crate) fn table(format: Format) -> Arc<[f64]> {
    static TABLES: LazyLock<Mutex<HashMap<Format, Arc<[f64]>>>> = LazyLock::new(Mutex::default);
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let values = || (0..=format.last_code()).map(|code| to_f64(decode(format, code))).collect();
    Arc::clone(tables.entry(format).or_insert_with(values))
}

/// Elements as stored, of the types that the kernels encode from.
pub(crate) enum StoredElements {
    Binary32(Vec<f32>),
    /// Bit patterns.
    Bfloat16(Vec<u16>),
    /// Bit patterns.
    Binary16(Vec<u16>),
}

impl Default for StoredElements {
    fn default() -> StoredElements {
        StoredElements::Binary32(vec![])
    }
}

impl StoredElements {
    pub(crate) fn len(&self) -> usize {
        match self {
            StoredElements::Binary32(values) => values.len(),
            StoredElements::Bfloat16(bits) | StoredElements::Binary16(bits) => bits.len(),
        }
    }
}

/// A tensor that is read as numbers.
pub(crate) struct Values<'a> {
    pub(crate) tensor: &'a Tensor,
    /// The format of its codes; `None` for integers.
    pub(crate) spec: Option<Spec>,
    pub(crate) shape: Vec<u64>,
    pub(crate) elements: u64,
    path: PathBuf,
    /// Distance between codes, in bits.
    bits: u32,
    decoder: Decoder,
}

impl<'a> Values<'a> {
    /// A tensor whose elements, `bits` apart, are codes of a format. Its bytes must suffice for the shape.
    pub(crate) fn of_codes(
        path: &Path,
        tensor: &'a Tensor,
        spec: Spec,
        shape: Vec<u64>,
        bits: u32,
    ) -> Values<'a> {
        let format = spec.format;
        let decoder = if is_int8(&spec) {
            Decoder::Table((0..=255).map(|code: u8| f64::from(code as i8) / 64.0).collect())
        } else if format == F64 {
            Decoder::F64
        } else if format == F32 {
            Decoder::F32
        } else if format.width() <= 16 {
            Decoder::Table(table(format))
        } else {
            Decoder::Wide(format)
        };
        let elements = shape.iter().product();
        Values { tensor, spec: Some(spec), shape, elements, path: path.to_owned(), bits, decoder }
    }

    /// A tensor of integers or Booleans; `None` for other elements.
    pub(crate) fn of_integers(path: &Path, tensor: &'a Tensor) -> Option<Values<'a>> {
        use ElementType::*;
        let decoder = match tensor.element() {
            Bool | U8 | U16 | U32 | U64 => Decoder::Unsigned,
            I8 | I16 | I32 | I64 => Decoder::Signed,
            _ => return None,
        };
        let (shape, bits) = (tensor.shape().to_vec(), tensor.element().bits()?);
        Some(Values {
            tensor,
            spec: None,
            shape,
            elements: tensor.elements(),
            path: path.to_owned(),
            bits,
            decoder,
        })
    }

    /// Distance between codes, in bits.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// Reads `count` elements from `first` on into `out` as stored, without conversion. Returns false if they are not
    /// binary32, bfloat16 or binary16. `bytes` is a scratch buffer.
    pub(crate) fn read_stored(
        &self,
        first: u64,
        count: u64,
        bytes: &mut Vec<u8>,
        out: &mut StoredElements,
    ) -> Result<bool, Error> {
        let format = self.spec.as_ref().map(|spec| spec.format);
        let mut read = || {
            bytes.resize((count * self.bits as u64 / 8) as usize, 0);
            self.tensor.read_bytes(first * self.bits as u64 / 8, bytes)
        };
        if format == Some(F32) && self.bits == 32 {
            read()?;
            let mut room =
                if let StoredElements::Binary32(room) = out { std::mem::take(room) } else { vec![] };
            room.clear();
            room.extend(bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)));
            *out = StoredElements::Binary32(room);
            return Ok(true);
        }
        if (format == Some(BF16) || format == Some(F16)) && self.bits == 16 {
            read()?;
            let mut room = match out {
                StoredElements::Bfloat16(room) | StoredElements::Binary16(room) => std::mem::take(room),
                StoredElements::Binary32(_) => vec![],
            };
            room.clear();
            room.extend(bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b)));
            *out = if format == Some(F16) {
                StoredElements::Binary16(room)
            } else {
                StoredElements::Bfloat16(room)
            };
            return Ok(true);
        }
        Ok(false)
    }

    /// Replaces `out` by `count` values from the element `first` on. `bytes` is a scratch buffer.
    pub(crate) fn read(
        &self,
        first: u64,
        count: u64,
        bytes: &mut Vec<u8>,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        out.clear();
        if count == 0 {
            return Ok(());
        }
        let bits = self.bits as u64;
        let (begin, end) = (first * bits / 8, ((first + count) * bits).div_ceil(8));
        bytes.resize((end - begin) as usize, 0);
        self.tensor.read_bytes(begin, bytes)?;
        out.reserve(count as usize);
        match (self.bits, &self.decoder) {
            (64, Decoder::F64) => out.extend(bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b))),
            (32, Decoder::F32) => {
                out.extend(bytes.as_chunks().0.iter().map(|&b| widened(f32::from_le_bytes(b))))
            }
            (8, _) => return self.decode(first, bytes.iter().map(|&b| b as u64), out),
            (16, _) => {
                let codes = bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b) as u64);
                return self.decode(first, codes, out);
            }
            (32, _) => {
                let codes = bytes.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b) as u64);
                return self.decode(first, codes, out);
            }
            (64, _) => {
                let codes = bytes.as_chunks().0.iter().map(|&b| u64::from_le_bytes(b));
                return self.decode(first, codes, out);
            }
            _ => {
                // Codes narrower than a byte span at most two bytes.
                let from = first * bits % 8;
                let byte = |at: u64| bytes.get(at as usize).copied().unwrap_or(0) as u64;
                let codes = (0..count).map(|i| {
                    let at = from + i * bits;
                    (byte(at / 8) | byte(at / 8 + 1) << 8) >> (at % 8) & ((1 << bits) - 1)
                });
                return self.decode(first, codes, out);
            }
        }
        Ok(())
    }

    fn decode(&self, first: u64, codes: impl Iterator<Item = u64>, out: &mut Vec<f64>) -> Result<(), Error> {
        let known = out.len();
        let mut wrong = None;
        match &self.decoder {
            Decoder::Table(values) => {
                for code in codes {
                    match values.get(code as usize) {
                        Some(&value) => out.push(value),
                        None => {
                            wrong = Some(code);
                            break;
                        }
                    }
                }
            }
            Decoder::Wide(format) => {
                for code in codes {
                    if code > format.last_code() {
                        wrong = Some(code);
                        break;
                    }
                    out.push(to_f64(decode(*format, code)));
                }
            }
            Decoder::F32 => out.extend(codes.map(|code| widened(f32::from_bits(code as u32)))),
            Decoder::F64 => out.extend(codes.map(f64::from_bits)),
            Decoder::Unsigned => out.extend(codes.map(|code| code as f64)),
            Decoder::Signed => {
                let unused = 64 - self.bits;
                out.extend(codes.map(|code| ((code << unused) as i64 >> unused) as f64));
            }
        }
        match wrong {
            None => Ok(()),
            Some(code) => Err(Error::Code {
                path: self.path.clone(),
                tensor: self.tensor.name().to_owned(),
                index: first + (out.len() - known) as u64,
                code,
                format: self.spec.as_ref().map(|spec| spec.name().to_owned()).unwrap_or_default(),
            }),
        }
    }
}

/// A binary32 as binary64. Unlike `as`, it always keeps the sign of a NaN.
#[inline]
fn widened(x: f32) -> f64 {
    (x as f64).copysign(if x.is_sign_negative() { -1.0 } else { 1.0 })
}

/// Writes codes as little-endian integers of 8, 16, 32 or 64 bits.
pub(crate) fn pack(codes: &[u64], bits: u32, out: &mut Vec<u8>) {
    out.clear();
    match bits {
        ..=8 => out.extend(codes.iter().map(|&code| code as u8)),
        9..=16 => out.extend(codes.iter().flat_map(|&code| (code as u16).to_le_bytes())),
        17..=32 => out.extend(codes.iter().flat_map(|&code| (code as u32).to_le_bytes())),
        _ => out.extend(codes.iter().flat_map(|&code| code.to_le_bytes())),
    }
}
