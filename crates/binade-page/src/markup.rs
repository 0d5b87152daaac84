//! HTML whose text is escaped, and tables of it.

use std::fmt::Write;

/// Text as HTML and SVG write it, in content and in quoted attributes.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// A number with separators: 8388608 as 8,388,608.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A piece of HTML. Text becomes markup by `From`, which escapes it.
#[derive(Clone, Debug, Default)]
pub struct Markup(String);

impl From<&str> for Markup {
    fn from(text: &str) -> Markup {
        Markup(escaped(text))
    }
}

impl From<String> for Markup {
    fn from(text: String) -> Markup {
        text.as_str().into()
    }
}

impl Markup {
    /// Markup of HTML that is escaped already.
    pub(crate) fn trusted(html: String) -> Markup {
        Markup(html)
    }

    /// Text in a font of one width: commands, hashes.
    pub fn code(text: &str) -> Markup {
        Markup(format!("<code>{}</code>", escaped(text)))
    }

    /// Text of less weight than its surroundings.
    pub fn quiet(text: &str) -> Markup {
        Markup(format!("<span class=\"quiet\">{}</span>", escaped(text)))
    }

    /// Text that warns.
    pub fn bad(text: &str) -> Markup {
        Markup(format!("<span class=\"bad\">{}</span>", escaped(text)))
    }

    /// Text with a longer text that is shown where the pointer rests.
    pub fn titled(text: &str, title: &str) -> Markup {
        Markup(format!("<span title=\"{}\">{}</span>", escaped(title), escaped(text)))
    }

    /// A name after a square in its colour.
    pub fn swatch(colour: &str, name: &str) -> Markup {
        Markup(format!(
            "<span class=\"key\"><span class=\"swatch\" style=\"background:{}\"></span>{}</span>",
            escaped(colour),
            escaped(name)
        ))
    }

    /// A share from 0 to 1 as a bar, with the percentage.
    pub fn share(share: f64) -> Markup {
        Markup(format!(
            "<span class=\"bar\" style=\"width:{:.1}rem\"></span> {:.1} %",
            share.clamp(0.0, 1.0) * 5.0,
            share * 100.0
        ))
    }

    /// JSON for the script of the page.
    pub fn data(json: &str) -> Markup {
        // No text in it can end the element.
        Markup(format!("<script type=\"application/json\">{}</script>", json.replace('<', "\\u003c")))
    }

    /// This, and then more.
    #[must_use]
    pub fn then(mut self, more: impl Into<Markup>) -> Markup {
        self.0.push_str(&more.into().0);
        self
    }

    /// This, and then more on the next line.
    #[must_use]
    pub fn then_below(mut self, more: impl Into<Markup>) -> Markup {
        self.0.push_str("<br>");
        self.then(more)
    }

    /// The HTML.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromIterator<Markup> for Markup {
    fn from_iter<I: IntoIterator<Item = Markup>>(parts: I) -> Markup {
        parts.into_iter().fold(Markup::default(), Markup::then)
    }
}

/// Heading and alignment of a column.
#[derive(Clone, Debug)]
pub struct Column {
    heading: Markup,
    class: &'static str,
}

impl Column {
    /// Names of tensors, scopes and functions, which may be broken anywhere.
    pub fn name(heading: impl Into<Markup>) -> Column {
        Column { heading: heading.into(), class: "name" }
    }

    /// Pictures with captions.
    pub fn picture(heading: impl Into<Markup>) -> Column {
        Column { heading: heading.into(), class: "picture" }
    }

    /// Words, to the left.
    pub fn text(heading: impl Into<Markup>) -> Column {
        Column { heading: heading.into(), class: "text" }
    }

    /// Numbers, to the right.
    pub fn number(heading: impl Into<Markup>) -> Column {
        Column { heading: heading.into(), class: "number" }
    }
}

/// A table with a row of headings.
#[derive(Clone, Debug)]
pub struct Table {
    classes: Vec<&'static str>,
    html: String,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        let mut html = String::from("<div class=\"scroll\"><table>\n<thead><tr>");
        let mut classes = vec![];
        for Column { heading, class } in columns {
            // Writing to a String does not fail.
            let _ = write!(html, "<th class=\"{class}\">{}</th>", heading.as_str());
            classes.push(class);
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        Table { classes, html }
    }

    /// Appends a row, a cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Markup>) {
        self.html.push_str("<tr>");
        for (class, cell) in self.classes.iter().zip(cells) {
            let _ = write!(self.html, "<td class=\"{class}\">{}</td>", cell.as_str());
        }
        self.html.push_str("</tr>\n");
    }
}

impl From<Table> for Markup {
    fn from(table: Table) -> Markup {
        Markup(table.html + "</tbody></table></div>\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_once() {
        assert_eq!(escaped("<b>&\""), "&lt;b&gt;&amp;&quot;");
        assert_eq!(Markup::from("a<b").then(Markup::from("&")).as_str(), "a&lt;b&amp;");
        assert_eq!(Markup::titled("a", "\">").as_str(), "<span title=\"&quot;&gt;\">a</span>");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(8_388_608), "8,388,608");
        assert_eq!(grouped(100), "100");
    }

    #[test]
    fn data_cannot_end_the_script() {
        assert!(!Markup::data("[\"</script>\"]").as_str().contains("</script>\""));
    }

    #[test]
    fn rows_have_the_classes_of_their_columns() {
        let mut table = Table::new([Column::name("tensor"), Column::number("n")]);
        table.row(["<x>".into(), "1".into()]);
        let row = "<tr><td class=\"name\">&lt;x&gt;</td><td class=\"number\">1</td></tr>";
        assert!(Markup::from(table).as_str().contains(row));
    }
}
