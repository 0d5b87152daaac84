//! Shows the live screen of a training on a terminal: loss curves, a row for each cell, keys.
//!
//! A thread draws the screen and reads keys; trainings update a [`TrainingState`]. The terminal is restored at the end, on an error,
//! on a panic (so that its message is readable), and when a second Ctrl-C ends the process.

mod draw;
#[cfg(test)]
mod svg;
#[cfg(test)]
mod tests;
mod training_state;

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
pub(super) use training_state::TrainingState;

/// The time between frames.
const FRAME: Duration = Duration::from_millis(150);

/// True while the live screen has the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A live screen, until it is dropped.
pub(super) struct Screen {
    shared: Arc<SharedState>,
    thread: Option<JoinHandle<()>>,
}

struct SharedState {
    began: Instant,
    training: Mutex<TrainingState>,
    ended: AtomicBool,
}

/// Returns true if standard error is a terminal that can have a live screen.
pub(super) fn wanted() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    io::stderr().is_terminal() && !dumb && !plain
}

impl Screen {
    /// Takes the terminal; `None` if it has no raw mode or no alternate screen.
    pub(super) fn begin(training: TrainingState) -> Option<Screen> {
        let terminal = take().ok()?;
        let shared = Arc::new(SharedState {
            began: Instant::now(),
            training: Mutex::new(training),
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

    /// Updates the state of the training, with the time since the screen began.
    pub(super) fn tell(&self, work: impl FnOnce(&mut TrainingState, Duration)) {
        let now = self.shared.began.elapsed();
        work(&mut self.shared.training(), now);
    }
}

impl SharedState {
    fn training(&self) -> MutexGuard<'_, TrainingState> {
        self.training.lock().unwrap_or_else(PoisonError::into_inner)
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
    terminal::buffer_messages();
    execute!(io::stderr(), EnterAlternateScreen, cursor::Hide)
        .and_then(|()| Terminal::new(CrosstermBackend::new(io::stderr())))
        .inspect_err(|_| restore())
}

/// Restores the terminal, once.
fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(io::stderr(), LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
        terminal::flush_messages();
    }
}

/// Draws until training has ended, or the terminal fails. Each frame queries the size of the terminal.
fn show(mut terminal: Terminal<CrosstermBackend<Stderr>>, shared: &SharedState) {
    while !shared.ended.load(Ordering::Relaxed) && TAKEN.load(Ordering::SeqCst) {
        // The copy lets training go on while a slow terminal draws.
        let mut training = shared.training().clone();
        training.stopping = progress::interrupted();
        let drawn = terminal.draw(|frame| draw::draw(&training, shared.began.elapsed(), frame)).map(|_| ());
        if drawn.and_then(|()| listen(shared)).is_err() {
            break;
        }
    }
}

/// Waits for keys until the next frame.
fn listen(shared: &SharedState) -> io::Result<()> {
    let next = Instant::now() + FRAME;
    while event::poll(next.saturating_duration_since(Instant::now()))? {
        let Event::Key(key) = event::read()? else {
            // A new size is drawn at once.
            return Ok(());
        };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            // In raw mode, Ctrl-C is a key.
            KeyCode::Char('c') if control => progress::interrupt(),
            KeyCode::Char('q') if !progress::interrupted() => progress::interrupt(),
            KeyCode::Up => shared.training().scroll(-1),
            KeyCode::Down => shared.training().scroll(1),
            _ => {}
        }
    }
    Ok(())
}
