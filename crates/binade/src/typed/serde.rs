//! Serialisation of typed numbers: as numbers in human-readable formats, as codes in binary ones.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::number::NarrowFloat;
use crate::exact::{Finite, Value};
use crate::flags::Flags;
use crate::round::Projection;
use crate::text;

pub(super) fn serialize<T: NarrowFloat, B: Serialize, S: Serializer>(
    x: T,
    bits: B,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() {
        bits.serialize(serializer)
    } else if x.is_finite() {
        x.to_f32().serialize(serializer)
    } else {
        serializer.collect_str(&x)
    }
}

pub(super) fn deserialize<'de, T, B, D>(deserializer: D) -> Result<T, D::Error>
where
    T: NarrowFloat,
    B: Deserialize<'de> + Into<u64>,
    D: Deserializer<'de>,
{
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(Number(PhantomData))
    } else {
        T::from_code(B::deserialize(deserializer)?.into()).map_err(Error::custom)
    }
}

fn integer(negative: bool, magnitude: u64) -> Value {
    Value::Finite(Finite::new(negative, magnitude as u128, 0))
}

struct Number<T>(PhantomData<T>);

impl<T: NarrowFloat> Number<T> {
    /// Rounds the value. Values that the format cannot represent even so are errors, since they would be read as
    /// something else.
    fn read<E: Error>(&self, value: Value, shown: Unexpected<'_>) -> Result<T, E> {
        let (number, flags) = T::project(value, Projection::default());
        let lost = flags.contains(Flags::OVERFLOW) || (flags.contains(Flags::INVALID) && !number.is_nan());
        let undefined = number.is_nan() && !value.is_nan();
        if lost || undefined { Err(E::invalid_value(shown, self)) } else { Ok(number) }
    }
}

impl<T: NarrowFloat> Visitor<'_> for Number<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number that {} can hold", T::FORMAT)
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<T, E> {
        self.read(Value::from_f64(x), Unexpected::Float(x))
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<T, E> {
        self.read(integer(x < 0, x.unsigned_abs()), Unexpected::Signed(x))
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<T, E> {
        self.read(integer(false, x), Unexpected::Unsigned(x))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let value = text::parse(text).map_err(E::custom)?;
        self.read(value, Unexpected::Str(text))
    }
}
