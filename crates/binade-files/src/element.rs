//! Element types and their names in both file types, in one table.

use std::fmt;

use crate::Problem;

/// The type of a tensor's elements, without their byte order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The variants below are their own names; the table says the widths.
pub enum ElementType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Bf16,
    F8E4M3,
    F8E5M2,
    F8E8M0,
    F8E4M3Fnuz,
    F8E5M2Fnuz,
    F6E2M3,
    F6E3M2,
    F4,
    C64,
    C128,
    /// A .npy void type of this many bytes, from 1 to [`ElementType::MAX_RAW_BYTES`]. The file does not state its meaning.
    Raw(u8),
    /// A safetensors type unknown to this crate, as the file spells it. Its width is unknown.
    Unknown(Box<str>),
}

/// A named type: its width, its safetensors name, and its .npy type string without byte order.
struct Row(ElementType, u32, Option<&'static str>, Option<&'static str>);

const ROWS: [Row; 23] = {
    use ElementType::*;
    [
        Row(Bool, 8, Some("BOOL"), Some("b1")),
        Row(I8, 8, Some("I8"), Some("i1")),
        Row(I16, 16, Some("I16"), Some("i2")),
        Row(I32, 32, Some("I32"), Some("i4")),
        Row(I64, 64, Some("I64"), Some("i8")),
        Row(U8, 8, Some("U8"), Some("u1")),
        Row(U16, 16, Some("U16"), Some("u2")),
        Row(U32, 32, Some("U32"), Some("u4")),
        Row(U64, 64, Some("U64"), Some("u8")),
        Row(F16, 16, Some("F16"), Some("f2")),
        Row(F32, 32, Some("F32"), Some("f4")),
        Row(F64, 64, Some("F64"), Some("f8")),
        Row(Bf16, 16, Some("BF16"), None),
        Row(F8E4M3, 8, Some("F8_E4M3"), None),
        Row(F8E5M2, 8, Some("F8_E5M2"), None),
        Row(F8E8M0, 8, Some("F8_E8M0"), None),
        Row(F8E4M3Fnuz, 8, Some("F8_E4M3FNUZ"), None),
        Row(F8E5M2Fnuz, 8, Some("F8_E5M2FNUZ"), None),
        Row(F6E2M3, 6, Some("F6_E2M3"), None),
        Row(F6E3M2, 6, Some("F6_E3M2"), None),
        Row(F4, 4, Some("F4"), None),
        Row(C64, 64, Some("C64"), Some("c8")),
        Row(C128, 128, None, Some("c16")),
    ]
};

impl ElementType {
    /// Largest width of a void type, in bytes.
    pub const MAX_RAW_BYTES: u8 = 16;

    fn row(&self) -> Option<&'static Row> {
        const { &ROWS }.iter().find(|row| row.0 == *self)
    }

    /// Bits of an element; `None` for [`ElementType::Unknown`].
    pub fn bits(&self) -> Option<u32> {
        match self {
            Self::Raw(bytes) => Some(8 * u32::from(*bytes)),
            _ => self.row().map(|row| row.1),
        }
    }

    /// Width in bytes of the unit that a big-endian file reverses: an element, or one part of a complex number.
    pub(crate) fn swap_bytes(&self) -> usize {
        let bytes = self.bits().unwrap_or(8) as usize / 8;
        if matches!(self, Self::C64 | Self::C128) { bytes / 2 } else { bytes }
    }

    /// The type with this safetensors name.
    pub fn from_safetensors(name: &str) -> Self {
        let row = const { &ROWS }.iter().find(|row| row.2 == Some(name));
        row.map_or_else(|| Self::Unknown(name.into()), |row| row.0.clone())
    }

    /// The safetensors name of this type, if it has one.
    pub fn safetensors_name(&self) -> Option<&str> {
        match self {
            Self::Unknown(name) => Some(name),
            _ => self.row().and_then(|row| row.2),
        }
    }

    /// Parses a .npy type string into type and byte order (`true` for big-endian).
    ///
    /// ml_dtypes writes `float8_e5m2` as `f1`, and its other types as void types.
    pub(crate) fn from_npy(descr: &str) -> Result<(Self, bool), Problem> {
        let unsupported = || Problem::NpyType { descr: descr.to_owned() };
        let order = descr.chars().next().filter(|c| "<>|=".contains(*c)).ok_or_else(unsupported)?;
        let kind = &descr[1..];
        if kind.starts_with('O') {
            return Err(Problem::NpyObjects);
        }
        let element = if kind == "f1" {
            Self::F8E5M2
        } else if let Some(row) = const { &ROWS }.iter().find(|row| row.3 == Some(kind)) {
            row.0.clone()
        } else {
            let digits = kind.strip_prefix('V').filter(|digits| digits.bytes().all(|c| c.is_ascii_digit()));
            match digits.and_then(|digits| digits.parse().ok()) {
                Some(bytes @ 1..=Self::MAX_RAW_BYTES) => Self::Raw(bytes),
                _ => return Err(unsupported()),
            }
        };
        let ordered = element.swap_bytes() > 1 && !matches!(element, Self::Raw(_));
        if order == '=' || (order == '|' && ordered) {
            return Err(Problem::NpyByteOrder { descr: descr.to_owned() });
        }
        Ok((element, order == '>'))
    }

    /// The little-endian .npy type string of this type, if it has one.
    pub fn npy_descr(&self) -> Option<String> {
        match self {
            Self::Raw(bytes) => Some(format!("|V{bytes}")),
            _ => {
                let kind = self.row()?.3?;
                Some(format!("{}{kind}", if self.swap_bytes() > 1 { '<' } else { '|' }))
            }
        }
    }
}

/// Writes the safetensors name, or the .npy name of a type without one.
impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raw(bytes) => write!(f, "V{bytes}"),
            Self::C128 => f.write_str("C128"),
            _ => f.write_str(&crate::error::clip(self.safetensors_name().unwrap_or_default())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_read_back() {
        for row in &ROWS {
            assert!(row.2.is_some() || row.3.is_some());
            if let Some(name) = row.0.safetensors_name() {
                assert_eq!(ElementType::from_safetensors(name), row.0);
            }
            if let Some(descr) = row.0.npy_descr() {
                assert_eq!(ElementType::from_npy(&descr).unwrap(), (row.0.clone(), false));
            }
        }
        assert_eq!(ElementType::from_npy(">c16").unwrap(), (ElementType::C128, true));
        assert_eq!(ElementType::from_npy("<V2").unwrap(), (ElementType::Raw(2), false));
        assert_eq!(ElementType::from_npy("<f1").unwrap(), (ElementType::F8E5M2, false));
    }

    #[test]
    fn every_type_has_a_row() {
        assert_eq!(ROWS.len(), ElementType::C128.row_index() + 1);
    }

    impl ElementType {
        fn row_index(&self) -> usize {
            ROWS.iter().position(|row| row.0 == *self).unwrap()
        }
    }
}
