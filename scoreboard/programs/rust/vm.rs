//! A small stack machine and the programs it runs.

#[derive(Debug, Clone, PartialEq)]
enum Op {
    Push(i64),
    Add,
    Sub,
    Mul,
    Less,
    Dup,
    Swap,
    Over,
    Store(usize),
    Load(usize),
    JumpIfZero(usize),
    Jump(usize),
    Print,
    Halt,
}

#[derive(Debug, PartialEq)]
enum Fault {
    Empty(usize),
    Steps,
}

struct Machine {
    stack: Vec<i64>,
    memory: Vec<i64>,
    at: usize,
    steps: usize,
    output: Vec<i64>,
}

impl Machine {
    fn new(size: usize) -> Machine {
        Machine { stack: Vec::new(), memory: vec![0; size], at: 0, steps: 0, output: Vec::new() }
    }

    fn pop(&mut self) -> Result<i64, Fault> {
        self.stack.pop().ok_or(Fault::Empty(self.at))
    }

    fn two(&mut self) -> Result<(i64, i64), Fault> {
        let right = self.pop()?;
        let left = self.pop()?;
        Ok((left, right))
    }

    fn step(&mut self, op: &Op) -> Result<bool, Fault> {
        let mut next = self.at + 1;
        match op {
            Op::Push(value) => self.stack.push(*value),
            Op::Add => {
                let (a, b) = self.two()?;
                self.stack.push(a + b);
            }
            Op::Sub => {
                let (a, b) = self.two()?;
                self.stack.push(a - b);
            }
            Op::Mul => {
                let (a, b) = self.two()?;
                self.stack.push(a * b);
            }
            Op::Less => {
                let (a, b) = self.two()?;
                self.stack.push(if a < b { 1 } else { 0 });
            }
            Op::Dup => {
                let value = self.pop()?;
                self.stack.push(value);
                self.stack.push(value);
            }
            Op::Swap => {
                let (a, b) = self.two()?;
                self.stack.push(b);
                self.stack.push(a);
            }
            Op::Over => {
                let (a, b) = self.two()?;
                self.stack.extend([a, b, a]);
            }
            Op::Store(slot) => self.memory[*slot] = self.pop()?,
            Op::Load(slot) => self.stack.push(self.memory[*slot]),
            Op::JumpIfZero(target) => {
                if self.pop()? == 0 {
                    next = *target;
                }
            }
            Op::Jump(target) => next = *target,
            Op::Print => {
                let value = self.pop()?;
                self.output.push(value);
            }
            Op::Halt => return Ok(false),
        }
        self.at = next;
        Ok(true)
    }

    fn run(&mut self, program: &[Op], most: usize) -> Result<usize, Fault> {
        while self.at < program.len() {
            if self.steps >= most {
                return Err(Fault::Steps);
            }
            self.steps += 1;
            let op = program[self.at].clone();
            if !self.step(&op)? {
                break;
            }
        }
        Ok(self.steps)
    }
}

// driver

fn factorial(n: i64) -> Vec<Op> {
    vec![
        Op::Push(1),
        Op::Store(0),
        Op::Push(n),
        Op::Dup,
        Op::JumpIfZero(12),
        Op::Dup,
        Op::Load(0),
        Op::Mul,
        Op::Store(0),
        Op::Push(1),
        Op::Sub,
        Op::Jump(3),
        Op::Load(0),
        Op::Print,
        Op::Halt,
        Op::Print,
    ]
}

fn compare() -> Vec<Op> {
    vec![
        Op::Push(3),
        Op::Push(8),
        Op::Over,
        Op::Over,
        Op::Less,
        Op::Print,
        Op::Swap,
        Op::Less,
        Op::Print,
        Op::Push(2),
        Op::Add,
    ]
}

fn main() {
    let mut machine = Machine::new(2);
    println!("{:?} {:?} {:?}", machine.run(&factorial(4), 200), machine.output, machine.stack);
    let mut other = Machine::new(1);
    println!("{:?} {:?}", other.run(&compare(), 200), other.output);
    let mut endless = Machine::new(1);
    println!("{:?} {}", endless.run(&[Op::Push(1), Op::Jump(0)], 9), endless.stack.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplies() {
        let mut machine = Machine::new(2);
        assert_eq!(machine.run(&factorial(4), 200), Ok(44));
        assert_eq!(machine.output, vec![24]);
        assert_eq!(machine.stack, vec![0]);
    }

    #[test]
    fn compares() {
        let mut machine = Machine::new(1);
        assert_eq!(machine.run(&compare(), 200), Err(Fault::Empty(10)));
        assert_eq!(machine.output, vec![1, 0]);
    }

    #[test]
    fn ends() {
        let mut machine = Machine::new(1);
        assert_eq!(machine.run(&[Op::Push(1), Op::Jump(0)], 9), Err(Fault::Steps));
        assert_eq!(machine.stack.len(), 5);
    }
}
