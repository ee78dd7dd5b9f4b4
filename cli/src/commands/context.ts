import { Failure } from '../failure.ts';
import { Graph } from '../graph/graph.ts';
import type { Terminal } from '../output/terminal.ts';
import { Operator } from '../session/operator.ts';
import { type Given, openSession, type Session, type Surroundings } from '../session/session.ts';
import { tenantOf } from '../session/settings.ts';

export class Context {
  readonly terminal: Terminal;
  readonly surroundings: Surroundings;
  readonly given: Given & { operator?: boolean };
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  #session: Promise<Session> | undefined;
  #operator: Promise<Operator> | undefined;

  constructor(o: Pick<Context, 'terminal' | 'surroundings' | 'given' | 'signal'>) {
    this.terminal = o.terminal;
    this.surroundings = o.surroundings;
    this.given = o.given;
    this.signal = o.signal;
  }

  /** Stops between two steps after Ctrl-C. @throws Failure interrupted */
  mayGoOn(): void {
    if (this.signal.aborted) throw new Failure('interrupted', 'Interrupted; nothing more was done.');
  }

  /** Returns the session in a tenant: the operator's with --operator. */
  session(): Promise<Session> {
    this.#session ??= this.#open();
    return this.#session;
  }

  operator(): Promise<Operator> {
    this.#operator ??= Operator.at(this.surroundings);
    return this.#operator;
  }

  async graph(): Promise<Graph> {
    return new Graph(await this.session());
  }

  /** Returns the graph of the platform, as the operator. */
  async platform(): Promise<Graph> {
    return new Graph((await this.operator()).platform());
  }

  async #open(): Promise<Session> {
    if (this.given.operator !== true) return openSession(this.given, this.surroundings);
    const tenant = this.given.tenant ?? this.surroundings.env.OSTIARY_TENANT;
    const operator = await this.operator();
    return tenant === undefined ? operator.platform() : operator.in(tenantOf(tenant));
  }
}
