//! Cells that live and die on a grid, and the shapes they make.

#[derive(Clone, PartialEq, Debug)]
struct Grid {
    width: usize,
    height: usize,
    cells: Vec<bool>,
}

impl Grid {
    fn read(text: &str) -> Grid {
        let rows: Vec<&str> = text.lines().collect();
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let mut cells = vec![false; width * rows.len()];
        for (y, row) in rows.iter().enumerate() {
            for (x, char) in row.chars().enumerate() {
                cells[y * width + x] = char == '#';
            }
        }
        Grid { width, height: rows.len(), cells }
    }

    fn alive(&self, x: i32, y: i32) -> bool {
        if x < 0 || y < 0 || x >= self.width as i32 || y >= self.height as i32 {
            return false;
        }
        self.cells[y as usize * self.width + x as usize]
    }

    fn neighbours(&self, x: i32, y: i32) -> u8 {
        let mut count = 0;
        for dy in -1..=1 {
            for dx in -1..=1 {
                if dx == 0 && dy == 0 {
                    continue;
                }
                if self.alive(x + dx, y + dy) {
                    count += 1;
                }
            }
        }
        count
    }

    fn next(&self) -> Grid {
        let mut next = self.clone();
        for y in 0..self.height {
            for x in 0..self.width {
                let around = self.neighbours(x as i32, y as i32);
                let lives = if self.cells[y * self.width + x] { around == 2 || around == 3 } else { around == 3 };
                next.cells[y * self.width + x] = lives;
            }
        }
        next
    }

    fn bounds(&self) -> Option<(usize, usize, usize, usize)> {
        let mut found: Option<(usize, usize, usize, usize)> = None;
        for (at, alive) in self.cells.iter().enumerate() {
            if !alive {
                continue;
            }
            let (x, y) = (at % self.width, at / self.width);
            let (left, top, right, bottom) = found.unwrap_or((x, y, x, y));
            found = Some((left.min(x), top.min(y), right.max(x), bottom.max(y)));
        }
        found
    }

    fn text(&self) -> String {
        let rows: Vec<String> = self
            .cells
            .chunks(self.width)
            .map(|row| row.iter().map(|alive| if *alive { '#' } else { '.' }).collect())
            .collect();
        rows.join("\n")
    }
}

fn period(start: &Grid, most: usize) -> Option<usize> {
    let mut seen = vec![start.clone()];
    let mut grid = start.clone();
    for round in 1..=most {
        grid = grid.next();
        if let Some(at) = seen.iter().position(|one| *one == grid) {
            return Some(round - at);
        }
        seen.push(grid.clone());
    }
    None
}

// driver

const GLIDER: &str = ".#...\n..#..\n###..\n.....\n.....";
const BLINKER: &str = ".....\n.###.\n.....";

fn main() {
    let start = Grid::read(GLIDER);
    let next = start.next();
    println!("{}\n", next.text());
    println!("{}", next.next().text());
    println!("{:?} {:?}", start.bounds(), next.bounds());
    println!("{:?} {:?}", period(&Grid::read(BLINKER), 5), period(&start, 3));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves() {
        let next = Grid::read(GLIDER).next();
        assert_eq!(next.text(), ".....\n#.#..\n.##..\n.#...\n.....");
    }

    #[test]
    fn counts() {
        let grid = Grid::read(GLIDER);
        assert_eq!(grid.neighbours(1, 1), 5);
        assert_eq!(grid.neighbours(4, 4), 0);
    }

    #[test]
    fn bounds() {
        assert_eq!(Grid::read(GLIDER).bounds(), Some((0, 0, 2, 2)));
        assert_eq!(Grid::read("..\n..").bounds(), None);
    }

    #[test]
    fn periods() {
        assert_eq!(period(&Grid::read(BLINKER), 5), Some(2));
        assert_eq!(period(&Grid::read(GLIDER), 3), None);
    }
}
