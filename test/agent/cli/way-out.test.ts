/** A provider that can only be reached as the user's environment says: through a proxy, with a certificate of the company's own. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Server } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { startProvider } from "../provider/index.mjs";

const HOST = "provider.test";

const CALLER = `
fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
  method: "POST",
  headers: { "content-type": "application/json", "x-api-key": "sk-ant-dummy-key-for-tests", "anthropic-version": "2023-06-01" },
  body: JSON.stringify({ model: "claude-sonnet-5", max_tokens: 20, messages: [{ role: "user", content: "hello" }] }),
}).then(async (answer) => console.log(answer.status, await answer.text()));
`;

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    if ("closeAllConnections" in server) (server.closeAllConnections as () => void)();
  });
  return (server.address() as AddressInfo).port;
}

/** It knows the host by a name that nobody else knows. */
async function startCompanyProxy() {
  const asked: { target: string | undefined; credentials: string | undefined }[] = [];
  const server = createServer();
  server.on("connect", (request, socket) => {
    asked.push({ target: request.url, credentials: request.headers["proxy-authorization"] });
    const [host, port] = (request.url ?? "").split(":");
    if (host !== HOST) return socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    const out = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(out).pipe(socket);
    });
    for (const one of [out, socket]) one.on("error", () => socket.destroy() && out.destroy());
  });
  return { port: await listening(server), asked };
}

function certificate(sonde: Sonde): { cert: string; key: string; file: string } {
  const [file, key] = [join(sonde.project, "cert.pem"), join(sonde.project, "key.pem")];
  const words = `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${file} -days 2 -subj /CN=${HOST} -addext subjectAltName=DNS:${HOST}`;
  const { status, stderr } = spawnSync("openssl", words.split(" "), { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return { cert: readFileSync(file, "utf8"), key: readFileSync(key, "utf8"), file };
}

async function world(sonde: Sonde) {
  const provider = await startProvider({ script: [{ text: "Hello." }, { text: "Again." }] });
  onTestFinished(() => provider.close());
  const { file, ...keys } = certificate(sonde);
  const tls = createTlsServer(keys, (socket) => {
    const inner = connect(Number(new URL(provider.url).port), "127.0.0.1");
    for (const one of [inner, socket]) one.on("error", () => socket.destroy() && inner.destroy());
    socket.pipe(inner).pipe(socket);
  });
  const port = await listening(tls);
  sonde.write("caller.mjs", CALLER);
  return { provider, file, port, proxy: await startCompanyProxy() };
}

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.runIf(hasOpenssl)("a provider behind the company's proxy", () => {
  test("is reached through it, with its certificate", async () => {
    await using sonde = createSonde();
    const { provider, file, port, proxy } = await world(sonde);
    const { stdout, stderr } = await sonde.run(
      ["agent", "run", "--upstream", `https://${HOST}:${port}`, "--", process.execPath, "caller.mjs"],
      { env: { HTTPS_PROXY: `http://me:pw@127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: file } },
    );
    expect(`${stdout}${stderr}`).toContain("200 ");
    expect(stdout).toContain("Hello.");
    expect(provider.calls).toHaveLength(1);
    expect(proxy.asked).toEqual([
      { target: `${HOST}:${port}`, credentials: `Basic ${Buffer.from("me:pw").toString("base64")}` },
    ]);
    expect(stderr).not.toContain("me:pw");
  });

  test("is not trusted without it, and the agent is told so", async () => {
    await using sonde = createSonde();
    const { provider, port, proxy } = await world(sonde);
    const { stdout } = await sonde.run(
      ["agent", "run", "--upstream", `https://${HOST}:${port}`, "--", process.execPath, "caller.mjs"],
      { env: { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` } },
    );
    expect(stdout).toMatch(/^50\d .*certificate/);
    expect(provider.calls).toHaveLength(0);
  });

  test.each(["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"])(
    "%s that cannot be read is left out with a note: the agent runs, as it would alone",
    async (name) => {
      await using sonde = createSonde();
      const { stdout, stderr, status } = await sonde.run(
        ["agent", "run", "--upstream", `https://${HOST}`, "--", process.execPath, "-e", "console.log('ran')"],
        { env: { [name]: "/nowhere/ca.pem" } },
      );
      expect(stdout).toContain("ran");
      expect(stderr.match(new RegExp(`sonde: ${name} is left out: .*/nowhere/ca\\.pem`, "g"))).toHaveLength(
        1,
      );
      expect(status).toBe(0);
    },
  );
});
