// The program that is traced: as many hits as its argument says.
function work(rounds) {
  let total = 0;
  for (let i = 0; i < rounds; i++) {
    total += i; // @marker stop
  }
  return total;
}

function main() {
  console.log(work(Number(process.argv[2])));
}

main();
