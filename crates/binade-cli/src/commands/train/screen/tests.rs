use std::sync::Mutex;
use std::time::Duration;

use binade_train::record::{CellResult, Epoch, State, Step};
use binade_train::{Cell, Experiment, Length, Model, Observer, Settings};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use super::draw::{COLOURS, draw};
use super::svg::svg;
use super::training_state::{RowState, TrainingState};

fn experiment(arithmetics: &[&str], seeds: u64, length: Length) -> Experiment {
    let names: Vec<String> = arithmetics.iter().map(|name| (*name).to_owned()).collect();
    let settings = Settings { length, ..Settings::default() };
    Experiment::new(Model::load("mlp").unwrap(), None, &names, seeds, settings).unwrap()
}

fn drawn(training: &TrainingState, seconds: u64, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(training, Duration::from_secs(seconds), frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// The characters, a line each.
fn text(buffer: &Buffer) -> String {
    let lines = buffer.content.chunks(usize::from(buffer.area.width)).map(|line| {
        let line: String = line.iter().map(|cell| cell.symbol()).collect();
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn step(number: u64, loss: Option<f64>) -> Step {
    Step {
        cell: 0,
        step: number,
        epoch: number / 50 + 1,
        rate: 0.05,
        loss,
        accuracy: None,
        updates: 100,
        lost: 25,
    }
}

fn ended(cell: usize, state: State, steps: u64) -> CellResult {
    CellResult {
        cell,
        arith: String::new(),
        seed: 0,
        steps,
        loss: Some(0.25),
        accuracy: Some(0.875),
        test_loss: None,
        ranking: None,
        bleu: None,
        in_f32: None,
        state,
        diverged_at: (state == State::Diverged).then(|| steps - 1),
        weights_sha256: String::new(),
        seconds: 1.0,
        phases: vec![],
        epochs: vec![],
        histograms: vec![],
        swamping: vec![],
        biases: vec![],
        not_finite: vec![],
    }
}

/// Six cells: one done, one diverged, one running, the others waiting. A step takes 10 ms.
fn under_way() -> TrainingState {
    let experiment = experiment(&["f32", "bf16:bf16"], 3, Length::Epochs(12));
    let mut training = TrainingState::new(&experiment, &[0, 1, 2, 3, 4, 5]);
    let mut clock = 0;
    let mut steps = |training: &mut TrainingState, cell: usize, count: u64, loss: fn(f64) -> f64| {
        for at in 0..count {
            clock += 10;
            training.step(cell, &step(at, Some(loss(at as f64))), Duration::from_millis(clock));
        }
    };
    steps(&mut training, 0, 600, |at| 0.2 + 2.0 / (1.0 + at / 20.0));
    let epoch = Epoch {
        epoch: 12,
        steps: 600,
        rate: 0.05,
        loss: Some(0.25),
        train_accuracy: None,
        test_loss: Some(0.5),
        accuracy: Some(0.875),
        ranking: None,
        bleu: None,
        lost_updates: None,
    };
    training.epoch(0, &epoch);
    training.finished(&ended(0, State::Done, 600));
    steps(&mut training, 1, 90, |at| 0.2 + 2.0 / (1.0 + at / 20.0));
    training.step(1, &step(90, None), Duration::from_millis(6900));
    training.finished(&ended(1, State::Diverged, 91));
    steps(&mut training, 3, 250, |at| 0.4 + 2.0 / (1.0 + at / 20.0));
    training
}

#[test]
fn running_training_has_curves_and_rows() {
    let training = under_way();
    let states: Vec<RowState> = training.rows.iter().map(|row| row.state).collect();
    use RowState::{Diverged, Done, Running, Waiting};
    assert_eq!(states, [Done, Diverged(90), Waiting, Running, Waiting, Waiting]);
    let buffer = drawn(&training, 10, 110, 30);
    insta::assert_snapshot!(text(&buffer));
    // Both curves are there, in the colours of their rows.
    let dots = |colour: Color| {
        let braille = |symbol: &str| symbol.chars().all(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        buffer.content.iter().filter(|cell| cell.fg == colour && braille(cell.symbol())).count()
    };
    assert!(dots(COLOURS[0]) > 50 && dots(COLOURS[1]) > 20);
    assert!(dots(Color::DarkGray) > 15, "the rate drops twice");
}

#[test]
fn terminal_of_any_size_is_drawn() {
    let mut training = under_way();
    insta::assert_snapshot!(text(&drawn(&training, 10, 60, 10)));
    // The size of a terminal may change between frames.
    for (width, height) in (0..140).step_by(7).flat_map(|width| (0..40).map(move |height| (width, height))) {
        if width > 0 && height > 0 {
            drawn(&training, 10, width, height);
        }
    }
    for by in [100, -300] {
        training.scroll(by);
        drawn(&training, 10, 80, 8);
    }
}

#[test]
fn ended_cells_scroll_out_for_running_ones() {
    let mut training = under_way();
    let first_cell = |training: &TrainingState| {
        let text = text(&drawn(training, 10, 100, 6));
        text.lines().nth(3).unwrap().split_whitespace().take(2).collect::<Vec<_>>().join(" ")
    };
    // Two rows of six: one that has ended, and the first that has not.
    assert_eq!(first_cell(&training), "f32 1");
    (0..4).for_each(|cell| training.finished(&ended(cell, State::Done, 600)));
    assert_eq!(first_cell(&training), "bf16:bf16 0");
    training.scroll(-3);
    assert_eq!(first_cell(&training), "f32 0");
}

#[test]
fn screen_before_the_first_step_and_after_a_stop_says_so() {
    let experiment = experiment(&["f32"], 1, Length::Steps(20));
    let mut training = TrainingState::new(&experiment, &[0]);
    training.synthetic = true;
    assert_eq!(training.left(Duration::from_secs(5)), None);
    let before = text(&drawn(&training, 3, 100, 20));
    assert!(before.contains("SYNTHETIC data: fashion-mnist-small") && before.contains("waiting"), "{before}");
    assert!(before.contains("no results are kept"), "{before}");
    training.step(0, &step(0, Some(1.0)), Duration::from_secs(1));
    training.step(0, &step(1, Some(1.0)), Duration::from_secs(2));
    // 2 of 20 steps in 2 s; and the row, at 1 step a second, has 18 to go.
    assert_eq!(training.left(Duration::from_secs(2)), Some(Duration::from_secs(18)));
    assert_eq!(training.rows[0].left(20), Some(Duration::from_secs(18)));
    assert_eq!(training.curve(0), [(0.5, 0.0), (1.5, 0.0)]);
    training.stopping = true;
    training.finished(&ended(0, State::Running, 2));
    let after = text(&drawn(&training, 3, 100, 20));
    assert!(after.contains("stopped") && after.contains("Ctrl-C again ends at once"), "{after}");
}

#[test]
fn cells_of_a_sweep_show_their_process() {
    let experiment = experiment(&["f32", "bf16:bf16"], 2, Length::Epochs(12));
    let mut training = TrainingState::of_sweep(experiment.facts());
    assert!(!text(&drawn(&training, 1, 150, 30)).contains(" by"));
    training.taken(0, "here:1");
    training.taken(1, "there:2");
    training.step(1, &step(9, Some(0.5)), Duration::from_secs(1));
    training.taken(2, "there:3");
    training.failed(2);
    training.taken(3, "there:4");
    training.free(3);
    let mut result = ended(0, State::Done, 600);
    let epoch = |number: u64| Epoch {
        epoch: number,
        steps: 50 * number,
        rate: 0.05,
        loss: Some(2.0 / number as f64),
        train_accuracy: None,
        test_loss: None,
        accuracy: None,
        ranking: None,
        bleu: None,
        lost_updates: None,
    };
    result.epochs = (1..=12).map(epoch).collect();
    training.ended_elsewhere(&result);
    let states: Vec<_> = training.rows.iter().map(|row| (row.state, row.by.as_deref())).collect();
    use RowState::{Done, Failed, Running, Waiting};
    let there = Some("there:2");
    assert_eq!(
        states,
        [(Done, Some("here:1")), (Running, there), (Failed, Some("there:3")), (Waiting, None)]
    );
    // The curve of one that ended elsewhere is that of its epochs.
    let curve = training.curve(0);
    assert!(curve.len() == 160 && curve[0].1 > curve[159].1, "{curve:?}");
    let drawn = text(&drawn(&training, 1, 150, 30));
    assert!(drawn.contains("running        there:2") && drawn.contains("q leaves"), "{drawn}");
}

#[test]
fn svg_of_a_screen_has_all_dots_and_letters() {
    let buffer = drawn(&under_way(), 10, 110, 30);
    let svg = svg(&buffer);
    let dots: u32 = buffer
        .content
        .iter()
        .filter_map(|cell| cell.symbol().chars().next())
        .filter(|symbol| ('\u{2800}'..='\u{28ff}').contains(symbol))
        .map(|symbol| (symbol as u32 - 0x2800).count_ones())
        .sum();
    assert_eq!(svg.matches("h2.4v2.4").count(), dots as usize);
    assert!(svg.contains(">NaN at 90<") && svg.ends_with("</svg>\n"));
}

/// Draws a training as if each step took 5 ms: times differ between machines, losses and hashes do not.
struct Painter {
    training: Mutex<(TrainingState, Duration)>,
}

impl Observer for Painter {
    fn step(&self, cell: &Cell, step: &Step) {
        let (training, now) = &mut *self.training.lock().unwrap();
        *now += Duration::from_millis(5);
        training.step(cell.number, step, *now);
    }

    fn epoch(&self, cell: &Cell, epoch: &Epoch) {
        self.training.lock().unwrap().0.epoch(cell.number, epoch);
    }

    fn finished(&self, result: &CellResult) {
        // The cell that the stop interrupts is shown as running.
        if result.state != State::Running {
            self.training.lock().unwrap().0.finished(result);
        }
    }
}

/// The picture of the documentation, from a real training: `cargo test -p binade-cli the_picture -- --ignored` writes
/// docs/img/train.svg.
#[test]
#[ignore = "trains for a minute, and writes into docs"]
fn the_picture_of_the_documentation() {
    let experiment = experiment(&binade_train::DEFAULT_ARITHMETICS, 2, Length::Epochs(12));
    // Seed 0 of all arithmetics, then seed 1.
    let numbers: Vec<usize> = (0..2).flat_map(|seed| (seed..10).step_by(2)).collect();
    let painter =
        Painter { training: Mutex::new((TrainingState::new(&experiment, &numbers), Duration::ZERO)) };
    let stop = || painter.training.lock().unwrap().1 >= Duration::from_millis(6 * 600 * 5 + 1700);
    experiment.run(&numbers, 1, &painter, &stop).unwrap();
    let (training, now) = painter.training.into_inner().unwrap();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/img/train.svg");
    std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/img")).unwrap();
    std::fs::write(file, svg(&drawn(&training, now.as_secs(), 116, 34))).unwrap();
}
