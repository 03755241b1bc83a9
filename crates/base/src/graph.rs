//! Graphs whose vertices are numbers.

/// Strongly connected components, after Tarjan, without recursion: each before those that lead to it.
pub fn components(graph: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; graph.len()];
    let mut low = vec![0; graph.len()];
    let mut is_open = vec![false; graph.len()];
    let mut open = Vec::new();
    let mut found = Vec::new();
    let mut count = 0;
    for start in 0..graph.len() {
        if index[start] != UNSEEN {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some(&mut (at, ref mut edge)) = path.last_mut() {
            if *edge == 0 {
                (index[at], low[at]) = (count, count);
                count += 1;
                open.push(at);
                is_open[at] = true;
            }
            if let Some(&next) = graph[at].get(*edge) {
                *edge += 1;
                if index[next] == UNSEEN {
                    path.push((next, 0));
                } else if is_open[next] {
                    low[at] = low[at].min(index[next]);
                }
                continue;
            }
            // An edge count of zero means "not begun", so a vertex without edges must not be begun twice.
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
            if low[at] == index[at] {
                let from = open.iter().rposition(|it| *it == at).expect("is open");
                let members = open.split_off(from);
                for member in &members {
                    is_open[*member] = false;
                }
                found.push(members);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_comes_before_those_that_lead_to_it() {
        // 0 → 1 ⇄ 2 → 3
        let graph = vec![vec![1], vec![2], vec![1, 3], vec![]];
        assert_eq!(components(&graph), [vec![3], vec![1, 2], vec![0]]);
    }
}
