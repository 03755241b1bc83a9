//! Columns of tables in a terminal.

/// How wide each column must be, in characters; all rows have as many cells as the first.
pub fn widths<R: AsRef<[String]>>(rows: &[R]) -> Vec<usize> {
    let count = rows.first().map_or(0, |row| row.as_ref().len());
    (0..count)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect()
}
