//! The page around tables and figures: one HTML file with the style that all pages share.

use crate::drawing::Drawing;
use crate::markup::{Markup, Table, escaped};

/// The style sheet of all pages.
pub const STYLE: &str = include_str!("page.css");

/// A page that is being written, from its title on.
#[derive(Clone, Debug)]
pub struct Page {
    title: String,
    body: String,
    script: &'static str,
    command: Option<String>,
}

impl Page {
    /// A page with a title, which is its heading too.
    pub fn new(title: &str) -> Page {
        let title = escaped(title);
        Page { body: format!("<h1>{title}</h1>\n"), title, script: "", command: None }
    }

    fn element(&mut self, open: &str, content: &Markup, close: &str) {
        for part in [open, content.as_str(), close, "\n"] {
            self.body.push_str(part);
        }
    }

    /// Appends a paragraph.
    pub fn paragraph(&mut self, content: impl Into<Markup>) {
        self.element("<p>", &content.into(), "</p>");
    }

    /// Appends a paragraph of less weight.
    pub fn note(&mut self, content: impl Into<Markup>) {
        self.element("<p class=\"quiet\">", &content.into(), "</p>");
    }

    /// Appends a paragraph that warns.
    pub fn warning(&mut self, content: impl Into<Markup>) {
        self.element("<p class=\"bad\">", &content.into(), "</p>");
    }

    /// Appends the heading of a section.
    pub fn section(&mut self, title: &str) {
        self.element("<h2>", &title.into(), "</h2>");
    }

    /// Appends numbers, each large above its name.
    pub fn cards<'a>(&mut self, cards: impl IntoIterator<Item = (String, &'a str)>) {
        let card = |(number, name): (String, &str)| {
            format!("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", escaped(&number), escaped(name))
        };
        let cards = Markup::trusted(cards.into_iter().map(card).collect());
        self.element("<div class=\"cards\">\n", &cards, "</div>");
    }

    /// Appends a table.
    pub fn table(&mut self, table: Table) {
        self.element("", &table.into(), "");
    }

    /// Appends a drawing as wide as the page.
    pub fn figure(&mut self, drawing: Drawing) {
        self.figure_with(drawing, Markup::default());
    }

    /// Appends a drawing, and data of it for the script.
    pub fn figure_with(&mut self, drawing: Drawing, data: Markup) {
        self.element("<figure>\n", &Markup::from(drawing).then(data), "</figure>");
    }

    /// Sets the script, JavaScript that is run when the page is read.
    pub fn script(&mut self, script: &'static str) {
        self.script = script;
    }

    /// Sets the command that made the page, which stands at its end.
    pub fn made_by(&mut self, command: &str) {
        self.command = Some(command.to_owned());
    }

    /// The document.
    pub fn finish(mut self) -> String {
        if let Some(command) = self.command.take() {
            self.element("<footer>Made by ", &Markup::code(&command), "</footer>");
        }
        let script = match self.script {
            "" => String::new(),
            script => format!("<script>\n{script}</script>\n"),
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
             <style>\n{}</style>\n</head>\n<body>\n{}{script}</body>\n</html>\n",
            self.title, STYLE, self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_names_its_command_and_needs_nothing_from_outside() {
        let mut page = Page::new("a<b");
        page.paragraph("&");
        page.cards([("3".to_owned(), "<n>")]);
        page.made_by("binade run -- 'a b' <c");
        let html = page.finish();
        assert!(html.contains("<title>a&lt;b</title>") && html.contains("<h1>a&lt;b</h1>\n<p>&amp;</p>"));
        assert!(html.contains("<b>3</b><span>&lt;n&gt;</span>"));
        assert!(html.contains("<footer>Made by <code>binade run -- 'a b' &lt;c</code></footer>"));
        assert!(!html.contains("http") && !html.contains("<script"));
    }

    #[test]
    fn script_is_at_the_end() {
        let mut page = Page::new("t");
        page.script("let x = 1;\n");
        assert!(page.finish().ends_with("<script>\nlet x = 1;\n</script>\n</body>\n</html>\n"));
    }
}
