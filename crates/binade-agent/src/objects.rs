//! Objects that the dynamic linker loads and unloads: their multiply-adds are found and made to jump to stubs.

use std::collections::BTreeMap;
use std::rc::Rc;

use binade_launch::Lines;
use binade_patch::native::NativeType;
use binade_patch::span::JUMP;
use binade_profile::record::{Counter, Object as ObjectFacts};
use binade_profile::rules::{Choice, Site};
use binade_profile::source::Locate;

use crate::discovery::{self, Mapped};
use crate::functions;
use crate::hooks::{self, Hook};
use crate::memory::{self, Near, NoSpace};
use crate::record::counter_of;
use crate::sites::{Candidate, NO_ROOM, Origin};
use crate::state::{BY_RULE, Object, Pending, State};
use crate::stubs::STUB;

/// Bytes for the moved beginnings of the C library's functions.
const HOOK_ROOM: u64 = 1 << 14;

/// True if a path is that of a part of the C library: `libc.so.6`.
fn is_part(path: &str, part: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_prefix(part).is_some_and(|rest| rest.starts_with(".so."))
}

impl State {
    /// An object has been mapped.
    pub(crate) fn opened(&mut self, pending: Pending) {
        self.pending.push(pending);
    }

    /// The linker has ended with an object: it is about to be unmapped, or the program ends.
    pub(crate) fn closed(&mut self, name: usize) {
        self.pending.retain(|pending| pending.name != name);
        self.ended.push(name);
    }

    /// All objects of one call are mapped, and none of their code has run; or they are unmapped.
    pub(crate) fn consistent(&mut self) {
        // At a program's end all objects stay where they are, and threads and destructors go on in them.
        for name in std::mem::take(&mut self.ended) {
            let unmapped = |object: &Object| memory::read(object.code.start, 1).is_none();
            if self.objects.get(&name).is_some_and(unmapped) {
                self.forget(name);
            }
        }
        let mut pending = std::mem::take(&mut self.pending);
        // Threads must be seen before there is code under the operator.
        pending
            .sort_by_key(|pending| !is_part(&pending.path, "libc") && !is_part(&pending.path, "libpthread"));
        for pending in pending {
            let name = pending.name;
            // What the address named before, if the linker emptied a namespace without saying that its list is consistent.
            self.forget(name);
            if let Some(object) = self.load(pending) {
                self.objects.insert(name, object);
            }
        }
    }

    /// An object is gone.
    fn forget(&mut self, name: usize) {
        if let Some(first) = self.objects.remove(&name).and_then(|object| object.batch) {
            self.sites.remove(first);
        }
    }

    fn load(&mut self, pending: Pending) -> Option<Object> {
        let Pending { path, file, base, main, .. } = pending;
        let source = file;
        let Some(file) = Mapped::open(&source) else {
            self.record.note(&format!("{path} cannot be read: what it computes is native"));
            return None;
        };
        if main && is_part(&path, "libc") {
            self.hook(file.bytes(), base, hooks::ALL);
        }
        if main && (is_part(&path, "libc") || is_part(&path, "libpthread")) {
            self.hook(file.bytes(), base, hooks::THREADS);
        }
        if let Some(names) = &mut self.names {
            names.loaded(file.bytes(), base);
        }
        let swept = discovery::sweep(&file, base, self.kinds, self.config.cache.as_deref())?;
        let mut object = Object { path, code: swept.code.clone(), batch: None };
        let count = swept.sites.iter().map(|site| u64::from(site.multiply_adds)).sum::<u64>();
        let found = count + swept.doubtful + swept.cramped;
        let whole = self.filter.object(&object.path);
        let facts = ObjectFacts {
            path: object.path.clone(),
            code: swept.code.end - swept.code.start,
            left_alone: whole.is_some(),
        };
        let record = self.record_of(&facts);
        for native in NativeType::ALL {
            record.count(counter_of(native), swept.native.of(native));
        }
        record.count(Counter::Tiles, swept.tiles);
        if found == 0 {
            return Some(object);
        }
        record.count(Counter::Found, found);
        self.record.skipped(record, swept.doubtful, "may be data");
        let text_relocations =
            || swept.text_relocations.then(|| "its code is relocated by the linker".to_owned());
        let unseen = || self.threads_unseen.then(|| "its threads are not seen".to_owned());
        // A library of elementary functions may hold the multiply-add itself.
        let refused_whole = whole.clone().filter(|_| !self.filter.is_elementary(&object.path));
        if let Some(why) = refused_whole.or_else(text_relocations).or_else(unseen) {
            self.record.skipped(record, count + swept.cramped, &why);
            return Some(object);
        }
        self.record.skipped(record, swept.cramped, whole.as_deref().unwrap_or(NO_ROOM));
        let mut skipped: BTreeMap<&str, u64> = BTreeMap::new();
        let mut candidates = Vec::with_capacity(swept.sites.len());
        // The sites of a function follow each other.
        let mut last: (Option<&str>, Option<&'static str>) = (None, self.filter.function(None));
        let mut refused = |symbol| {
            if symbol != last.0 {
                last = (symbol, self.filter.function(symbol));
            }
            last.1
        };
        let by_default = self.filter.by_default();
        let itself = |address| {
            let unwound = swept.unwind.and_then(|unwind| unwind.function(address));
            by_default
                && unwound
                    .or_else(|| swept.symbols.range(address))
                    .is_some_and(|range| functions::is_multiply_add(&range))
        };
        let rules = self.rules.of_object(&object.path);
        let lines = rules.needs_lines().then(Lines::new);
        let choose = |address: u64, symbol: Option<&str>| {
            let start = || {
                let unwound = swept.unwind.and_then(|unwind| unwind.function(address));
                let around = || functions::around(address, &swept.code, swept.unwind, |_| None).1;
                unwound.unwrap_or_else(around).start.wrapping_sub(swept.symbols.base())
            };
            let address = address.wrapping_sub(swept.symbols.base());
            let lines = || {
                let frames = lines.as_ref().map_or_else(Vec::new, |lines| lines.frames(&source, address));
                frames.into_iter().map(|frame| (frame.file, frame.line)).collect()
            };
            rules.choose(&Site { generated: false, symbol, start: &start, address, lines: &lines })
        };
        let by_function = rules.is_by_function();
        let mut last_choice: Option<(&str, (Choice, Option<usize>))> = None;
        let mut hits: BTreeMap<usize, u64> = BTreeMap::new();
        for site in &swept.sites {
            // SAFETY: the object is mapped, and its code readable.
            let bytes = unsafe { memory::view(site.address..site.address + site.bytes.len() as u64) };
            let why = if bytes == site.bytes {
                let by_name = || refused(swept.symbols.at(site.address));
                whole.as_deref().or_else(by_name).filter(|_| !itself(site.address))
            } else {
                Some("the code is not that of the file")
            };
            match why {
                Some(why) => *skipped.entry(why).or_default() += u64::from(site.multiply_adds),
                None => {
                    let symbol = swept.symbols.at(site.address);
                    let (choice, rule) = match (last_choice, symbol) {
                        (Some((last, choice)), Some(symbol)) if by_function && last == symbol => choice,
                        _ => choose(site.address, symbol),
                    };
                    last_choice = symbol.map(|symbol| (symbol, (choice, rule)));
                    if let Some(rule) = rule {
                        *hits.entry(rule).or_default() += u64::from(site.multiply_adds);
                    }
                    match choice {
                        Some(operator) => candidates.push(Candidate::new(site.address, bytes, operator)),
                        None => *skipped.entry(BY_RULE).or_default() += u64::from(site.multiply_adds),
                    }
                }
            }
        }
        for (rule, count) in hits {
            self.record.rule(record, rule, count);
        }
        let count = count - skipped.values().sum::<u64>();
        for (why, count) in skipped {
            self.record.skipped(record, count, why);
        }
        if let (Some(first), Some(last)) = (candidates.first(), candidates.last()) {
            let text = first.address..last.address + JUMP as u64;
            let elementary = self.config.elementary || self.filter.is_named_elementary(&object.path);
            let (symbols, unwind) = (Rc::new(swept.symbols), swept.unwind);
            let origin = Origin { symbols, unwind, elementary, mapping: 0 };
            match self.sites.add(swept.code, &candidates, false, record, origin) {
                None => self.record.skipped(record, count, self.sites.no_space()),
                Some(stubs) if !memory::protect(text.clone(), libc::PROT_READ | libc::PROT_WRITE) => {
                    self.sites.remove(stubs);
                    self.record.skipped(record, count, "the code cannot be written");
                }
                Some(stubs) => {
                    for (number, candidate) in candidates.iter().enumerate() {
                        let stub = stubs + number as u64 * STUB;
                        // SAFETY: writable, and no thread runs the code of an object before it is consistent.
                        unsafe { memory::write(candidate.address, &memory::jump(candidate.address, stub)) };
                    }
                    memory::protect(text, libc::PROT_READ | libc::PROT_EXEC);
                    record.count(Counter::Patched, count);
                    object.batch = Some(stubs);
                }
            }
        }
        Some(object)
    }

    /// Replaces functions of the C library. Where it starts threads unseen, nothing is changed from then on: they would share
    /// their parent's workspaces.
    fn hook(&mut self, library: &[u8], base: u64, hooks: &[Hook]) {
        if let Err(why) = self.replace(library, base, hooks) {
            self.record
                .note(&format!("the C library {why}: generated code and cleared environments are not seen"));
            self.threads_unseen = true;
            if why == NoSpace::Refused.of_hooks() {
                let text =
                    memory::no_memory("hooks in the C library, without which multiply-adds stay native");
                self.record.failure(&text);
            }
        }
    }

    fn replace(&mut self, library: &[u8], base: u64, hooks: &[Hook]) -> Result<(), &'static str> {
        let (text, functions) = discovery::exported(library, base).ok_or("is not understood")?;
        let mut near = Near::reserve(&text, HOOK_ROOM).map_err(NoSpace::of_hooks)?;
        if !memory::protect(text.clone(), libc::PROT_READ | libc::PROT_WRITE) {
            return Err("cannot be written");
        }
        for hook in hooks.iter().filter(|hook| !hook.is_placed()) {
            let address = hook.names.iter().find_map(|name| functions.get(name));
            if address.is_none() && hook.is_elsewhere() {
                continue;
            }
            if !address.is_some_and(|&address| hooks::replace(hook, address, &text, &mut near)) {
                self.record.note(&format!("the C library's {} is not seen", hook.names[0]));
                self.threads_unseen |= hook.is_elsewhere();
            }
        }
        memory::protect(text, libc::PROT_READ | libc::PROT_EXEC);
        Ok(())
    }
}
