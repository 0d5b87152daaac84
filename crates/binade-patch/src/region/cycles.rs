//! Cycles of a function's control flow: the instructions that may run again after themselves.

use std::collections::BTreeMap;

use iced_x86::{FlowControl, Instruction};

/// Of each instruction, the number of the cycle that it is in, if it is in one. Calls are taken to return; jumps whose targets are
/// not known lead nowhere.
pub(super) fn cycles(instructions: &[Instruction]) -> Vec<Option<usize>> {
    let index: BTreeMap<u64, usize> = instructions.iter().enumerate().map(|(k, i)| (i.ip(), k)).collect();
    let at = |address: u64| index.get(&address).copied();
    let successors: Vec<[Option<usize>; 2]> = instructions
        .iter()
        .map(|instruction| {
            let (next, taken) = (at(instruction.next_ip()), at(instruction.near_branch_target()));
            match instruction.flow_control() {
                FlowControl::Next | FlowControl::Call | FlowControl::IndirectCall => [next, None],
                FlowControl::ConditionalBranch => [next, taken],
                FlowControl::UnconditionalBranch => [taken, None],
                _ => [None, None],
            }
        })
        .collect();
    components(&successors)
}

/// The strongly connected components that have an edge, by Tarjan's algorithm without recursion.
fn components(successors: &[[Option<usize>; 2]]) -> Vec<Option<usize>> {
    const NEW: usize = usize::MAX;
    let count = successors.len();
    let (mut order, mut low) = (vec![NEW; count], vec![0; count]);
    let (mut open, mut is_open, mut component) = (Vec::new(), vec![false; count], vec![None; count]);
    let (mut visited, mut components) = (0, 0);
    for root in 0..count {
        // Of each node on the path, the number of its successors that have been visited.
        let mut path = vec![(root, 0)];
        while let Some(&mut (node, ref mut done)) = path.last_mut() {
            if *done == 0 {
                if order[node] != NEW {
                    path.pop();
                    continue;
                }
                (order[node], low[node]) = (visited, visited);
                visited += 1;
                open.push(node);
                is_open[node] = true;
            }
            let next = successors[node].get(*done).copied();
            *done += 1;
            match next {
                Some(Some(next)) if order[next] == NEW => path.push((next, 0)),
                Some(Some(next)) if is_open[next] => low[node] = low[node].min(order[next]),
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[node]);
                    }
                    if low[node] == order[node] {
                        let start = open.iter().rposition(|&other| other == node).unwrap_or_default();
                        let members: Vec<usize> = open.drain(start..).collect();
                        let itself = successors[node].contains(&Some(node));
                        for &member in &members {
                            is_open[member] = false;
                            component[member] = (members.len() > 1 || itself).then_some(components);
                        }
                        components += 1;
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_nested_loops_are_one() {
        let edges = |list: &[(usize, usize)], count: usize| {
            let mut successors = vec![[None, None]; count];
            for &(from, to) in list {
                let free = usize::from(successors[from][0].is_some());
                successors[from][free] = Some(to);
            }
            components(&successors)
        };
        // 1 and 2 in a loop within 0 to 3; 4 behind it; 5 by itself; 6 loops on itself.
        let found = edges(&[(0, 1), (1, 2), (2, 1), (2, 3), (3, 0), (3, 4), (6, 6)], 7);
        assert!(found[0].is_some() && found[..4].iter().all(|&component| component == found[0]));
        assert_eq!((found[4], found[5]), (None, None));
        assert!(found[6].is_some() && found[6] != found[0]);
    }

    #[test]
    fn branch_back_to_code_that_does_not_return_is_no_cycle() {
        let found = components(&[[Some(2), None], [None, None], [Some(1), None]]);
        assert_eq!(found, [None, None, None]);
    }
}
