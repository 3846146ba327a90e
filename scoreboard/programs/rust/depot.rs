//! Goods in a depot: taken oldest first, ordered again when few are left.
use std::collections::{BTreeMap, VecDeque};

#[derive(Debug, Clone, PartialEq)]
struct Batch {
    count: u32,
    price: u32,
}

#[derive(Default)]
struct Depot {
    goods: BTreeMap<String, VecDeque<Batch>>,
    least: BTreeMap<String, u32>,
    taken: u32,
}

impl Depot {
    fn receive(&mut self, name: &str, count: u32, price: u32) {
        let batches = self.goods.entry(name.to_string()).or_default();
        if let Some(last) = batches.back_mut() {
            if last.price == price {
                last.count += count;
                return;
            }
        }
        batches.push_back(Batch { count, price });
    }

    fn count(&self, name: &str) -> u32 {
        let mut sum = 0;
        if let Some(batches) = self.goods.get(name) {
            for batch in batches {
                sum += batch.count;
            }
        }
        sum
    }

    fn take(&mut self, name: &str, wanted: u32) -> Option<u32> {
        if self.count(name) < wanted {
            return None;
        }
        let batches = self.goods.get_mut(name)?;
        let mut left = wanted;
        let mut cost = 0;
        while left > 0 {
            let batch = batches.front_mut()?;
            let part = left.min(batch.count);
            cost += part * batch.price;
            batch.count -= part;
            left -= part;
            if batch.count == 0 {
                batches.pop_front();
            }
        }
        self.taken += wanted;
        Some(cost)
    }

    fn orders(&self) -> Vec<(String, u32)> {
        let mut orders = Vec::new();
        for (name, least) in &self.least {
            let have = self.count(name);
            if have >= *least {
                continue;
            }
            let missing = least - have;
            let boxes = (missing + 9) / 10;
            orders.push((name.clone(), boxes));
        }
        orders.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        orders
    }

    fn value(&self) -> u32 {
        self.goods
            .values()
            .flat_map(|batches| batches.iter())
            .map(|batch| batch.count * batch.price)
            .sum()
    }
}

// driver

fn filled() -> Depot {
    let mut depot = Depot::default();
    depot.receive("nails", 40, 2);
    depot.receive("nails", 10, 2);
    depot.receive("nails", 30, 3);
    depot.receive("glue", 5, 20);
    for (name, least) in [("nails", 60), ("glue", 8), ("paint", 25), ("rope", 0)] {
        depot.least.insert(name.to_string(), least);
    }
    depot
}

fn main() {
    let mut depot = filled();
    println!("{} {}", depot.count("nails"), depot.value());
    println!("{:?} {:?}", depot.take("nails", 55), depot.take("glue", 6));
    println!("{:?} {:?}", depot.goods.get("nails"), depot.taken);
    println!("{:?}", depot.orders());
    println!("{:?} {} {}", depot.take("glue", 5), depot.value(), depot.count("glue"));
    println!("{:?}", depot.orders());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receives() {
        let depot = filled();
        assert_eq!(depot.count("nails"), 80);
        assert_eq!(depot.value(), 290);
        assert_eq!(depot.goods["nails"].len(), 2);
    }

    #[test]
    fn takes_the_oldest_first() {
        let mut depot = filled();
        assert_eq!(depot.take("nails", 55), Some(115));
        assert_eq!(depot.take("glue", 6), None);
        assert_eq!(depot.goods["nails"], VecDeque::from([Batch { count: 25, price: 3 }]));
        assert_eq!(depot.taken, 55);
        assert_eq!(depot.take("glue", 5), Some(100));
        assert_eq!(depot.value(), 75);
    }

    #[test]
    fn orders() {
        let mut depot = filled();
        depot.take("nails", 55);
        let expected = [("nails", 4), ("paint", 3), ("glue", 1)];
        assert_eq!(depot.orders(), expected.map(|(name, boxes)| (name.to_string(), boxes)));
    }
}
