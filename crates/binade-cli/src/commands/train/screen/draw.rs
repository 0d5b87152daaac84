//! Draws the widgets of the live screen: model and data, the chart of losses, a row for each cell, the keys.

use std::time::Duration;

use binade_train::{Measure, number_text, percent_text, rate_text};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Paragraph, Row as TableRow, Table};

use super::training_state::{Row, RowState, TrainingState};
use crate::error::printable;

/// The colours of arithmetics, for curves and rows. They repeat if there are more arithmetics.
pub(super) const COLOURS: [Color; 12] = [
    Color::Cyan,
    Color::Yellow,
    Color::Red,
    Color::Green,
    Color::Magenta,
    Color::Blue,
    Color::LightRed,
    Color::LightGreen,
    Color::LightMagenta,
    Color::LightYellow,
    Color::LightCyan,
    Color::LightBlue,
];

/// The least height of the chart; below it, the rows have all lines.
const LEAST_CHART: u16 = 8;
/// The numbers of lines above the chart, and below the rows.
const HEAD: u16 = 2;
const FOOT: u16 = 1;
/// The width of a progress bar, in characters.
const BAR: usize = 10;

fn colour(arithmetic: usize) -> Color {
    COLOURS[arithmetic % COLOURS.len()]
}

fn quiet() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// Draws a frame at the time `now` since the screen began.
pub(super) fn draw(training: &TrainingState, now: Duration, frame: &mut Frame<'_>) {
    let area = frame.area();
    let free = area.height.saturating_sub(HEAD + FOOT);
    let rows = (training.rows.len() as u16).saturating_add(1);
    let most = if free >= LEAST_CHART + 3 { rows.min((free - LEAST_CHART).max(free / 2)) } else { free };
    let chart = if free - most >= LEAST_CHART { free - most } else { 0 };
    let parts = [HEAD, chart, free - chart, FOOT].map(Constraint::Length);
    let [head, chart, rows, foot] = Layout::vertical(parts).areas(area);
    draw_head(training, now, frame, head);
    if chart.height > 0 {
        draw_chart(training, frame, chart);
    }
    draw_rows(training, frame, rows);
    draw_foot(training, frame, foot);
}

fn draw_head(training: &TrainingState, now: Duration, frame: &mut Frame<'_>, area: Rect) {
    let left = training.left(now).filter(|left| !left.is_zero());
    let facts = format!(
        "   {} of {} cells   {}{}",
        training.ended(),
        training.rows.len(),
        time(now),
        left.map_or(String::new(), |left| format!(", about {} left", time(left))),
    );
    let model = Span::styled(printable(&training.model), Style::new().add_modifier(Modifier::BOLD));
    let scope = Span::raw(format!("   scope {}", training.scope));
    let mut data = vec![];
    if training.synthetic {
        let style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
        data.push(Span::styled("SYNTHETIC data: ", style));
    }
    data.push(Span::styled(printable(&training.data), quiet()));
    let lines = vec![Line::from(vec![model, scope, Span::raw(facts)]), Line::from(data)];
    frame.render_widget(Paragraph::new(lines), area);
}

fn draw_chart(training: &TrainingState, frame: &mut Frame<'_>, area: Rect) {
    let curves: Vec<Vec<(f64, f64)>> = (0..training.arithmetics.len()).map(|at| training.curve(at)).collect();
    let heights = || curves.iter().flatten().map(|(_, y)| *y);
    let least = heights().reduce(f64::min);
    let greatest = heights().reduce(f64::max);
    let (low, high) = match least.zip(greatest) {
        // A curve of equal losses is in the middle.
        Some((least, greatest)) if greatest - least < 0.02 => (least - 0.01, greatest + 0.01),
        Some(range) => range,
        None => (-1.0, 0.0),
    };
    let drops: Vec<Vec<(f64, f64)>> =
        training.drops.iter().map(|step| vec![(*step as f64, low), (*step as f64, high)]).collect();
    let mut lines: Vec<Dataset<'_>> = vec![];
    for drop in &drops {
        let line = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line);
        lines.push(line.style(Style::new().fg(Color::DarkGray)).data(drop));
    }
    for (at, curve) in curves.iter().enumerate() {
        let line = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line);
        lines.push(line.style(Style::new().fg(colour(at))).data(curve));
    }
    let known = least.is_some();
    let label = |height: f64| if known { number_text(10_f64.powf(height)) } else { String::new() };
    let end = training.steps as f64;
    let about = if training.drops.is_empty() { "" } else { "; upright lines: the rate drops" };
    let y = Axis::default()
        .title(Span::styled(format!("training loss, mean over seeds (log{about})"), quiet()))
        .bounds([low, high])
        .labels([label(low), label((low + high) / 2.0), label(high)]);
    let x = Axis::default()
        .title(Span::styled(if epochs(training) { "epoch" } else { "step" }, quiet()))
        .bounds([0.0, end])
        .labels([place(training, 0.0), place(training, end / 2.0), place(training, end)]);
    frame.render_widget(Chart::new(lines).x_axis(x).y_axis(y).legend_position(None), area);
}

/// Returns true if the axis is in epochs.
fn epochs(training: &TrainingState) -> bool {
    training.steps > training.steps_per_epoch
}

fn place(training: &TrainingState, steps: f64) -> String {
    if !epochs(training) {
        return format!("{steps:.0}");
    }
    let text = format!("{:.1}", steps / training.steps_per_epoch as f64);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn draw_rows(training: &TrainingState, frame: &mut Frame<'_>, area: Rect) {
    let measure = Measure::of_epochs(training.rows.iter().filter_map(|row| row.epoch.as_ref()));
    let head = [
        "arithmetic",
        "seed",
        "progress",
        "loss",
        measure.short,
        "lost",
        "rate",
        "samples/s",
        "left",
        "state",
        "by",
    ];
    let names = training.arithmetics.iter().map(|name| printable(name).chars().count()).max().unwrap_or(0);
    let by = training.rows.iter().filter_map(|row| row.by.as_ref()).map(|by| by.chars().count()).max();
    let widths = [names.clamp(10, 30), 4, BAR + 6, 8, 9, 7, 8, 9, 8, 14, by.unwrap_or(0).min(30)];
    // The last column is shown only if other processes train.
    let columns = if by.is_some() { head.len() } else { head.len() - 1 };
    let shown = usize::from(area.height.saturating_sub(1));
    let rows: Vec<TableRow<'_>> = training
        .rows
        .iter()
        .skip(first_row(training, shown))
        .take(shown)
        .map(|row| table_row(training, row, measure))
        .collect();
    let widths = widths.map(|width| Constraint::Length(width as u16));
    let head = TableRow::new(head[..columns].to_vec()).style(quiet());
    let table = Table::new(rows, &widths[..columns]).column_spacing(1).header(head);
    frame.render_widget(table, area);
}

/// The index of the first row shown. Ended cells scroll out for running ones, and the user may move the list.
fn first_row(training: &TrainingState, shown: usize) -> usize {
    let last = training.rows.len().saturating_sub(shown);
    let working = training.rows.iter().position(|row| !row.ended()).unwrap_or(training.rows.len());
    let first = working.saturating_sub(1).min(last);
    first.saturating_add_signed(training.scrolled as isize).min(last)
}

fn table_row(training: &TrainingState, row: &Row, measure: &Measure) -> TableRow<'static> {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let test = row.epoch.as_ref().and_then(measure.of_epoch);
    let samples = row.speed().map(|speed| format!("{:.0}", speed * training.batch as f64));
    let (state, style) = match row.state {
        RowState::Waiting => ("waiting".to_owned(), quiet()),
        RowState::Running => ("running".to_owned(), Style::new()),
        RowState::Done => ("done".to_owned(), Style::new().fg(Color::Green)),
        RowState::Stopped => ("stopped".to_owned(), Style::new().fg(Color::Yellow)),
        RowState::Failed => ("failed".to_owned(), Style::new().fg(Color::Red).add_modifier(Modifier::BOLD)),
        RowState::Diverged(step) => {
            (format!("NaN at {step}"), Style::new().fg(Color::Red).add_modifier(Modifier::BOLD))
        }
    };
    let name = Span::styled(
        printable(&training.arithmetics[row.arithmetic]),
        Style::new().fg(colour(row.arithmetic)).add_modifier(Modifier::BOLD),
    );
    TableRow::new([
        Line::from(name),
        Line::from(row.seed.to_string()),
        Line::from(progress(row.position as f64 / training.steps.max(1) as f64)),
        Line::from(or_dash(row.loss.map(number_text))),
        Line::from(or_dash(test.map(measure.text))),
        Line::from(or_dash(row.lost.map(percent_text))),
        Line::from(or_dash(row.rate.map(|rate| rate_text(f64::from(rate))))),
        Line::from(or_dash(samples)),
        Line::from(or_dash(row.left(training.steps).map(time))),
        Line::from(Span::styled(state, style)),
        Line::from(Span::styled(printable(row.by.as_deref().unwrap_or("")), quiet())),
    ])
}

/// A progress bar with its percentage.
fn progress(share: f64) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (8 * BAR) as f64) as usize;
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
    let bar = format!("{}{partial}", "█".repeat(eighths / 8));
    format!("{bar:░<BAR$} {:>3.0} %", (100.0 * share).floor())
}

/// A time as `h:mm:ss` or `m:ss`.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match hours {
        0 => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

fn draw_foot(training: &TrainingState, frame: &mut Frame<'_>, area: Rect) {
    let text = match training.stopping {
        true => "stopping after the current steps; Ctrl-C again ends at once".to_owned(),
        false => format!("{}   ↑ ↓ other cells", training.leaving),
    };
    frame.render_widget(Paragraph::new(Span::styled(text, quiet())), area);
}
