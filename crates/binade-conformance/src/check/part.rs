//! The parts of a statement: a file has one of them, which its keys tell.

use super::document::Node;

/// A part of a statement, in the order in which parts are checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StatementPart {
    Operations,
    Configurations,
    Profiles,
    Constraints,
    Kappas,
    /// A file that says that there is nothing to declare.
    Empty,
}

impl StatementPart {
    pub(super) fn name(self) -> &'static str {
        match self {
            StatementPart::Operations => "operations",
            StatementPart::Configurations => "configurations",
            StatementPart::Profiles => "profiles",
            StatementPart::Constraints => "constraints",
            StatementPart::Kappas => "kappas",
            StatementPart::Empty => "empty",
        }
    }

    /// The part that a file has, by its keys.
    pub(super) fn of(root: &Node) -> Option<StatementPart> {
        const HEADINGS: [&str; 8] = [
            "Classification",
            "Comparison",
            "Extrema",
            "Projection",
            "Math",
            "Block",
            "Conversion",
            "Format",
        ];
        const PARTS: [&str; 4] = ["CoreOperations", "BlockSizes", "Projections", "KappaApproximate"];
        let sections: Vec<(&str, &Node)> = sections(root);
        let has = |test: &dyn Fn(&str, &Node) -> bool| sections.iter().any(|(name, node)| test(name, node));
        if root.get("Profiles").is_some() || has(&|_, node| node.get("formats").is_some()) {
            Some(StatementPart::Profiles)
        } else if has(&|name, _| HEADINGS.contains(&name)) {
            Some(StatementPart::Operations)
        } else if has(&|_, node| node.pairs().iter().any(|(_, body)| body.get("Approximates").is_some())) {
            Some(StatementPart::Kappas)
        } else if has(&|_, node| node.pairs().iter().any(|(key, _)| key.contains(['<', '‹']))) {
            Some(StatementPart::Constraints)
        } else if has(&|_, node| PARTS.iter().any(|part| node.get(part).is_some())) {
            Some(StatementPart::Configurations)
        } else if root.get("Empty").is_some_and(|node| node.text() == Some("true")) {
            Some(StatementPart::Empty)
        } else {
            None
        }
    }
}

/// The sections of a file, without its metadata.
pub(super) fn sections(root: &Node) -> Vec<(&str, &Node)> {
    root.pairs().into_iter().filter(|(name, _)| !name.eq_ignore_ascii_case("metadata")).collect()
}
