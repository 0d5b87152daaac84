//! XLA's protocol buffers, as far as they are needed: the options of a compilation.

use crate::error::Failure;

/// A field's value.
enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The fields of a message with their numbers, as far as it is well formed.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u64, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.number()?;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => Value::Number(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?)),
            2 => {
                let length = usize::try_from(self.number()?).ok()?;
                Value::Bytes(self.bytes(length)?)
            }
            5 => Value::Number(u64::from(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))),
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

/// `CompileOptionsProto`, as far as it is needed.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct CompileOptions {
    /// `env_option_overrides`.
    pub(crate) overrides: Vec<(String, String)>,
    pub(crate) replicas: usize,
    pub(crate) partitions: usize,
    /// For each partition the devices of its replicas; empty if none are given.
    pub(crate) devices: Vec<Vec<i64>>,
}

impl CompileOptions {
    pub(crate) fn read(bytes: &[u8]) -> Result<CompileOptions, Failure> {
        let mut options = CompileOptions { replicas: 1, partitions: 1, ..CompileOptions::default() };
        for (field, value) in Fields(bytes) {
            match (field, value) {
                (3, Value::Bytes(build)) => options.build(build),
                (7, Value::Bytes(entry)) => options.overrides.extend(option(entry)),
                _ => {}
            }
        }
        if !options.devices.is_empty()
            && (options.devices.len() != options.partitions
                || options.devices.iter().any(|replicas| replicas.len() != options.replicas))
        {
            return Err(Failure::Invalid(
                "an assignment of devices of another size than the program's".to_owned(),
            ));
        }
        Ok(options)
    }

    /// `ExecutableBuildOptionsProto`.
    fn build(&mut self, bytes: &[u8]) {
        for (field, value) in Fields(bytes) {
            match (field, value) {
                (4, Value::Number(count)) => self.replicas = usize::try_from(count).unwrap_or(1).max(1),
                (5, Value::Number(count)) => self.partitions = usize::try_from(count).unwrap_or(1).max(1),
                (9, Value::Bytes(assignment)) => self.devices = devices(assignment),
                _ => {}
            }
        }
    }
}

/// An entry of a map from names to `OptionOverrideProto`.
fn option(bytes: &[u8]) -> Option<(String, String)> {
    let (mut name, mut text) = (None, None);
    for (field, value) in Fields(bytes) {
        match (field, value) {
            (1, Value::Bytes(key)) => name = Some(String::from_utf8_lossy(key).into_owned()),
            (2, Value::Bytes(message)) => {
                text = Fields(message).next().map(|(field, value)| match (field, value) {
                    (2, Value::Number(flag)) => (flag != 0).to_string(),
                    (3, Value::Number(number)) => number.cast_signed().to_string(),
                    (_, Value::Number(bits)) => f64::from_bits(bits).to_string(),
                    (_, Value::Bytes(text)) => String::from_utf8_lossy(text).into_owned(),
                });
            }
            _ => {}
        }
    }
    Some((name?, text?))
}

/// `DeviceAssignmentProto`.
fn devices(bytes: &[u8]) -> Vec<Vec<i64>> {
    let mut partitions = vec![];
    for (field, value) in Fields(bytes) {
        let (3, Value::Bytes(partition)) = (field, value) else { continue };
        let mut replicas = vec![];
        for (field, value) in Fields(partition) {
            match (field, value) {
                (1, Value::Number(id)) => replicas.push(id.cast_signed()),
                (1, Value::Bytes(packed)) => {
                    let mut packed = Fields(packed);
                    while let Some(id) = packed.number() {
                        replicas.push(id.cast_signed());
                    }
                }
                _ => {}
            }
        }
        partitions.push(replicas);
    }
    partitions
}

/// `DeviceAssignmentProto` of these devices.
pub(crate) fn assignment(devices: &[Vec<i64>]) -> Vec<u8> {
    let mut bytes = vec![];
    let number = |bytes: &mut Vec<u8>, mut value: u64| {
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
    };
    let replicas = devices.first().map_or(0, Vec::len);
    bytes.push(8);
    number(&mut bytes, replicas as u64);
    bytes.push(16);
    number(&mut bytes, devices.len() as u64);
    for partition in devices {
        let mut packed = vec![];
        partition.iter().for_each(|id| number(&mut packed, id.cast_unsigned()));
        let mut message = vec![10];
        number(&mut message, packed.len() as u64);
        message.extend(packed);
        bytes.push(26);
        number(&mut bytes, message.len() as u64);
        bytes.extend(message);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignment_is_read_as_it_was_written() {
        assert_eq!(assignment(&[vec![0]]), [8, 1, 16, 1, 26, 3, 10, 1, 0]);
        let ids = vec![vec![0, 300], vec![2, 3]];
        assert_eq!(devices(&assignment(&ids)), ids);
    }

    #[test]
    fn options_of_a_function_are_read() {
        // env_option_overrides {"ab": "x"}, and 2 partitions.
        let bytes = [58, 9, 10, 2, b'a', b'b', 18, 3, 10, 1, b'x', 26, 2, 40, 2];
        let options = CompileOptions::read(&bytes).unwrap();
        assert_eq!(options.overrides, [("ab".to_owned(), "x".to_owned())]);
        assert_eq!((options.replicas, options.partitions), (1, 2));
        for end in 0..bytes.len() {
            let _ = CompileOptions::read(&bytes[..end]);
        }
    }
}
