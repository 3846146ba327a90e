// A cart: prices, discounts, stock that is kept back for it.
"use strict";

function createStock(items) {
  const counts = new Map();
  const held = new Map();
  for (const { name, count } of items) counts.set(name, count);

  function free(name) {
    return (counts.get(name) ?? 0) - (held.get(name) ?? 0);
  }

  function hold(name, count) {
    if (free(name) < count) return false;
    held.set(name, (held.get(name) ?? 0) + count);
    return true;
  }

  function release(name, count) {
    const left = (held.get(name) ?? 0) - count;
    if (left > 0) held.set(name, left);
    else held.delete(name);
  }

  return { free, hold, release };
}

class Cart {
  constructor(stock, prices) {
    this.stock = stock;
    this.prices = { ...prices };
    this.lines = [];
    this.rules = [];
  }

  add(name, count) {
    if (!this.stock.hold(name, count)) return false;
    const line = this.lines.find((one) => one.name === name);
    if (line) line.count += count;
    else this.lines.push({ name, count });
    return true;
  }

  remove(name) {
    const at = this.lines.findIndex((one) => one.name === name);
    if (at < 0) return;
    const [line] = this.lines.splice(at, 1);
    this.stock.release(name, line.count);
  }

  discount(rule) {
    this.rules.push(rule);
    this.rules.sort((a, b) => b.percent - a.percent);
  }

  subtotal() {
    let sum = 0;
    for (const { name, count } of this.lines) {
      const price = this.prices[name];
      sum += price * count;
    }
    return sum;
  }

  total() {
    const sum = this.subtotal();
    const rule = this.rules.find(({ least }) => sum >= least);
    if (rule === undefined) return sum;
    const off = Math.floor((sum * rule.percent) / 100);
    return sum - off;
  }

  receipt() {
    const rows = this.lines.map(({ name, count }) => {
      const price = this.prices[name] * count;
      return `${count} ${name}: ${price}`;
    });
    rows.push(`total: ${this.total()}`);
    return rows;
  }
}

module.exports = { createStock, Cart, scenario };

// driver

function scenario() {
  const stock = createStock([
    { name: "pen", count: 10 },
    { name: "ink", count: 3 },
    { name: "pad", count: 4 },
  ]);
  const prices = { pen: 120, ink: 550, pad: 300 };
  const cart = new Cart(stock, prices);
  prices.pen = 999;
  cart.discount({ least: 1000, percent: 5 });
  cart.discount({ least: 2000, percent: 10 });
  const added = [cart.add("pen", 4), cart.add("ink", 4), cart.add("ink", 2), cart.add("pen", 2)];
  const before = cart.total();
  cart.add("pad", 2);
  const free = ["pen", "ink", "pad"].map((name) => stock.free(name));
  const rows = cart.receipt();
  cart.remove("ink");
  return { added, before, free, rows, after: cart.total(), ink: stock.free("ink") };
}

if (require.main === module) console.log(JSON.stringify(scenario(), undefined, 1));
