// Paths to handlers, with parameters and steps before them.
"use strict";

function split(path) {
  const [bare, query = ""] = path.split("?");
  const parts = bare.split("/").filter((part) => part !== "");
  return { parts, query };
}

function readQuery(text) {
  const values = {};
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = at < 0 ? pair : pair.slice(0, at);
    const value = at < 0 ? "" : decodeURIComponent(pair.slice(at + 1));
    if (values[name] === undefined) values[name] = value;
    else values[name] = [values[name], value].flat();
  }
  return values;
}

function match(pattern, parts) {
  const wanted = split(pattern).parts;
  const params = {};
  for (let i = 0; i < wanted.length; i++) {
    const one = wanted[i];
    if (one === "*") {
      params.rest = parts.slice(i).join("/");
      return params;
    }
    if (i >= parts.length) return undefined;
    if (one.startsWith(":")) params[one.slice(1)] = parts[i];
    else if (one !== parts[i]) return undefined;
  }
  return wanted.length === parts.length ? params : undefined;
}

function createRouter() {
  const routes = [];
  const steps = [];

  function use(step) {
    steps.push(step);
  }

  function on(method, pattern, handler) {
    routes.push({ method, pattern, handler });
  }

  function handle(method, path) {
    const { parts, query } = split(path);
    const request = { method, path, query: readQuery(query), params: {}, log: [] };
    const known = routes.filter((route) => match(route.pattern, parts) !== undefined);
    if (known.length === 0) return { status: 404, body: path };
    const route = known.find((one) => one.method === method);
    if (route === undefined) return { status: 405, body: known.map((one) => one.method).join(", ") };
    request.params = match(route.pattern, parts);
    for (const step of steps) {
      const answer = step(request);
      if (answer !== undefined) return answer;
    }
    const body = route.handler(request);
    return { status: 200, body, log: request.log };
  }

  return { use, on, handle };
}

module.exports = { createRouter, readQuery, match, scenario };

// driver

function scenario() {
  const router = createRouter();
  let count = 0;
  router.use((request) => {
    count += 1;
    request.log.push(`${count} ${request.method}`);
  });
  router.use(({ query }) => (query.key === "bad" ? { status: 403, body: "no" } : undefined));
  router.on("GET", "/users/:id", ({ params }) => `user ${params.id}`);
  router.on("PUT", "/users/:id", ({ params, query }) => `${params.id} is ${query.name}`);
  router.on("GET", "/users/:id/posts/:post", ({ params }) => `${params.id} ${params.post}`);
  router.on("GET", "/files/*", ({ params }) => params.rest);
  return [
    router.handle("GET", "/users/7"),
    router.handle("PUT", "/users/7?name=ann%20b&key=k"),
    router.handle("GET", "/users/7?key=bad"),
    router.handle("POST", "/users/7"),
    router.handle("GET", "/users/7/posts/a?x=1&x=2&x=3"),
    router.handle("GET", "/files/a/b.txt"),
    router.handle("GET", "/none"),
  ];
}

if (require.main === module) for (const one of scenario()) console.log(one);
