//! The [analysis of an object](crate::sites::sweep) as bytes, to be kept between starts.
//!
//! Little-endian: the magic, a checksum of all that follows, then the [`key`] and its length, sites, and functions, each counted.
//! The key has what the analysis depends on: the object's build id, length and headers, or, where it has no build id, what tells
//! files apart; and the kinds of sites. A caller that keeps analyses must keep those of different builds of this library apart.

use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Endianness, Object};

use crate::native::{NativeCounts, NativeType};
use crate::sites::{Confidence, Function, Kinds, Site, Sweep};
use crate::span;

const MAGIC: [u8; 8] = *b"binade a";

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Everything that the analysis of an object depends on; `None` if it is not an object. `stamp` tells its file from others and from what it
/// was before, for objects without a build id.
pub fn key(file: &[u8], kinds: Kinds, stamp: &[u64]) -> Option<Vec<u8>> {
    let object = ElfFile64::<Endianness>::parse(file).ok()?;
    let (endian, header) = (object.endian(), object.elf_header());
    let mut key = Vec::new();
    match object.build_id() {
        Ok(Some(id)) if !id.is_empty() => {
            key.push(1);
            key.extend(id);
        }
        _ => {
            key.push(0);
            stamp.iter().for_each(|word| key.extend(word.to_le_bytes()));
        }
    }
    // Tools that move segments leave the build id.
    let mut layout = Vec::new();
    for segment in object.elf_program_headers() {
        layout.extend([segment.p_offset(endian), segment.p_vaddr(endian), segment.p_filesz(endian)]);
    }
    let sections = usize::try_from(header.e_shoff(endian)).ok()?;
    let length = usize::from(header.e_shnum(endian)) * usize::from(header.e_shentsize(endian));
    let table = file.get(sections..sections.checked_add(length)?)?;
    layout.extend([hash(table), file.len() as u64]);
    layout.iter().for_each(|word| key.extend(word.to_le_bytes()));
    let Kinds { multiply, add, double, dot } = kinds;
    key.extend([multiply, add, double, dot].map(u8::from));
    Some(key)
}

/// The name of the file that has the analysis with a key. Two keys may share it: then the last that was kept is there.
pub fn file_name(key: &[u8]) -> String {
    format!("{:016x}", hash(key))
}

/// An analysis as bytes.
pub fn encode(sweep: &Sweep, key: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    let text = |body: &mut Vec<u8>, bytes: &[u8]| {
        body.extend((bytes.len() as u32).to_le_bytes());
        body.extend(bytes);
    };
    text(&mut body, key);
    body.extend((sweep.sites.len() as u32).to_le_bytes());
    for site in &sweep.sites {
        body.extend(site.address.to_le_bytes());
        body.extend(site.function.unwrap_or(u32::MAX).to_le_bytes());
        body.extend([site.span.unwrap_or(0), site.multiply_adds, site.confidence as u8]);
    }
    body.extend((sweep.functions.len() as u32).to_le_bytes());
    for function in &sweep.functions {
        body.extend(function.start.to_le_bytes());
        body.extend(function.end.to_le_bytes());
        text(&mut body, function.name.as_bytes());
    }
    NativeType::ALL.into_iter().for_each(|native| body.extend(sweep.native.of(native).to_le_bytes()));
    [&MAGIC[..], &hash(&body).to_le_bytes(), &body].concat()
}

/// The bytes left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn byte(&mut self) -> Option<u8> {
        self.bytes(1).map(|byte| byte[0])
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.bytes(4)?.try_into().ok()?))
    }

    fn long(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.bytes(8)?.try_into().ok()?))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.word()?;
        self.bytes(length as usize)
    }

    /// As many things as it says.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.word()?;
        (0..count).map(|_| one(self)).collect()
    }
}

/// The analysis that was kept with this key; nothing if it is another's, or damaged.
pub fn decode(bytes: &[u8], key: &[u8]) -> Option<Sweep> {
    let mut reader = Reader(bytes);
    if reader.bytes(8)? != MAGIC || reader.long()? != hash(reader.0) || reader.text()? != key {
        return None;
    }
    let sites = reader.list(|reader| {
        let (address, function) = (reader.long()?, reader.word()?);
        let (span, multiply_adds, confidence) = (reader.byte()?, reader.byte()?, reader.byte()?);
        let confidence = [Confidence::Doubtful, Confidence::Likely, Confidence::Certain]
            .into_iter()
            .find(|known| *known as u8 == confidence)?;
        let function = Some(function).filter(|&function| function != u32::MAX);
        Some(Site {
            address,
            span: Some(span).filter(|&span| span != 0),
            multiply_adds,
            confidence,
            function,
        })
    })?;
    let functions = reader.list(|reader| {
        let (start, end) = (reader.long()?, reader.long()?);
        Some(Function { start, end, name: String::from_utf8(reader.text()?.to_vec()).ok()? })
    })?;
    let native = NativeCounts::from_fn(|_| reader.long())?;
    let ordered = sites.is_sorted_by(|a, b| a.address < b.address);
    let known = |site: &Site| site.function.is_none_or(|function| (function as usize) < functions.len());
    let long = |site: &Site| site.span.is_none_or(|span| (span::JUMP..=span::LONGEST).contains(&span.into()));
    (reader.0.is_empty() && ordered && sites.iter().all(|site| known(site) && long(site))).then_some(Sweep {
        sites,
        functions,
        native,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Sweep {
        let site = |address, span, confidence, function| Site {
            address,
            span,
            multiply_adds: 1,
            confidence,
            function,
        };
        Sweep {
            sites: vec![
                site(0x1000, Some(5), Confidence::Certain, Some(0)),
                site(0x1010, None, Confidence::Likely, Some(1)),
                site(0x1020, Some(19), Confidence::Doubtful, None),
            ],
            functions: vec![
                Function { start: 0x1000, end: 0x1010, name: "first".into() },
                Function { start: 0x1010, end: 0x1020, name: String::new() },
            ],
            native: NativeCounts::from_fn(|native| Some(native as u64 + 7)).unwrap(),
        }
    }

    #[test]
    fn encoded_analysis_is_decoded_as_it_was() {
        let back = decode(&encode(&sample(), b"key"), b"key").unwrap();
        assert_eq!((&back.sites, &back.functions), (&sample().sites, &sample().functions));
        assert_eq!(back.native, sample().native);
        let empty = decode(&encode(&Sweep::default(), b""), b"").unwrap();
        assert!(empty.sites.is_empty() && empty.functions.is_empty());
    }

    #[test]
    fn other_keys_and_damage_are_refused() {
        let bytes = encode(&sample(), b"key");
        assert!(decode(&bytes, b"kez").is_none());
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length], b"key").is_none(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(decode(&damaged, b"key").is_none(), "{at}");
        }
        assert!(decode(&[&bytes[..], &[0]].concat(), b"key").is_none());
    }

    /// Right checksums do not make sense of nonsense.
    #[test]
    fn impossible_analyses_are_refused() {
        let refused = |change: fn(&mut Sweep)| {
            let mut sweep = sample();
            change(&mut sweep);
            assert!(decode(&encode(&sweep, b"key"), b"key").is_none());
        };
        refused(|sweep| sweep.sites[0].function = Some(2));
        refused(|sweep| sweep.sites[0].span = Some(4));
        refused(|sweep| sweep.sites[0].span = Some(20));
        refused(|sweep| sweep.sites[1].address = 0x1000);
        // A count of more than there is.
        let mut bytes = encode(&sample(), b"key");
        bytes[16 + 4 + 3..][..4].copy_from_slice(&u32::MAX.to_le_bytes());
        let sum = hash(&bytes[16..]).to_le_bytes();
        bytes[8..16].copy_from_slice(&sum);
        assert!(decode(&bytes, b"key").is_none());
    }

    #[test]
    fn keys_tell_objects_and_kinds_apart() {
        let own = std::fs::read("/proc/self/exe").unwrap();
        let plain = key(&own, Kinds::default(), &[1]).unwrap();
        assert_eq!(key(&own, Kinds::default(), &[1]), Some(plain.clone()));
        assert_ne!(key(&own, Kinds { add: true, ..Kinds::default() }, &[1]), Some(plain.clone()));
        assert_ne!(key(&own[..own.len() - 1], Kinds::default(), &[1]), Some(plain));
        assert_eq!(key(b"", Kinds::default(), &[]), None);
        assert_eq!(key(b"\x7fELF\x02\x01\x01", Kinds::default(), &[]), None);
    }
}
