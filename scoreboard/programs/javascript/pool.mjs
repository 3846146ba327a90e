// A pool of slow calls: never more than a few at a time, tried again, in order.

export function createPool(limit) {
  const waiting = [];
  const stats = { running: 0, most: 0, done: 0 };

  async function run(job) {
    if (stats.running >= limit) await new Promise((go) => waiting.push(go));
    stats.running += 1;
    stats.most = Math.max(stats.most, stats.running);
    try {
      return await job();
    } finally {
      stats.running -= 1;
      stats.done += 1;
      const next = waiting.shift();
      if (next) next();
    }
  }

  return { run, stats };
}

export async function retry(job, times, log) {
  let last;
  for (let attempt = 1; attempt <= times; attempt++) {
    try {
      const value = await job(attempt);
      return value;
    } catch (error) {
      last = error;
      log.push(`${attempt}: ${error.message}`);
    }
  }
  throw last;
}

export async function collect(jobs, limit) {
  const pool = createPool(limit);
  const log = [];
  const results = await Promise.allSettled(
    jobs.map(async ({ name, work, times }) => {
      const value = await pool.run(() => retry(work, times, log));
      log.push(`${name} done`);
      return `${name}=${value}`;
    }),
  );
  const good = results.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
  const bad = results.filter(({ status }) => status === "rejected").length;
  return { good, bad, log, ...pool.stats };
}

export async function batches(items, size, send) {
  const sent = [];
  let batch = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      sent.push(await send(batch));
      batch = [];
    }
  }
  if (batch.length > 0) sent.push(await send(batch));
  return sent;
}

// driver

const pause = (rounds) => (rounds === 0 ? Promise.resolve() : Promise.resolve().then(() => pause(rounds - 1)));

function job(name, value, failures, times = 3) {
  return {
    name,
    times,
    work: async (attempt) => {
      await pause(value);
      if (attempt <= failures) throw new Error(`${name} failed`);
      return value * attempt;
    },
  };
}

export async function scenario() {
  const jobs = [job("a", 3, 0), job("b", 1, 1), job("c", 2, 5), job("d", 4, 2), job("e", 1, 0)];
  const collected = await collect(jobs, 2);
  const sent = await batches([1, 2, 3, 4, 5], 2, async (batch) => {
    await pause(1);
    return batch.join("+");
  });
  return { ...collected, sent };
}

if (process.argv[1]?.endsWith("pool.mjs")) console.log(JSON.stringify(await scenario(), undefined, 1));
