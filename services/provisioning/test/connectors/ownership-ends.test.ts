import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Revocation, RevocationList } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import { followOwnershipEnds } from '../../src/connectors/jobs/ownership-ends.ts';
import { ownedConnectors } from '../support/owned-connectors.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { type RunningService, startService } from '../support/service.ts';

let directory: RecordingDirectory;
let service: RunningService;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, tokenKey: randomBytes(32) });
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

const { ownership, tokenOf, create, isOpen } = ownedConnectors(() => service);

/** Returns an end in the form of the revocation feed. */
const entry = (key: string, number: number, kind: Revocation['kind'] = 'owner'): Revocation => ({
  seq: String(number),
  tenant: 'demo',
  kind,
  key,
  epoch: number,
  expiresAt: Date.now() / 1000 + 600,
});

/** Follows ends of ownership during a function; `looks` returns the number of requests for ends. */
async function following(
  during: (list: RevocationList, looks: () => number) => Promise<void>,
): Promise<void> {
  const list = new RevocationList();
  let looks = 0;
  const ends = {
    carryOutAll: async () => {
      await service.carryOutEnds();
      looks += 1;
    },
  };
  const stop = followOwnershipEnds(ends, list, service.kit.log);
  try {
    await eventually(() => looks === 1);
    await during(list, () => looks);
  } finally {
    await stop();
  }
}

test('A connector is disabled as soon as the revocation feed contains the end of its owner, for each end.', async () => {
  await following(async (list) => {
    const owner = ownership().owner();
    for (const _ of [1, 2]) {
      ownership().owner({ id: owner });
      const { token } = await create(tokenOf(owner));
      expect(await isOpen(token)).toBe(true);
      const { number } = ownership().end(owner);
      list.apply([entry(owner, number)]);
      await eventually(async () => !(await isOpen(token)));
    }
  });
});

test('Other revocations, and a repeated entry, cause no request for ends of ownership.', async () => {
  await following(async (list, looks) => {
    const owner = ownership().owner();
    const { number } = ownership().end(owner);
    const end = entry(owner, number);
    list.apply([end]);
    await eventually(() => looks() === 2);
    list.apply([end, entry(owner, number + 1, 'subject')]);
    await sleep(50);
    expect(looks()).toBe(2);
  });
});

test('Ends that do not fit into one response are applied one response after the other.', async () => {
  const owners = Array.from({ length: 5 }, () => ownership().owner());
  const tokens = await Promise.all(owners.map(async (owner) => (await create(tokenOf(owner))).token));
  for (const owner of owners) ownership().end(owner);
  ownership().most = 2;
  await service.carryOutEnds();
  ownership().most = Number.POSITIVE_INFINITY;
  expect(ownership().pending()).toBe(0);
  expect(await Promise.all(tokens.map(isOpen))).toEqual(owners.map(() => false));
});
