// The program that is debugged: a loop to step in, with the kinds of values a snapshot shows.
const names = ["one", "two", "three"];
const order = { id: 7, items: names, price: 12.5, customer: { name: "Ada", city: "Paris" } };

function add(total, item) {
  const sum = total + item.price;
  return sum;
}

function main() {
  let total = 0;
  for (let i = 0; i < 1e9; i++) {
    const item = { i, name: names[i % 3], price: i * 2 };
    total = add(total, item); // @marker stop
    if (total < 0) console.log(order);
  }
}

main();
