/** What the proxy is measured against: a server that answers at once, by as many bytes as it is asked for. Prints its port. */
import { createServer } from "node:http";

const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const BEGIN =
  event("message_start", {
    message: { id: "msg_1", model: "bench", content: [], usage: { input_tokens: 9 } },
  }) + event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
const END =
  event("content_block_stop", { index: 0 }) +
  event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } }) +
  event("message_stop", {});
const delta = (text) => event("content_block_delta", { index: 0, delta: { type: "text_delta", text } });

/** By the size of an event: about 64 KB of them. */
const blocks = new Map();
function blockOf(size) {
  if (!blocks.has(size)) {
    const one = delta("x".repeat(size));
    blocks.set(size, Buffer.from(one.repeat(Math.max(1, Math.round(65_536 / one.length)))));
  }
  return blocks.get(size);
}

const server = createServer((request, response) => {
  request.resume().once("end", async () => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(BEGIN);
    const block = blockOf(Number(request.headers["x-event-bytes"] ?? 20));
    let left = Number(request.headers["x-bytes"] ?? 0);
    for (; left > 0; left -= block.length)
      if (!response.write(block)) await new Promise((drained) => response.once("drain", drained));
    response.end(delta("Done.") + END);
  });
});
server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
);
