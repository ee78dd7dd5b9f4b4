import { describe, expect, test } from '@jest/globals';
import { lasting, type OpenedAccessPath, type Probe } from '../../departure/probe.ts';
import type { Scene } from '../../departure/scene.ts';
import { columns, doors } from '../../departure/table.ts';
import type { Trigger } from '../../departure/trigger.ts';
import { evaluate } from '../evaluation.ts';
import { measures } from '../plan.ts';
import { Random } from '../random.ts';
import { pageOf } from '../report.ts';
import type { Outcome } from '../run.ts';
import type { Stage } from '../stage.ts';
import type { SceneAccessPath } from './scene-doors.ts';
import { SceneDeck } from './scene-plan.ts';
import { colleaguesToken, expectationFor, Scenes, type SetScene } from './scenes.ts';

const open: Probe = async () => 'open';
const shut: Probe = async () => 'refused: 401';
const silent: Probe = async () => {
  throw new Error('fetch failed');
};
const once = (after: Probe, again: Probe = after): OpenedAccessPath => ({
  lasting: false,
  prove: open,
  after,
  again,
});
/** Single-use credentials. */
const usedUp = [
  'authorization code',
  'device code',
  'pushed authorization request',
  'consent page',
  'sign-in, second factor',
  'passkey challenge',
  'recovery code',
];
const isUsedUp = (name: string) => usedUp.some((start) => name.startsWith(start));

const stage = { demo: { origin: 'http://localhost', tenants: {} }, urls: {}, system: { secrets: {} } };

function newScenes(disturbed = false) {
  const deck = new SceneDeck(new Random(1));
  const options = { deck, stalenessMs: -490, disturbedSince: () => disturbed };
  return { deck, scenes: new Scenes(stage as unknown as Stage, options) };
}

/** Creates a scene with a trigger and these access paths. */
function setOf(
  trigger: Pick<Trigger, 'column'> & Partial<Trigger>,
  opened: Record<string, OpenedAccessPath>,
): SetScene {
  const given: Trigger = { name: 'it', fire: async () => undefined, ...trigger };
  return {
    plan: { number: 1, trigger: given.name, doors: Object.keys(opened), second: false },
    trigger: given,
    scene: { place: { id: 'ours' }, person: { id: 'one', user: { userName: 'one' } } } as unknown as Scene,
    doors: Object.entries(opened).map(
      ([name, door]): SceneAccessPath => ({
        name,
        expectation: expectationFor(given, name),
        opened: door,
        openedAt: 0,
      }),
    ),
  };
}

/** Returns the result of one scene that is watched for `withinMs` milliseconds. */
async function outcomeOf(
  set: SetScene,
  o: { disturbed?: boolean; withinMs?: number } = {},
): Promise<Outcome> {
  const { scenes } = newScenes(o.disturbed);
  await scenes.play(set, AbortSignal.timeout(o.withinMs ?? 60));
  await scenes.tryAll();
  const { played, reopened } = scenes;
  return {
    seed: 1,
    measures: measures.minute,
    stalenessMs: 10_000,
    startedAt: new Date(0),
    from: 0,
    to: performance.now(),
    struck: [],
    stalls: [],
    left: [],
    played,
    departuresOf: [],
    reopened,
    returns: [],
    outages: [],
    mixedUp: [],
    livingTries: 1,
    triedAgain: 0,
    wrongEffects: [],
    notified: [],
    refusals: [],
    errors: [],
    audit: { ok: true, at: '', tookMs: 0, checks: [] },
  };
}

const brokenBy = async (...given: Parameters<typeof outcomeOf>): Promise<string[]> =>
  evaluate(await outcomeOf(...given)).broken;

/** Returns every access path with the table's result for a column, except one. */
function asInTable(
  column: string,
  except?: { door: string; probe: Probe },
): Record<string, OpenedAccessPath> {
  return Object.fromEntries(
    [...doors.map(({ name }) => name), colleaguesToken].map((name) => {
      const right = typeof expectationFor({ column }, name) === 'string' ? shut : open;
      const probe = name === except?.door ? except.probe : right;
      return [name, isUsedUp(name) ? once(probe) : lasting(probe)];
    }),
  );
}

describe.each(columns.map(({ name }) => name))('%s', (column) => {
  test('No violation is reported where every access path behaves as the table states.', async () => {
    expect(await brokenBy(setOf({ column }, asInTable(column)))).toEqual([]);
  });

  test('A violation is reported for each access path that differs from the table and for no other.', async () => {
    const names = [...doors.map(({ name }) => name), colleaguesToken];
    const said = await Promise.all(
      names.map(async (door) => {
        const closes = typeof expectationFor({ column }, door) === 'string';
        const probe = closes ? open : shut;
        return {
          door,
          closes,
          broken: await brokenBy(setOf({ column }, asInTable(column, { door, probe }))),
        };
      }),
    );
    for (const { door, closes, broken } of said) {
      const complaint = closes ? `${door} was never refused` : `${door} didn't stay open`;
      expect([door, broken]).toEqual([door, expect.arrayContaining([expect.stringContaining(complaint)])]);
      for (const sentence of broken) expect(sentence).toContain(door);
    }
  });
});

test('An access path that opens again is detected even if it was closed at first.', async () => {
  const graph = 'access token at the graph';
  const door = { ...lasting(shut), again: open };
  const broken = await brokenBy(setOf({ column: 'signed out' }, { [graph]: door }));
  expect(broken).toEqual([expect.stringContaining(`${graph} opened again`)]);
});

test('An access path that opens again is detected while other users are offboarded.', async () => {
  const { scenes } = newScenes();
  const graph = 'access token at the graph';
  let shutFor = 3;
  const door: Probe = async () => {
    shutFor -= 1;
    return shutFor < 0 ? 'open' : 'refused: 401';
  };
  await scenes.play(setOf({ column: 'signed out' }, { [graph]: lasting(door) }), AbortSignal.timeout(60));
  for (let turn = 0; turn < 2; turn += 1) await scenes.tryAgain(() => 0);
  expect(scenes.reopened).toMatchObject([{ door: graph, person: 'one (it)' }]);
  expect([scenes.hasPlayed(1), scenes.hasPlayed(2)]).toEqual([true, false]);
});

test('One refusal is not enough, because the next request may reach another process.', async () => {
  let asked = 0;
  const flapping: Probe = async () => {
    asked += 1;
    return asked % 2 === 0 ? 'refused: 401' : 'open';
  };
  const broken = await brokenBy(
    setOf({ column: 'offboarded' }, { 'access token at the graph': lasting(flapping) }),
    {
      withinMs: 400,
    },
  );
  expect(asked).toBeGreaterThan(4);
  expect(broken).toContainEqual(expect.stringContaining('was never refused'));
});

test('A reactivation opens the access paths that were only suspended and no others.', async () => {
  const comeBack = async () => undefined;
  const trigger = { column: 'connector disabled', comeBack };
  const good = { ...lasting(shut), again: open };
  let back = false;
  const waits: Probe = async () => (back ? 'open' : 'refused: 401');
  const returns = {
    ...trigger,
    comeBack: async () => {
      back = true;
    },
  };
  expect(await brokenBy(setOf(returns, { 'connector token': lasting(waits) }))).toEqual([]);
  const deleted = { column: 'offboarded', comeBack };
  expect(await brokenBy(setOf(deleted, { 'refresh token': good }))).toEqual([
    expect.stringContaining('refresh token opened again'),
  ]);
});

describe('single-use credentials', () => {
  const code = 'authorization code, not redeemed';
  const evaluated = (opened: OpenedAccessPath, o: { column?: string; disturbed?: boolean } = {}) =>
    brokenBy(setOf({ column: o.column ?? 'offboarded' }, { [code]: opened }), o);

  test('A single-use credential counts as closed when the second one is refused.', async () => {
    expect(await evaluated(once(open, shut))).toEqual([]);
    expect(await evaluated(once(silent, shut))).toEqual([]);
    expect(await evaluated(once(open, open))).toEqual([expect.stringContaining('was never refused')]);
    // Without an answer the state is unknown.
    expect(await evaluated(once(silent, silent))).toEqual([]);
  });

  test('A single-use credential may be lost by a fault and by nothing else.', async () => {
    const column = 'connector revoked';
    expect(await evaluated(once(shut), { column })).toEqual([expect.stringContaining("didn't stay open")]);
    expect(await evaluated(once(shut), { column, disturbed: true })).toEqual([]);
    const lastingAccessPath = { 'access token at the graph': lasting(shut) };
    expect(await brokenBy(setOf({ column }, lastingAccessPath), { disturbed: true })).toHaveLength(1);
  });
});

describe('a change whose answer is lost', () => {
  const afterwards = (errors: readonly unknown[], done?: RegExp) => {
    const waiting = [...errors];
    return {
      column: 'offboarded',
      ...(done && { done }),
      fire: async () => {
        if (waiting.length > 0) throw waiting.shift();
      },
    };
  };
  const play = async (trigger: Pick<Trigger, 'column'> & Partial<Trigger>) => {
    const { scenes } = newScenes();
    await scenes.play(setOf(trigger, {}), AbortSignal.timeout(60));
    return scenes.played.map(({ attempts }) => attempts);
  };

  test('A change whose response is lost is repeated, and counts as done when the deleted resource is gone.', async () => {
    const lost = new Error('fetch failed');
    const gone = new AggregateError([new Error('answered 404'), new Error('answered 404')]);
    const partly = new AggregateError([new Error('answered 404'), lost]);
    expect(
      await Promise.all([
        play(afterwards([lost])),
        play(afterwards([lost, gone], /404/)),
        // The state of one of them is unknown.
        play(afterwards([lost, partly], /404/)),
        // A user who never existed cannot have been deleted.
        play(afterwards([gone], /404/)),
      ]),
    ).toEqual([[2], [2], [3], [2]]);
  });
});

test('The page names the trigger and how often each access path closed and stayed open.', async () => {
  const outcome = await outcomeOf(
    setOf({ column: 'app disabled', name: 'app deleted' }, asInTable('app disabled')),
  );
  const page = pageOf(outcome, evaluate(outcome));
  const closing = doors.filter(
    ({ name }) => typeof expectationFor({ column: 'app disabled' }, name) === 'string',
  );
  // The other user's token is one more.
  expect(page).toMatch(
    new RegExp(
      `\\| app disabled \\| app deleted \\| 1 \\| ${closing.length + 1} \\| 0 ms \\| ${doors.length - closing.length} \\|`,
    ),
  );
  for (const { name } of doors)
    expect(page).toContain(
      closing.some((one) => one.name === name) ? `| ${name} | 1 | 0 |` : `| ${name} | 0 | 1 |`,
    );
});
