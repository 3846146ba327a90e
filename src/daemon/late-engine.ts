/** The engine, loaded when the first request wants it: without it a daemon is little more than its socket. */
import type { Engine, EngineReply, EngineRequest, RequestIo } from "../engine/engine.ts";

export class LateEngine implements Engine {
  readonly #load: () => Promise<Engine>;
  readonly #listeners: (() => void)[] = [];
  #loading: Promise<Engine> | undefined;
  #engine: Engine | undefined;

  constructor(load: () => Promise<Engine>) {
    this.#load = load;
  }

  /** The same one for all who ask. Throws what stands in the way: it will next time too. */
  load(): Promise<Engine> {
    this.#loading ??= this.#loaded();
    return this.#loading;
  }

  async #loaded(): Promise<Engine> {
    const engine = await this.#load();
    for (const listener of this.#listeners) engine.onSessions(listener);
    this.#engine = engine;
    return engine;
  }

  get isLoaded(): boolean {
    return this.#engine !== undefined;
  }

  async handle(request: EngineRequest, io: RequestIo): Promise<EngineReply> {
    return (await this.load()).handle(request, io);
  }

  get sessions(): number {
    return this.#engine?.sessions ?? 0;
  }

  get isEmpty(): boolean {
    return this.#engine?.isEmpty ?? true;
  }

  onSessions(listener: () => void): void {
    this.#listeners.push(listener);
    this.#engine?.onSessions(listener);
  }

  async close(): Promise<void> {
    const engine = await this.#loading?.catch(() => undefined); // who wanted it has been told
    await engine?.close();
  }
}
