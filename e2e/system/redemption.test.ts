import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { issued, oneTimes } from '../support/once/one-times.ts';
import {
  inParallel,
  Pair,
  type Redeem,
  type Redemption,
  rowsOf,
  tokenRequest,
} from '../support/once/redemptions.ts';
import { type RefreshRace, RefreshRaces, refreshes, revocations } from '../support/once/refresh-races.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { signIn } from '../support/sign-in.ts';

// Single use and revocation at two processes of the authorization server, one of which is killed repeatedly.

const parallel = 50;
/** Number of redemptions per kind when all kinds run in parallel. */
const each = 16;
const scope = 'openid offline_access';

let own: OwnSystem;
/** Pair of processes where a repeated refresh is replay immediately. */
let strict: Pair;
/** Pair of processes where a repeated refresh gets the same response for some time. */
let lenient: Pair;

beforeAll(async () => {
  own = await ownSystem();
  [strict, lenient] = await Promise.all([
    Pair.start(own, { REFRESH_RETRY_WINDOW_SECONDS: '0' }),
    Pair.withSystems(own),
  ]);
});

afterAll(() => own?.stop());

const tenant = () => own.demo.tenants.demo;
const races = new RefreshRaces(() => own);

/** Reports whether the grant of the token is stored. Without its grant, a token could not be revoked. */
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

describe.each([
  ['a repetition is replay', () => strict],
  ['a repetition is a retry', () => lenient],
])('a revocation during refreshes, while %s', (_name, pair) => {
  test('A revocation during refreshes leaves no valid token at any process.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const outcome = await (await races.prepare(pair().origins)).start();
      expect(outcome.revoked.map(({ status }) => status)).toEqual(Array(revocations).fill(200));
      for (const answer of outcome.refreshed) {
        if (!issued(answer)) expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
      }
      await races.expectDead(pair().origins, outcome);
    }
  });
});

/** Reports whether some requests of a race were answered and others cut off. */
const isAmid = ({ refreshed, revoked }: RefreshRace): boolean => {
  const answers = refreshed.length + revoked.length;
  return answers > 0 && answers < refreshes + revocations;
};

/**
 * Adds later kill times if no request was answered by the last one, because that depends on the speed of the machine.
 */
function alsoLater(moments: number[], now: number, nothingAnswered: boolean): void {
  if (nothingAnswered && now === moments.at(-1) && now < 5_000) moments.push(2 * now);
}

/** Starting a process is slow, so each kill hits redemptions of all kinds. */
describe('kill -9 of one process', () => {
  test('With kill -9 during all redemptions and revocations, none succeeds twice, each token has its grant, and none is valid after its revocation.', async () => {
    const kinds = oneTimes(() => own);
    const cut = new Set<string>();
    const won = new Set<string>();
    let amidRaces = 0;
    // From before the first statement to after the last response, in ms.
    const moments = [0, 8, 16, 32, 70, 150, 300, 600];
    for (const afterMs of moments) {
      const redeems: Redeem[] = [];
      for (const { get } of kinds) redeems.push(await get());
      const race = await races.prepare(strict.origins);
      const revoking = race.start();
      const racing = redeems.map((redeem) => inParallel(each, strict.origins, redeem));
      await sleep(afterMs);
      await strict.killOne();
      const [answers, outcome] = [await Promise.all(racing), await revoking];
      if (isAmid(outcome)) amidRaces += 1;
      alsoLater(moments, afterMs, amidRaces === 0);
      await races.revokeUnlessAnswered(strict.survivor, outcome);
      await races.expectDead([strict.survivor], outcome);
      await strict.revive();
      // Without delay: an expired credential would be rejected for that reason.
      const lateAnswers = await Promise.all(redeems.map((redeem) => inParallel(6, strict.origins, redeem)));
      await races.expectDead(strict.origins, outcome);
      for (const [index, { name, succeeded }] of kinds.entries()) {
        const before = answers[index] ?? [];
        const late = lateAnswers[index] ?? [];
        const winners = [...before, ...late].filter(succeeded);
        expect([name, afterMs, winners.length <= 1]).toEqual([name, afterMs, true]);
        for (const winner of winners) expect([name, await grantIsStored(winner)]).toEqual([name, true]);
        expect([...before, ...late].filter((one) => one.status >= 500 && one.status !== 503)).toEqual([]);
        if (before.length < each) cut.add(name);
        if (winners.length === 1) won.add(name);
      }
    }
    // The kill times included some during the requests, not only before or after.
    const all = kinds.map(({ name }) => name);
    expect([all.filter((name) => cut.has(name)), all.filter((name) => won.has(name))]).toEqual([all, all]);
    expect(amidRaces).toBeGreaterThan(0);
  });

  test('With kill -9 during parallel redemptions of a code, each response has its grant, and no grant stays valid whose response was lost.', async () => {
    const [code] = oneTimes(() => own);
    const { client_id } = tenant().clients.web;
    const alive = () =>
      rowsOf(own, 'SELECT id FROM auth.grants WHERE client_id = $1 AND revoked_at IS NULL', [client_id]);
    const [mortal] = strict.origins;
    let won = 0;
    let lost = 0;
    const moments = [4, 12, 24, 48, 96, 200];
    for (const afterMs of moments) {
      const redeems: Redeem[] = [];
      while (code && redeems.length < 8) redeems.push(await code.get());
      const before = (await alive()).length;
      const racing = redeems.map((redeem) => redeem(mortal));
      await sleep(afterMs);
      await strict.killOne();
      const answers = await Promise.all(racing);
      for (const answer of answers) {
        expect([undefined, 200]).toContain(answer?.status);
        if (answer) expect(await grantIsStored(answer)).toBe(true);
      }
      // Clients without a response retry: as a first redemption, or as a replay, which revokes the grant of the lost
      // response.
      const cutOff = redeems.filter((_redeem, index) => answers[index] === undefined);
      const again = await Promise.all(cutOff.map((redeem) => redeem(strict.survivor)));
      for (const answer of again.filter((one) => one?.status !== 200))
        expect([answer?.status, answer?.body.error]).toEqual([400, 'invalid_grant']);
      const successes = [...answers, ...again].filter((answer) => answer?.status === 200).length;
      expect((await alive()).length - before).toBe(successes);
      won += redeems.length - cutOff.length;
      lost += cutOff.length;
      alsoLater(moments, afterMs, won === 0);
      await strict.revive();
    }
    expect([won > 0, lost > 0]).toEqual([true, true]);
  });

  test('With kill -9 during refreshes and revocations, a client that was cut off repeats its refresh and continues, and no token is valid after its revocation.', async () => {
    let amid = 0;
    const moments = [0, 8, 16, 24, 32];
    for (const afterMs of moments) {
      const { tokens } = await signIn(own.demo, tenant(), tenant().users.bob, { scope });
      const refresh = { grant_type: 'refresh_token', client_id: tenant().clients.web.client_id };
      const redeem = tokenRequest({ ...refresh, refresh_token: tokens.refresh_token ?? '' });
      const race = await races.prepare(lenient.origins);
      const racing = inParallel(parallel, lenient.origins, redeem);
      const revoking = race.start();
      await sleep(afterMs);
      await lenient.killOne();
      const [answers, outcome] = [await racing, await revoking];

      const again = await redeem(lenient.survivor);
      expect(again?.status).toBe(200);
      const successors = [...answers.filter(issued), again].map((answer) => answer?.body.refresh_token);
      expect(new Set(successors).size).toBe(1);
      const next = tokenRequest({ ...refresh, refresh_token: successors[0] });
      expect((await next(lenient.survivor))?.status).toBe(200);

      if (isAmid(outcome)) amid += 1;
      alsoLater(moments, afterMs, amid === 0);
      await races.revokeUnlessAnswered(lenient.survivor, outcome);
      await races.expectDead([lenient.survivor], outcome);
      await lenient.revive();
      await races.expectDead(lenient.origins, outcome);
    }
    expect(amid).toBeGreaterThan(0);
  });
});

test(`${parallel} parallel refreshes at two processes cause one rotation while a repetition is a retry, and all callers get the same successor.`, async () => {
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
