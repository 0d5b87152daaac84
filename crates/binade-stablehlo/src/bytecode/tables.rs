//! Reads the tables of a file: strings, dialects, names of operations, offsets of attributes and types, resources, properties.

use super::cursor::Cursor;
use super::{Result, malformed};

/// The newest version of bytecode that is supported.
const NEWEST: u64 = 6;

/// The first version in which dialects have versions.
const DIALECT_VERSIONS: u64 = 1;
/// The first version in which the section of dialects has the number of operations.
const OPERATION_COUNT: u64 = 4;
/// The first version in which operations have properties.
const PROPERTIES: u64 = 5;

mod section {
    pub(super) const STRINGS: usize = 0;
    pub(super) const DIALECTS: usize = 1;
    pub(super) const ENTRIES: usize = 2;
    pub(super) const ENTRY_SIZES: usize = 3;
    pub(super) const OPERATIONS: usize = 4;
    pub(super) const RESOURCES: usize = 5;
    pub(super) const RESOURCE_SIZES: usize = 6;
    pub(super) const PROPERTIES: usize = 8;
    pub(super) const COUNT: usize = 9;
}

/// The name of an operation.
pub(super) struct Name {
    /// The name with its dialect.
    pub(super) full: String,
    /// True if the writer had the operation registered: its properties then have their own encoding.
    pub(super) registered: bool,
}

/// An attribute or a type, not yet decoded.
pub(super) struct Entry<'a> {
    pub(super) dialect: usize,
    /// True if it has the dialect's own encoding; otherwise it is text.
    pub(super) own_form: bool,
    pub(super) bytes: Cursor<'a>,
}

/// All tables and the section of operations.
pub(super) struct Tables<'a> {
    pub(super) version: u64,
    pub(super) strings: Vec<&'a [u8]>,
    pub(super) dialects: Vec<String>,
    pub(super) names: Vec<Name>,
    pub(super) attributes: Vec<Entry<'a>>,
    pub(super) types: Vec<Entry<'a>>,
    /// Blobs of the dialects' resources.
    pub(super) resources: Vec<&'a [u8]>,
    pub(super) properties: Vec<Cursor<'a>>,
    pub(super) operations: Cursor<'a>,
}

impl<'a> Tables<'a> {
    pub(super) fn read(file: &'a [u8]) -> Result<Tables<'a>> {
        let mut cursor = Cursor::new(file, 0);
        cursor.take(super::MAGIC.len())?;
        let version = cursor.number()?;
        if version > NEWEST {
            return cursor.fail(format!("version {version}, where {NEWEST} is the newest that is read"));
        }
        cursor.zero_ended()?;
        let mut sections = [None; section::COUNT];
        while !cursor.is_empty() {
            let at = cursor.at();
            let (id, contents) = cursor.section()?;
            match sections.get_mut(usize::from(id)) {
                Some(section @ None) => *section = Some(contents),
                Some(_) => return malformed(at, format!("section {id} again")),
                None => return malformed(at, format!("a section {id}")),
            }
        }
        let end = cursor.at();
        let needed =
            |id: usize| sections[id].map_or_else(|| malformed(end, format!("there is no section {id}")), Ok);
        let strings = strings(needed(section::STRINGS)?)?;
        let (dialects, names) = dialects(needed(section::DIALECTS)?, version, &strings)?;
        let (attributes, types) =
            entries(needed(section::ENTRIES)?, needed(section::ENTRY_SIZES)?, dialects.len())?;
        let resources = match (sections[section::RESOURCES], sections[section::RESOURCE_SIZES]) {
            (Some(contents), Some(sizes)) => resources(contents, sizes, &strings)?,
            _ => vec![],
        };
        let properties = match sections[section::PROPERTIES] {
            Some(mut contents) if !contents.is_empty() => contents.list(|cursor| {
                let size = cursor.index()?;
                cursor.part(size)
            })?,
            _ => vec![],
        };
        let operations = needed(section::OPERATIONS)?;
        Ok(Tables { version, strings, dialects, names, attributes, types, resources, properties, operations })
    }

    /// The string with an index.
    pub(super) fn string(&self, cursor: &mut Cursor<'a>) -> Result<&'a [u8]> {
        let index = cursor.index()?;
        string_at(&self.strings, index, cursor)
    }
}

fn string_at<'a>(strings: &[&'a [u8]], index: usize, cursor: &Cursor<'_>) -> Result<&'a [u8]> {
    strings.get(index).copied().map_or_else(|| cursor.fail(format!("there is no string {index}")), Ok)
}

fn name_at(strings: &[&[u8]], index: usize, cursor: &Cursor<'_>) -> Result<String> {
    Ok(String::from_utf8_lossy(string_at(strings, index, cursor)?).into_owned())
}

/// Reads the sizes from the last string to the first, including zero bytes, then all strings.
fn strings(mut cursor: Cursor<'_>) -> Result<Vec<&[u8]>> {
    let mut sizes = cursor.list(Cursor::index)?;
    sizes.reverse();
    sizes
        .into_iter()
        .map(|size| {
            let string = cursor.take(size)?;
            match string {
                [string @ .., 0] => Ok(string),
                _ => cursor.fail("a string without an end"),
            }
        })
        .collect()
}

fn dialects(mut cursor: Cursor<'_>, version: u64, strings: &[&[u8]]) -> Result<(Vec<String>, Vec<Name>)> {
    let dialects = cursor.list(|cursor| {
        if version < DIALECT_VERSIONS {
            let index = cursor.index()?;
            return name_at(strings, index, cursor);
        }
        let (index, versioned) = cursor.flagged()?;
        let name = name_at(strings, index, cursor)?;
        if versioned {
            cursor.section()?;
        }
        Ok(name)
    })?;
    if version >= OPERATION_COUNT {
        cursor.index()?;
    }
    let mut names = vec![];
    while !cursor.is_empty() {
        let dialect = cursor.index()?;
        let Some(dialect) = dialects.get(dialect) else {
            return cursor.fail(format!("there is no dialect {dialect}"));
        };
        names.extend(cursor.list(|cursor| {
            let (index, registered) = match version {
                PROPERTIES.. => cursor.flagged()?,
                _ => (cursor.index()?, true),
            };
            Ok(Name { full: format!("{dialect}.{}", name_at(strings, index, cursor)?), registered })
        })?);
    }
    Ok((dialects, names))
}

type Entries<'a> = (Vec<Entry<'a>>, Vec<Entry<'a>>);

/// Reads the size of each attribute, then of each type, in groups by dialect.
fn entries<'a>(mut contents: Cursor<'a>, mut sizes: Cursor<'_>, dialects: usize) -> Result<Entries<'a>> {
    let counts = [sizes.count()?, sizes.count()?];
    let [attributes, types] = counts.map(|count| {
        let mut entries = vec![];
        while entries.len() < count {
            let dialect = sizes.index()?;
            if dialect >= dialects {
                return sizes.fail(format!("there is no dialect {dialect}"));
            }
            let group = sizes.count()?;
            if group > count - entries.len() {
                return sizes.fail("more attributes or types than are announced");
            }
            for _ in 0..group {
                let (size, own_form) = sizes.flagged()?;
                entries.push(Entry { dialect, own_form, bytes: contents.part(size)? });
            }
        }
        Ok(entries)
    });
    Ok((attributes?, types?))
}

/// The mark of a resource that is a blob.
const BLOB: u8 = 0;

/// Skips groups of external resources, then reads those of dialects.
fn resources<'a>(
    mut contents: Cursor<'a>,
    mut sizes: Cursor<'_>,
    strings: &[&[u8]],
) -> Result<Vec<&'a [u8]>> {
    let mut blobs = vec![];
    let outside = sizes.count()?;
    let mut group = 0;
    while group < outside || !sizes.is_empty() {
        sizes.index()?;
        for _ in 0..sizes.count()? {
            let key = sizes.index()?;
            string_at(strings, key, &sizes)?;
            let size = sizes.index()?;
            let kind = sizes.byte()?;
            let mut resource = contents.part(size)?;
            if group < outside {
                continue;
            }
            // A resource without bytes is only declared.
            blobs.push(if kind == BLOB && size > 0 {
                let alignment = resource.index()?;
                let length = resource.index()?;
                resource.align(alignment)?;
                resource.take(length)?
            } else {
                &[]
            });
        }
        group += 1;
    }
    Ok(blobs)
}
