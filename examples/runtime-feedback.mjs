// Values and backtraces of a whole run in one call, as plain data for a prompt or a test.
//   node examples/runtime-feedback.mjs
import { fileURLToPath } from "node:url";
import { getRuntimeFeedback } from "sonde";

const feedback = await getRuntimeFeedback({
  cmd: ["node", "orders.js"],
  cwd: fileURLToPath(new URL("./orders", import.meta.url)),
  watchpoints: [
    { var: "pieces", logLocation: "orders.js:23" },
    { var: "order.count", logLocation: "orders.js:23" },
  ],
  monitorLocations: ["orders.js:8", "orders.js:23"],
  timeouts: { firstHit: 30, exit: 30 },
});
console.log(JSON.stringify(feedback, null, 2));
