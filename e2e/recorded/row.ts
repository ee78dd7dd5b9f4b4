import type { Asking, Things } from './things.ts';
import type { World } from './world.ts';

export type LogName = 'auditLog' | 'securityLog' | 'connectorLog';

export interface Named {
  mutation: string;
  /** Distinguishes several rows of a mutation. */
  case?: string;
}

interface Attempt extends Named {
  /** Default `administrator`. */
  by?: Asking;
  /** Creates the objects that the mutation needs. These changes are not checked. */
  prepare?(world: World): Promise<void>;
  input(the: Things): object;
  /** Selection on the payload. */
  select: string;
}

/** Mutation, and the log entry that it must leave. */
export interface Row extends Attempt {
  /** Values of the payload to keep: name → path in the payload. */
  keep?: Readonly<Record<string, string>>;
  log: LogName;
  action: string;
  resourceType: string;
  /** Name of the changed object, or a function that returns its id. */
  resource: string | ((the: Things) => string);
  /** Expected changes of the entry, which may have further ones. */
  changes(the: Things): Readonly<Record<string, { before?: unknown; after?: unknown }>>;
  /** Actions of entries about effects on other objects, which the change does not name. */
  follows?: readonly string[];
  /** Action of an entry that may follow, depending on the order in which two events are processed. */
  mayFollow?: string;
  /** Names of input values that no log may contain. Secrets of the payload are found by their field names. */
  secrets?: readonly string[];
}

/** Mutation that changes nothing and leaves no entry. */
export interface Idle extends Omit<Attempt, 'by'> {
  by?: Asking | 'rival';
  /** Expected error code. Without one, the mutation succeeds without a change. */
  refusal?: string;
}

/** Replaces secret values in the logs. */
export const masked = '********';
