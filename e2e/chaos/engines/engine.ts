import type { EngineAt, SystemOnEngine } from '../../support/engines/system-on.ts';
import type { Struck } from '../../support/engines/under-fault.ts';

export interface Fault extends Pick<Struck, 'strike' | 'again' | 'forgets'> {
  prepare?: (on: SystemOnEngine) => Promise<unknown>;
  /** @returns the violations after the fault, a sentence each */
  broken?: (on: SystemOnEngine) => Promise<string[]>;
}

/** A highly available engine and its faults. */
export interface Engine {
  name: string;
  /** Address for the system that uses it. */
  at: EngineAt;
  faults: Record<string, Fault>;
  stop(): Promise<void>;
}
