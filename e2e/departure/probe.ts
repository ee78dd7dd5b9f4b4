import type { Scene } from './scene.ts';

/** How a door answers: open, or what it refuses with. */
export type Answer = 'open' | `refused: ${string}`;
export type Probe = () => Promise<Answer>;

/** One way in that a person holds. */
export interface Door {
  /** As in the table. */
  name: string;
  /** A row of the table may have a word more. */
  note?: string;
  open(scene: Scene): Promise<OpenedDoor>;
}

/** A door that somebody has opened. What can be used once was got several times over: each probe uses one up. */
export interface OpenedDoor {
  /** Whether trying it leaves it as it was. */
  lasting: boolean;
  /** Proves that it is open. */
  prove: Probe;
  /** Tried when the trigger has been pulled. */
  after: Probe;
  /** Tried when whoever left has come back. */
  again: Probe;
  close?(): void;
}

/** A door that can be tried any number of times. */
export const lasting = (probe: Probe, close?: () => void): OpenedDoor => ({
  lasting: true,
  prove: probe,
  after: probe,
  again: probe,
  ...(close && { close }),
});

/** A door that closes behind whoever goes through: got anew for each time it is tried. */
export async function single({ returns }: Scene, get: () => Promise<Probe>): Promise<OpenedDoor> {
  const [prove, after, again] = await Promise.all([get(), get(), returns ? get() : notGot]);
  return { lasting: false, prove, after, again };
}

const notGot: Probe = async () => {
  throw new Error('not got: nobody tries the door once more');
};

/** Whether a request was let in: 2xx; or refused for who sends it. @throws Error for any other answer, which proves nothing */
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

/** What every endpoint of a suspended tenant says. */
export const suspended = 'access_denied';

/** Whether a client of the protocol got what it asked for, or an OAuth error that says no. */
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
