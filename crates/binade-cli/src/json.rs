//! Writes JSON in which control characters of terminals are escaped; a reader of JSON sees the same text.

use std::io::{self, Write};

use binade::text::printable;
use serde::Serialize;
#[cfg(feature = "hlo")]
use serde_json::ser::CompactFormatter;
use serde_json::ser::{Formatter, PrettyFormatter, Serializer};

/// A formatter whose strings have no character that [`printable`] escapes.
struct Escaping<F>(F);

/// Forwards methods to the inner formatter.
macro_rules! inner {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, writer: &mut W, $($argument: $kind),*) -> io::Result<()> {
            self.0.$name(writer, $($argument),*)
        })*
    };
}

impl<F: Formatter> Formatter for Escaping<F> {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        for c in fragment.chars() {
            let mut bytes = [0; 4];
            let text = &*c.encode_utf8(&mut bytes);
            if printable(text) == text {
                writer.write_all(text.as_bytes())?;
            } else {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(writer, "\\u{unit:04x}"))?;
            }
        }
        Ok(())
    }

    inner! {
        begin_array();
        end_array();
        begin_array_value(first: bool);
        end_array_value();
        begin_object();
        end_object();
        begin_object_key(first: bool);
        end_object_key();
        begin_object_value();
        end_object_value();
    }
}

/// Writes a document with one value on each line.
pub(crate) fn to_writer_pretty(out: impl Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping(PrettyFormatter::new())))
}

/// Writes a document on one line.
#[cfg(feature = "hlo")]
pub(crate) fn to_writer(out: impl Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, Escaping(CompactFormatter)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_is_that_of_serde_json_with_control_characters_escaped() {
        let value = serde_json::json!({
            "a\u{202e}b": ["\u{1b}[31m", "\u{9b}", "\u{e0041}", "\n\t\"\\", "模型 \u{1f600}"],
            "numbers": [1, 2.5, null, true, {}, []],
        });
        let mut text = vec![];
        to_writer_pretty(&mut text, &value).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
        assert!(text.lines().all(|line| printable(line) == line), "{text}");
        assert!(
            text.contains("a\\u202eb") && text.contains("\\udb40\\udc41") && text.contains("模型 \u{1f600}"),
            "{text}"
        );
        let plain = serde_json::json!({"numbers": [1, 2.5, null, {"x": [], "y": {}}], "text": "ä\n"});
        let mut ours = vec![];
        to_writer_pretty(&mut ours, &plain).unwrap();
        assert_eq!(ours, serde_json::to_vec_pretty(&plain).unwrap());
    }
}
