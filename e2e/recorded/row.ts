import type { Asking, Things } from './things.ts';
import type { World } from './world.ts';

export type LogName = 'auditLog' | 'securityLog' | 'connectorLog';

export interface Named {
  mutation: string;
  /** What sets it apart from the mutation's other rows. */
  case?: string;
}

interface Attempt extends Named {
  /** The administrator unless said. */
  by?: Asking;
  /** Makes what the mutation needs; none of it is looked at. */
  prepare?(world: World): Promise<void>;
  input(the: Things): object;
  /** What is asked of its answer. */
  select: string;
}

/** A mutation, and the entry it must leave. */
export interface Row extends Attempt {
  /** What of the answer gets a name: name → path from the payload on. */
  keep?: Readonly<Record<string, string>>;
  log: LogName;
  action: string;
  resourceType: string;
  /** The name of what is changed, or its id made from things. */
  resource: string | ((the: Things) => string);
  /** Of the entry; what isn't said here may be in it too. */
  changes(the: Things): Readonly<Record<string, { before?: unknown; after?: unknown }>>;
  /** Entries that tell what came of it for somebody else, whose names the change doesn't say: their actions. */
  follows?: readonly string[];
  /** An entry that may tell of it as well, depending on which of two pieces of news is heard first. */
  mayFollow?: string;
  /** Things of the input that no log may hold; what is secret in the answer is known by its name. */
  secrets?: readonly string[];
}

/** A mutation that changes nothing, and so leaves no entry. */
export interface Idle extends Omit<Attempt, 'by'> {
  by?: Asking | 'rival';
  /** The code of the refusal; without one it succeeds and finds everything as it is asked for. */
  refusal?: string;
}

/** Stands in the logs for what nobody may read. */
export const masked = '********';
