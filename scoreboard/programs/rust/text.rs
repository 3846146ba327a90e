//! Text packed and unpacked, numbers in Roman, distances between words.

fn pack(text: &str) -> String {
    let mut out = String::new();
    let mut count = 0;
    let mut last = None;
    for char in text.chars() {
        if Some(char) == last {
            count += 1;
            continue;
        }
        flush(&mut out, last, count);
        last = Some(char);
        count = 1;
    }
    flush(&mut out, last, count);
    out
}

fn flush(out: &mut String, char: Option<char>, count: usize) {
    if let Some(char) = char {
        if count > 1 {
            out.push_str(&count.to_string());
        }
        out.push(char);
    }
}

fn unpack(text: &str) -> String {
    let mut out = String::new();
    let mut count = 0;
    for char in text.chars() {
        if let Some(digit) = char.to_digit(10) {
            count = count * 10 + digit as usize;
            continue;
        }
        let times = if count == 0 { 1 } else { count };
        out.push_str(&char.to_string().repeat(times));
        count = 0;
    }
    out
}

fn roman(number: u32) -> String {
    let signs = [
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
        (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ];
    let mut out = String::new();
    let mut left = number;
    for (value, sign) in signs {
        while left >= value {
            out.push_str(sign);
            left -= value;
        }
    }
    out
}

fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let cost = if x == b[j] { 0 } else { 1 };
            let best = (corner + cost).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = best;
        }
    }
    row[b.len()]
}

fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let mut best = None;
    let mut least = usize::MAX;
    for other in words {
        let far = distance(word, other);
        if far < least && far <= word.len() / 2 {
            least = far;
            best = Some(*other);
        }
    }
    best
}

// driver

fn main() {
    let packed = pack("aaabccccccccccccd");
    println!("{} {}", packed, unpack(&packed));
    println!("{} {} {}", roman(1994), roman(2024), roman(48));
    println!("{} {} {}", distance("kitten", "sitting"), distance("", "abc"), distance("flaw", "lawn"));
    println!("{:?} {:?}", nearest("brake", &["break", "bread", "broke"]), nearest("a", &["xyz"]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs() {
        assert_eq!(pack("aaabccccccccccccd"), "3ab12cd");
        assert_eq!(unpack("3ab12cd"), "aaabccccccccccccd");
    }

    #[test]
    fn romans() {
        assert_eq!(roman(1994), "MCMXCIV");
        assert_eq!(roman(2024), "MMXXIV");
        assert_eq!(roman(48), "XLVIII");
    }

    #[test]
    fn distances() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("flaw", "lawn"), 2);
    }

    #[test]
    fn nearest_word() {
        assert_eq!(nearest("brake", &["break", "bread", "broke"]), Some("broke"));
        assert_eq!(nearest("a", &["xyz"]), None);
    }
}
