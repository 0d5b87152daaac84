//! Source locations of operations, from a program's text.

/// The name and the file of the operation in a line (from 1); none if its location says neither.
pub(crate) fn of(text: &str, line: u32) -> Option<String> {
    let lines: Vec<_> = text.lines().collect();
    let first = usize::try_from(line).ok()?.checked_sub(1)?;
    let margin = |line: &str| line.len() - line.trim_start().len();
    let own = margin(lines.get(first)?);
    // An operation with regions has its location after them, in a line of the same indentation.
    let mut candidates = lines[first..].iter().filter(|line| margin(line) == own);
    let line = candidates.find(|line| line.trim_end().ends_with(')') && line.contains(" loc(#"))?;
    let alias = line[line.rfind(" loc(")? + 5..].trim_end().strip_suffix(')')?;
    let (mut name, mut file) = (None, None);
    follow(&lines, alias, 0, &mut name, &mut file);
    match (name, file) {
        (Some(name), Some(file)) => Some(format!("in {name}, at {file}")),
        (Some(name), None) => Some(format!("in {name}")),
        (None, Some(file)) => Some(format!("at {file}")),
        (None, None) => None,
    }
}

/// The longest chain of locations that is followed.
const DEEPEST: usize = 64;

/// The first name and the first place of a location and those within it.
fn follow(lines: &[&str], alias: &str, depth: usize, name: &mut Option<String>, file: &mut Option<String>) {
    let start = format!("{alias} = loc(");
    // Definitions are at the end.
    let Some(line) = lines.iter().rev().find(|line| line.starts_with(&start)) else { return };
    let Some(body) = line[start.len()..].strip_suffix(')') else { return };
    if let Some(rest) = body.strip_prefix('"')
        && let Some((text, rest)) = rest.split_once('"')
    {
        match rest.strip_prefix(':') {
            Some(place) => {
                // Line and column, without where it ends.
                let place = place.split(' ').next().unwrap_or_default();
                file.get_or_insert(format!("{text}:{place}"));
            }
            None => {
                name.get_or_insert(text.to_owned());
            }
        }
    }
    if depth == DEEPEST {
        return;
    }
    for part in body.split('#').skip(1) {
        if file.is_some() && name.is_some() {
            return;
        }
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        follow(lines, &format!("#{}", &part[..end]), depth + 1, name, file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module {
  func.func @main() {
    %0 = \"a\"() : () -> () loc(#loc9)
    %1 = \"b\"() ({
      %2 = \"c\"() : () -> () loc(#loc3)
    }) : () -> () loc(#loc8)
    \"d\"() : () -> ()
  } loc(#loc2)
}
#loc2 = loc(\"jit(f)\"(#loc3))
#loc3 = loc(\"/a/b.py\":8:35 to :81)
#loc7 = loc(callsite(#loc3 at #loc2))
#loc8 = loc(\"jit(f)/while\"(#loc7))
#loc9 = loc(\"jit(f)/dot_general\"(#loc7))
";

    #[test]
    fn operation_has_the_name_and_the_file_of_its_location() {
        let place = |line| of(TEXT, line);
        assert_eq!(place(3).as_deref(), Some("in jit(f)/dot_general, at /a/b.py:8:35"));
        assert_eq!(place(4).as_deref(), Some("in jit(f)/while, at /a/b.py:8:35"));
        assert_eq!(place(5).as_deref(), Some("at /a/b.py:8:35"));
        assert_eq!((place(7), place(100), place(0)), (None, None, None));
    }
}
