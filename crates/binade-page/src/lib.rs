//! HTML pages and SVG plots of binade's reports.
//!
//! A [`Page`] is one HTML file that needs nothing from outside. It is made of [`Markup`], which escapes the text that it is given, so
//! that no name of a tensor, function or file can break out. A [`Drawing`] is a picture in SVG, for a page or as a file of
//! its own; [`charts`] draws whole plots.
//!
//! ```
//! use binade_page::{Column, Markup, Page, Table};
//!
//! let mut page = Page::new("a < b");
//! let mut table = Table::new([Column::name("tensor"), Column::number("bytes")]);
//! table.row(["layer1.weight".into(), Markup::from("4096")]);
//! page.table(table);
//! assert!(page.finish().contains("<h1>a &lt; b</h1>"));
//! ```
#![forbid(unsafe_code)]

pub mod charts;
mod drawing;
mod markup;
mod page;
mod statistics;

pub use drawing::{Axis, COLOURS, Drawing, Theme, colour};
pub use markup::{Column, Markup, Table, escaped, grouped};
pub use page::{Page, STYLE};
pub use statistics::median;
