/** What is there: who waits for a person, live sessions and runs, then what was recorded. */
import type { SessionRow } from "../../protocol.ts";
import { Typed } from "../parts/advice.tsx";
import { OwnerTag } from "../parts/owner.tsx";
import { StartForm } from "../parts/start-form.tsx";
import { clock, many, oneLine, shortPath } from "../parts/text.ts";
import { canAct } from "../state/doing.ts";
import { hello } from "../state/link.ts";
import { now } from "../state/sessions.ts";

interface TraceRow {
  head?: { id: string; title: string; began: string; seen: number; plan: { lines?: unknown } };
}
interface ProfileRow {
  id: string;
  kind: string;
  title: string;
  began: string;
}
/** Of `agent sessions --json`. */
interface AgentRow {
  name?: string;
  id: string;
  state: string;
  what: string;
  held: number;
  startTime: string;
}

export default function NowView() {
  const all = now.value;
  if (all === undefined || all.unknown) return <p class="boot">Looking …</p>;
  const stopped = all.sessions.filter(({ state }) => state === "stopped");
  const others = all.sessions.filter(({ state }) => state !== "stopped");
  const runs = all.agents as unknown as AgentRow[];
  const held = runs.filter((row) => row.held > 0);
  const agents = runs.filter((row) => row.held === 0);
  const waiting = stopped.length + held.length;
  const nothing = all.sessions.length + runs.length + all.traces.length + all.profiles.length === 0;
  return (
    <div class="page now">
      <h1 class="unseen">Now</h1>
      {canAct() && !nothing ? <StartForm /> : ""}
      {nothing ? <Nothing /> : ""}
      {waiting === 0 && !nothing ? <p class="note">Nothing waits for you.</p> : ""}
      <Section title="Waiting for you" count={waiting}>
        {held.map((row) => (
          <Agent key={row.id} row={row} />
        ))}
        {stopped.map((row) => (
          <Session key={row.name} row={row} />
        ))}
      </Section>
      <Section title="Sessions" count={others.length}>
        {others.map((row) => (
          <Session key={row.name} row={row} />
        ))}
      </Section>
      <Section title="Agents" count={agents.length}>
        {agents.map((row) => (
          <Agent key={row.id} row={row} />
        ))}
      </Section>
      <Section title="Traces" count={all.traces.length}>
        {(all.traces as TraceRow[]).flatMap(({ head }) =>
          head === undefined
            ? []
            : [
                <Item
                  key={head.id}
                  href={`/t/${head.id}`}
                  name={head.id}
                  state={many(head.seen, head.plan.lines === undefined ? "hit" : "event")}
                  text={head.title}
                  when={head.began}
                />,
              ],
        )}
      </Section>
      <Section title="Profiles" count={all.profiles.length}>
        {(all.profiles as unknown as ProfileRow[]).map((row) => (
          <Item
            key={row.id}
            href={`/p/${row.id}`}
            name={row.id}
            state={row.kind}
            text={row.title}
            when={row.began}
          />
        ))}
      </Section>
    </div>
  );
}

function Section({
  title,
  count,
  children,
}: {
  title: string;
  count: number;
  children: preact.ComponentChildren;
}) {
  if (count === 0) return null;
  return (
    <section class="now-section" aria-label={title}>
      <h2>
        {title} <span class="quiet">{count}</span>
      </h2>
      <ul class="items">{children}</ul>
    </section>
  );
}

function Session({ row }: { row: SessionRow }) {
  const { cwd = "", home = "" } = hello.value ?? {};
  const place =
    row.stop?.path === undefined
      ? ""
      : `${shortPath(row.stop.path, cwd, home)}:${row.stop.line ?? ""}${row.stop.function ? ` in ${row.stop.function}` : ""}`;
  return (
    <li>
      <a class="item" href={`/s/${encodeURIComponent(row.name)}`}>
        <span class="item-name">{oneLine(row.name, 60)}</span>
        <span class={`state s-${row.state}`}>{row.stop?.reason ?? row.ending ?? row.state}</span>
        <span class="item-text">
          {place === "" ? oneLine(shortPath(row.program, cwd, home), 200) : oneLine(place, 200)}
        </span>
        <OwnerTag owner={row.owner} />
        <time>{clock(row.stop?.at ?? row.startedAt)}</time>
      </a>
    </li>
  );
}

function Agent({ row }: { row: AgentRow }) {
  return (
    <Item
      href={`/a/${encodeURIComponent(row.id)}`}
      name={row.name ?? row.id}
      state={row.state}
      waits={row.held > 0}
      text={row.what}
      when={row.startTime}
    />
  );
}

function Item(props: {
  href: string;
  name: string;
  state: string;
  waits?: boolean;
  text: string;
  when: string;
}) {
  return (
    <li>
      <a class="item" href={props.href}>
        <span class="item-name">{oneLine(props.name, 60)}</span>
        <span class={props.waits ? "state s-stopped" : "state"}>{oneLine(props.state, 40)}</span>
        <span class="item-text">{oneLine(props.text, 200)}</span>
        <time>{clock(props.when)}</time>
      </a>
    </li>
  );
}

function Nothing() {
  return (
    <div class="empty">
      <h2>Nothing is being debugged</h2>
      {canAct() ? <StartForm /> : ""}
      <p>Or type one of these in a project folder; it appears here at once.</p>
      <dl class="starts">
        <dt>stop at a line and look around</dt>
        <dd>
          <Typed line="sonde start app.js --break app.js:12" />
        </dd>
        <dt>find where it throws</dt>
        <dd>
          <Typed line="sonde start app.js --catch all" />
        </dd>
        <dt>record a value at every hit of a line</dt>
        <dd>
          <Typed line="sonde trace --at app.py:40=total -- python3 app.py" />
        </dd>
        <dt>see where the time goes</dt>
        <dd>
          <Typed line="sonde profile cpu -- node app.js" />
        </dd>
        <dt>watch an agent</dt>
        <dd>
          <Typed line="sonde agent run -- claude" />
        </dd>
      </dl>
    </div>
  );
}
