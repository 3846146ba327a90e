// Adds up orders; up to 20 pieces cost 5 in postage. Expected: "3 orders, 66.50 in all". It prints something else.
const ORDERS = `tea;4.50;3
coffee;8.00;5
cups;1.60;5`;

function parse(line) {
  const [name, price, count] = line.split(";");
  return { name, price: Number(price), count };
}

function add(total, order) {
  const cost = order.price * order.count;
  const rebate = order.count > 9 ? 0.1 : 0;
  return total + cost * (1 - rebate);
}

function report(text) {
  const orders = text.split("\n").map(parse);
  let total = 0;
  let pieces = 0;
  for (const order of orders) {
    total = add(total, order);
    pieces = pieces + order.count;
  }
  return { orders: orders.length, total, pieces };
}

const { orders, total, pieces } = report(ORDERS);
const postage = pieces > 20 ? 15 : 5;
console.log(`${orders} orders, ${(total + postage).toFixed(2)} in all`);
