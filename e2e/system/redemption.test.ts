import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { issued, oneTimes } from '../support/one-times.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import {
  inParallel,
  Pair,
  type Redeem,
  type Redemption,
  rowsOf,
  tokenRequest,
} from '../support/redemptions.ts';
import { signIn } from '../support/sign-in.ts';

jest.setTimeout(180_000);

const parallel = 50;
/** Of each kind, while all kinds are redeemed at once. */
const each = 16;
const scope = 'openid offline_access';

let own: OwnSystem;
/** Repeating a refresh is replay from the first moment on. */
let strict: Pair;
/** A repeated refresh gets the same answer for a while. */
let lenient: Pair;

beforeAll(async () => {
  own = await ownSystem();
  [strict, lenient] = await Promise.all([
    Pair.start(own, { REFRESH_RETRY_WINDOW_SECONDS: '0' }),
    Pair.start(own, {}),
  ]);
});

afterAll(() => own?.stop());

const tenant = () => own.demo.tenants.demo;

/** A token whose grant is not in the database would be one that nothing can revoke. */
async function grantIsStored(answer: Redemption): Promise<boolean> {
  if (answer.body.access_token === undefined) return true;
  const { grant_id } = decodeJwt(answer.body.access_token);
  if (grant_id === undefined) return true;
  return (await rowsOf(own, 'SELECT 1 FROM auth.grants WHERE id = $1', [grant_id])).length === 1;
}

describe.each(oneTimes(() => own))('$name', ({ get, succeeded, refusal }) => {
  test(`${parallel} parallel redemptions of one credential at two processes succeed exactly once.`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const answers = await inParallel(parallel, strict.origins, await get());
      expect(answers).toHaveLength(parallel);
      const [winner, ...more] = answers.filter(succeeded);
      expect([winner === undefined, more.length]).toEqual([false, 0]);
      if (winner) expect(await grantIsStored(winner)).toBe(true);
      for (const answer of answers.filter((one) => one !== winner)) {
        expect(answer.status).toBe(refusal.status);
        if (refusal.error) expect(answer.body.error).toBe(refusal.error);
      }
    }
  });
});

test('With kill -9 of one process amid all redemptions, none succeeds twice and no token lacks its grant.', async () => {
  const kinds = oneTimes(() => own);
  const cut = new Set<string>();
  const won = new Set<string>();
  // From before the first statement to after the last answer.
  for (const afterMs of [0, 12, 30, 70, 150, 300, 600]) {
    const redeems: Redeem[] = [];
    for (const { get } of kinds) redeems.push(await get());
    const racing = redeems.map((redeem) => inParallel(each, strict.origins, redeem));
    await sleep(afterMs);
    await strict.killOne();
    const answers = await Promise.all(racing);
    await strict.revive();
    for (const [index, { name, succeeded }] of kinds.entries()) {
      const before = answers[index] ?? [];
      const late = await inParallel(6, strict.origins, redeems[index] as Redeem);
      const winners = [...before, ...late].filter(succeeded);
      expect([name, afterMs, winners.length <= 1]).toEqual([name, afterMs, true]);
      for (const winner of winners) expect([name, await grantIsStored(winner)]).toEqual([name, true]);
      expect([...before, ...late].filter((one) => one.status >= 500 && one.status !== 503)).toEqual([]);
      if (before.length < each) cut.add(name);
      if (winners.length === 1) won.add(name);
    }
  }
  // It was in the middle, not only before or after.
  const all = kinds.map(({ name }) => name);
  expect([all.filter((name) => cut.has(name)), all.filter((name) => won.has(name))]).toEqual([all, all]);
});

describe('a refresh token while a repetition is taken for a retry', () => {
  test(`${parallel} parallel refreshes at two processes make one rotation, and all callers get the same successor.`, async () => {
    const { tokens } = await signIn(own.demo, tenant(), tenant().users.bob, { scope });
    const refresh = {
      grant_type: 'refresh_token',
      client_id: tenant().clients.web.client_id,
      refresh_token: tokens.refresh_token ?? '',
    };
    const answers = await inParallel(parallel, lenient.origins, tokenRequest(refresh));
    expect(answers.map((answer) => answer.status)).toEqual(Array(parallel).fill(200));
    expect(new Set(answers.map((answer) => answer.body.refresh_token)).size).toBe(1);
    const { grant_id } = decodeJwt(tokens.access_token);
    const families = await rowsOf(own, 'SELECT generation FROM auth.refresh_families WHERE grant_id = $1', [
      grant_id,
    ]);
    expect(families).toEqual([{ generation: 1 }]);
  });

  test('With kill -9 of one process amid refreshes, a client that was cut off repeats its refresh and continues.', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { tokens } = await signIn(own.demo, tenant(), tenant().users.bob, { scope });
      const refresh = { grant_type: 'refresh_token', client_id: tenant().clients.web.client_id };
      const redeem = tokenRequest({ ...refresh, refresh_token: tokens.refresh_token ?? '' });
      const racing = inParallel(parallel, lenient.origins, redeem);
      await sleep(round * 12);
      await lenient.killOne();
      const answers = await racing;
      const again = await redeem(lenient.origins[1] ?? '');
      expect(again?.status).toBe(200);
      const successors = [...answers.filter(issued), again].map((answer) => answer?.body.refresh_token);
      expect(new Set(successors).size).toBe(1);
      const next = tokenRequest({ ...refresh, refresh_token: successors[0] });
      expect((await next(lenient.origins[1] ?? ''))?.status).toBe(200);
      await lenient.revive();
    }
  });
});
