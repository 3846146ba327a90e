// A line that is never reached, in a function that is called all the time.
function step(total, i) {
  if (i < 0) {
    return 0; // @marker stop
  }
  return (total * 31 + i) % 1000003;
}

function work(count) {
  let total = 0;
  for (let i = 0; i < count; i++) total = step(total, i);
  return total;
}

work(100_000);
const began = performance.now();
work(60_000_000);
console.log(`took ${(performance.now() - began).toFixed(1)} ms`);
