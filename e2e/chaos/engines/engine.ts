import type { EngineAt, SystemOnEngine } from '../../support/engines/system-on.ts';
import type { Struck } from '../../support/engines/under-fault.ts';

export interface Fault extends Pick<Struck, 'strike' | 'again' | 'forgets'> {
  prepare?: (on: SystemOnEngine) => Promise<unknown>;
  /** @returns what doesn't hold afterwards, a sentence each */
  broken?: (on: SystemOnEngine) => Promise<string[]>;
}

/** A highly available engine, and what happens to it. */
export interface Engine {
  name: string;
  /** Where it is, for the system that is started on it. */
  at: EngineAt;
  faults: Record<string, Fault>;
  stop(): Promise<void>;
}
