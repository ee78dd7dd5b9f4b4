import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createReencryption } from '../../../src/maintenance.ts';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../../support/running-auth.ts';
import { made, type Works } from './made-with-keys.ts';

/** ENCRYPTION_KEY is replaced while processes of two steps run simultaneously, as in each rollout. */

const [former = '', next = ''] = [1, 2].map(() => randomBytes(32).toString('base64url'));
const steps = {
  former: { ENCRYPTION_KEY: former },
  announced: { ENCRYPTION_KEY: former, ENCRYPTION_KEY_SECOND: next },
  switched: { ENCRYPTION_KEY: next, ENCRYPTION_KEY_SECOND: former },
  removed: { ENCRYPTION_KEY: next },
};
type Step = keyof typeof steps;
const kinds = Object.entries(made);

let backend: Backend;
const running: RunningAuth[] = [];
const start = async (step: Step): Promise<RunningAuth> => {
  const auth = await startAuth(backend, { env: steps[step], publicOrigin: 'https://id.example' });
  running.push(auth);
  return auth;
};
const stop = async (): Promise<void> => {
  await Promise.all(running.splice(0).map((auth) => auth.stop()));
};
/** Values made so far, which must stay valid. */
const lasting: { name: string; works: Works }[] = [];
const allWork = async (at: RunningAuth): Promise<void> => {
  for (const { name, works } of lasting) {
    await works(at).catch((error: unknown) => {
      throw new Error(`${name} doesn't work any more`, { cause: error });
    });
  }
};

beforeAll(async () => {
  backend = await createBackend();
});
afterAll(async () => {
  await stop();
  await backend.drop();
});

const rollout = async (from: Step, to: Step): Promise<void> => {
  const before = await start(from);
  const after = await start(to);
  for (const [name, { lasts, make }] of kinds) {
    for (const [here, there] of [
      [before, after],
      [after, before],
    ] as const) {
      const works = await make(here);
      await works(there).catch((error: unknown) => {
        throw new Error(`${name} of ${here === before ? from : to} doesn't work there`, { cause: error });
      });
      if (lasts) lasting.push({ name: `${name}, made while ${from} became ${to},`, works });
    }
  }
  await allWork(after);
};

test('All values are valid in both processes while the next encryption key is announced.', async () => {
  await rollout('former', 'announced');
  await stop();
});

test('All values are valid in both processes while the encryption keys are exchanged.', async () => {
  await rollout('announced', 'switched');
});

test('A process with neither encryption key does not start.', async () => {
  const other = { ENCRYPTION_KEY: randomBytes(32).toString('base64url') };
  await expect(startAuth(backend, { env: other })).rejects.toThrow(
    'ENCRYPTION_KEY is not the key that encrypts this database',
  );
});

test('All values are sealed again, and the former key can then be removed.', async () => {
  const [, switched] = running as [RunningAuth, RunningAuth];
  const { database, deps } = switched;
  // A process of the previous step that is started manually undoes nothing.
  expect(await createReencryption({ database, keys: deps.keys, kit: deps.kit }).run()).toBe(0);
  await allWork(switched);
  await stop();
  await rollout('switched', 'removed');
  await stop();
  await allWork(await start('removed'));
  await expect(start('former')).rejects.toThrow('ENCRYPTION_KEY is not the key');
});
