import type { Scene } from './scene.ts';

/** Answer of an access path: open, or the code of the rejection. */
export type Answer = 'open' | `refused: ${string}`;
export type Probe = () => Promise<Answer>;

/** An access path of a user. */
export interface AccessPath {
  /** Name in the table. */
  name: string;
  /** Addition to the name in a row of the table. */
  note?: string;
  open(scene: Scene): Promise<OpenedAccessPath>;
}

/** An open access path. Single-use credentials are obtained several times, because each probe uses one up. */
export interface OpenedAccessPath {
  /** Whether a probe leaves it unchanged. */
  lasting: boolean;
  /** Verifies that it is open. */
  prove: Probe;
  /** Sent after the trigger. */
  after: Probe;
  /** Sent after the change is undone. */
  again: Probe;
  close?(): void;
}

/** Returns an access path that can be requested any number of times. */
export const lasting = (probe: Probe, close?: () => void): OpenedAccessPath => ({
  lasting: true,
  prove: probe,
  after: probe,
  again: probe,
  ...(close && { close }),
});

/** Returns an access path with a new credential for each request. */
export async function single({ returns }: Scene, get: () => Promise<Probe>): Promise<OpenedAccessPath> {
  const [prove, after, again] = await Promise.all([get(), get(), returns ? get() : notGot]);
  return { lasting: false, prove, after, again };
}

const notGot: Probe = async () => {
  throw new Error('not got: nobody tries the door once more');
};

/**
 * Returns whether a request was accepted (2xx) or its sender rejected. @throws Error for any other answer, which proves
 * nothing
 */
export async function admitted(
  request: Promise<Response>,
  refusals: readonly number[] = [401],
): Promise<Answer> {
  const response = await request;
  await response.body?.cancel();
  if (response.ok) return 'open';
  if (refusals.includes(response.status)) return `refused: ${response.status}`;
  throw new Error(`neither let in nor refused: ${response.status} ${response.url}`);
}

/** Error of every endpoint of a suspended tenant. */
export const suspended = 'access_denied';

/** Returns whether a request of a client succeeded or was rejected with an OAuth error. */
export async function granted(
  request: Promise<unknown>,
  refusals: readonly string[] = ['invalid_grant'],
): Promise<Answer> {
  try {
    await request;
    return 'open';
  } catch (error) {
    const { error: code, cause } = error as { error?: string; cause?: { error?: string } };
    const said = code ?? cause?.error;
    if (said !== undefined && refusals.includes(said)) return `refused: ${said}`;
    throw error;
  }
}
