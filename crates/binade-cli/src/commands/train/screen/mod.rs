//! The live screen of a training on a terminal: loss curves, a row for each cell, keys.
//!
//! A thread of its own draws and listens to keys; trainings tell a [`Picture`] what happens. The terminal is as before on every
//! way out: at the end, on an error, on a panic (whose message is then seen), and when a second Ctrl-C ends the process.

mod draw;
mod picture;
#[cfg(test)]
mod svg;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal, Stderr};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};

use crate::{progress, terminal};
pub(super) use picture::Picture;

/// How often the screen is drawn.
const FRAME: Duration = Duration::from_millis(150);

/// Whether the terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A live screen, until it is dropped.
pub(super) struct Screen {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    began: Instant,
    picture: Mutex<Picture>,
    ended: AtomicBool,
}

/// Whether a live screen is wanted where standard error is.
pub(super) fn wanted() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !dumb && !plain
}

impl Screen {
    /// Takes the terminal; none if it has no raw mode or no alternate screen.
    pub(super) fn begin(picture: Picture) -> Option<Screen> {
        let terminal = take().ok()?;
        let shared = Arc::new(Shared {
            began: Instant::now(),
            picture: Mutex::new(picture),
            ended: AtomicBool::new(false),
        });
        let drawn = Arc::clone(&shared);
        let thread = std::thread::Builder::new().spawn(move || show(terminal, &drawn));
        match thread {
            Ok(thread) => Some(Screen { shared, thread: Some(thread) }),
            Err(_) => {
                restore();
                None
            }
        }
    }

    /// Tells what happens, and when.
    pub(super) fn tell(&self, work: impl FnOnce(&mut Picture, Duration)) {
        let now = self.shared.began.elapsed();
        work(&mut self.shared.picture(), now);
    }
}

impl Shared {
    fn picture(&self) -> MutexGuard<'_, Picture> {
        self.picture.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        restore();
    }
}

fn take() -> io::Result<Terminal<CrosstermBackend<Stderr>>> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        progress::before_exit(restore);
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |facts| {
            restore();
            before(facts);
        }));
    });
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    terminal::hold();
    execute!(io::stderr(), EnterAlternateScreen, cursor::Hide)
        .and_then(|()| Terminal::new(CrosstermBackend::new(io::stderr())))
        .inspect_err(|_| restore())
}

/// Gives the terminal back, once. A terminal that is gone needs nothing.
fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stderr(), LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
        terminal::release();
    }
}

/// Draws until training has ended, or the terminal is gone. A resized terminal is drawn anew: each frame asks for its size.
fn show(mut terminal: Terminal<CrosstermBackend<Stderr>>, shared: &Shared) {
    while !shared.ended.load(Ordering::Relaxed) && TAKEN.load(Ordering::SeqCst) {
        // A slow terminal keeps no training waiting.
        let mut picture = shared.picture().clone();
        picture.stopping = progress::interrupted();
        let drawn = terminal.draw(|frame| draw::draw(&picture, shared.began.elapsed(), frame)).map(|_| ());
        if drawn.and_then(|()| listen(shared)).is_err() {
            break;
        }
    }
}

/// Waits for keys until the next frame.
fn listen(shared: &Shared) -> io::Result<()> {
    let next = Instant::now() + FRAME;
    while event::poll(next.saturating_duration_since(Instant::now()))? {
        let Event::Key(key) = event::read()? else {
            // A new size shall be seen at once.
            return Ok(());
        };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            // In raw mode Ctrl-C is a key.
            KeyCode::Char('c') if control => progress::interrupt(),
            KeyCode::Char('q') if !progress::interrupted() => progress::interrupt(),
            KeyCode::Up => shared.picture().scroll(-1),
            KeyCode::Down => shared.picture().scroll(1),
            _ => {}
        }
    }
    Ok(())
}
