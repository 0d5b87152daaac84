//! Types of StableHLO values (specification, section "Types").

use std::fmt;
use std::sync::{Arc, LazyLock};

use binade::Format;

/// A floating-point element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are StableHLO's")]
pub enum FloatType {
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E3M4,
    F8E4M3,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    F8E8M0FNU,
    Bf16,
    F16,
    Tf32,
    F32,
    F64,
}

impl FloatType {
    /// All types, with the names in programs.
    pub const ALL: [(FloatType, &'static str); 16] = [
        (FloatType::F4E2M1FN, "f4E2M1FN"),
        (FloatType::F6E2M3FN, "f6E2M3FN"),
        (FloatType::F6E3M2FN, "f6E3M2FN"),
        (FloatType::F8E3M4, "f8E3M4"),
        (FloatType::F8E4M3, "f8E4M3"),
        (FloatType::F8E4M3FN, "f8E4M3FN"),
        (FloatType::F8E4M3FNUZ, "f8E4M3FNUZ"),
        (FloatType::F8E4M3B11FNUZ, "f8E4M3B11FNUZ"),
        (FloatType::F8E5M2, "f8E5M2"),
        (FloatType::F8E5M2FNUZ, "f8E5M2FNUZ"),
        (FloatType::F8E8M0FNU, "f8E8M0FNU"),
        (FloatType::Bf16, "bf16"),
        (FloatType::F16, "f16"),
        (FloatType::Tf32, "tf32"),
        (FloatType::F32, "f32"),
        (FloatType::F64, "f64"),
    ];

    /// The name in programs.
    #[inline]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The format's description.
    #[inline]
    pub fn format(self) -> Format {
        static FORMATS: LazyLock<Vec<Format>> = LazyLock::new(|| {
            let format = |(_, name): &(FloatType, &str)| {
                name.parse::<binade::Spec>().expect("the catalogue has every StableHLO type").format
            };
            FloatType::ALL.iter().map(format).collect()
        });
        FORMATS[self as usize]
    }
}

/// An element type.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementType {
    /// `i1`.
    Bool,
    /// `i2` … `i64`, `ui2` … `ui64`.
    Integer {
        /// Two's complement or unsigned.
        signed: bool,
        /// 2, 4, 8, 16, 32 or 64 bits.
        width: u8,
    },
    /// A floating-point type.
    Float(FloatType),
    /// `complex<f32>` or `complex<f64>`.
    Complex(FloatType),
    /// `!quant.uniform<…>`.
    Quantized(Arc<Quantized>),
}

/// A uniformly quantized type: real = (stored − zero point) · scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantized {
    /// An integer type.
    pub storage: ElementType,
    /// Least stored value.
    pub storage_min: i64,
    /// Greatest stored value.
    pub storage_max: i64,
    /// The type of the real numbers.
    pub expressed: FloatType,
    /// The axis along which scales vary. `None` if the tensor has one scale.
    pub axis: Option<usize>,
    /// A scale, or one for each index along the axis.
    pub scales: Vec<f64>,
    /// The zero points, one for each scale.
    pub zero_points: Vec<i64>,
}

impl Quantized {
    /// Returns true if a tensor of this shape has a scale for each index along the axis.
    #[inline]
    pub fn fits(&self, shape: &[usize]) -> bool {
        self.axis.is_none_or(|axis| shape.get(axis).is_some_and(|&size| size == self.scales.len()))
    }
}

/// A ranked tensor type. A size that the type leaves open (`?`) is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorType {
    /// Sizes.
    pub shape: Vec<Option<usize>>,
    /// Type of the elements.
    pub element: ElementType,
}

impl TensorType {
    /// Returns true if these sizes agree with the type.
    #[inline]
    pub fn has_sizes(&self, shape: &[usize]) -> bool {
        self.shape.len() == shape.len()
            && self
                .shape
                .iter()
                .zip(shape)
                .all(|(declared, size)| declared.is_none_or(|declared| declared == *size))
    }

    /// Returns true if a tensor of this shape has the type.
    #[inline]
    pub fn admits(&self, shape: &[usize]) -> bool {
        self.has_sizes(shape)
            && match &self.element {
                ElementType::Quantized(quantized) => quantized.fits(shape),
                _ => true,
            }
    }

    /// Returns true if the type leaves a size open.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.shape.contains(&None)
    }
}

/// The number of elements of a tensor of this shape. `None` if it overflows.
#[inline]
pub fn elements(shape: &[usize]) -> Option<usize> {
    shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size))
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// A tensor.
    Tensor(TensorType),
    /// `!stablehlo.token`.
    Token,
    /// `tuple<…>`.
    Tuple(Vec<Type>),
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ElementType::Bool => write!(f, "i1"),
            ElementType::Integer { signed, width } => write!(f, "{}i{width}", if *signed { "" } else { "u" }),
            ElementType::Float(float) => write!(f, "{}", float.name()),
            ElementType::Complex(float) => write!(f, "complex<{}>", float.name()),
            ElementType::Quantized(q) => {
                write!(f, "!quant.uniform<{}", q.storage)?;
                write!(f, "<{}:{}>:{}", q.storage_min, q.storage_max, q.expressed.name())?;
                if let Some(axis) = q.axis {
                    write!(f, ":{axis}")?;
                }
                let mut pairs = q.scales.iter().zip(&q.zero_points);
                let all: Vec<_> = pairs.by_ref().map(|(scale, zero)| format!("{scale}:{zero}")).collect();
                match q.axis {
                    None => write!(f, ", {}>", all.join(",")),
                    Some(_) => write!(f, ", {{{}}}>", all.join(",")),
                }
            }
        }
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "tensor<")?;
        for size in &self.shape {
            match size {
                Some(size) => write!(f, "{size}x")?,
                None => write!(f, "?x")?,
            }
        }
        write!(f, "{}>", self.element)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Type::Tensor(tensor) => write!(f, "{tensor}"),
            Type::Token => write!(f, "!stablehlo.token"),
            Type::Tuple(types) => {
                let types: Vec<_> = types.iter().map(Type::to_string).collect();
                write!(f, "tuple<{}>", types.join(", "))
            }
        }
    }
}
