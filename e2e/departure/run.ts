import { eventually } from '@ostiary/service/testing';
import { Browser } from '../support/browser.ts';
import { runningDemo } from '../support/demo.ts';
import { type Operator, operatorOf, type Place, placeOf } from './place.ts';
import type { Answer, OpenedAccessPath, Probe } from './probe.ts';
import { authorize, newScene, redeem, type Scene } from './scene.ts';
import { type Column, columns, doors, type Expectation, expected } from './table.ts';
import type { Trigger } from './trigger.ts';

/** Answers by access path; an error where the answer proves nothing. */
export type Answers = ReadonlyMap<string, Answer | Error>;

/** Result of one trigger. */
export interface Outcome {
  /** Before the trigger; an access path that is not open is an error. */
  before: Answers;
  after: Answers;
  /** After the change is undone, where that is possible. */
  again?: Answers;
  /** Answers of another user of the tenant, and of a user with the same name in the other tenant. */
  bystanders: readonly { who: string; after: Answers }[];
}

interface Ground {
  operator: Operator;
  place: Place;
  rival: Place;
}

let shared: Promise<Ground> | undefined;

async function ground(): Promise<Ground> {
  const demo = runningDemo();
  const [place, rival] = await Promise.all([
    placeOf(demo, demo.tenants.demo),
    placeOf(demo, demo.tenants.rival),
  ]);
  return { operator: operatorOf(demo), place, rival };
}

/** Opens every access path, verifies that it is open, triggers the change, and requests every access path again. */
export async function run(trigger: Trigger, column: Column): Promise<Outcome> {
  shared ??= ground();
  const { operator, place: common, rival } = await shared;
  const place = trigger.ownTenant ? await operator.makeTenant() : common;
  const scene = await newScene(place, { returns: trigger.comeBack !== undefined });
  await trigger.prepare?.(scene);
  const others = trigger.bystanders
    ? [
        { who: 'a colleague', scene: await newScene(place, { apps: scene.apps, returns: false }) },
        {
          who: 'their namesake in the other tenant',
          scene: await newScene(rival, { userName: scene.person.user.userName, returns: false }),
        },
      ]
    : [];
  const opened = await open(scene);
  const bystanders = await Promise.all(
    others.map(async ({ who, scene: theirs }) => ({ who, opened: await open(theirs) })),
  );
  try {
    const before = await each(opened, ({ prove }) => prove);
    await trigger.fire(scene, operator);
    const after = await afterwards(opened, column);
    const untouched = [];
    for (const { who, opened: theirs } of bystanders) {
      untouched.push({ who, after: await each(theirs, (door) => door.after) });
    }
    if (!trigger.comeBack) return { before, after, bystanders: untouched };
    await trigger.comeBack(scene, operator);
    await signsInAnew(scene);
    // The reactivation reaches each process by an event, so single-use credentials are used last.
    const lastingFirst = [...opened].toSorted(([, a], [, b]) => Number(b.lasting) - Number(a.lasting));
    const again = await each(new Map(lastingFirst), ({ lasting, again: probe }, name) =>
      lasting && expected(column, name) !== 'closes' ? () => whenOpen(probe) : probe,
    );
    return { before, after, again, bystanders: untouched };
  } finally {
    for (const { opened: all } of [{ opened }, ...bystanders]) {
      for (const door of all.values()) door.close?.();
    }
  }
}

async function open(scene: Scene): Promise<Map<string, OpenedAccessPath>> {
  const opened = new Map<string, OpenedAccessPath>();
  // One after the other: some share a browser, which must not load two pages concurrently.
  for (const door of doors) opened.set(door.name, await door.open(scene));
  return opened;
}

/** Waits for access paths that close by an event; single-use credentials are used when the events have arrived. */
async function afterwards(opened: Map<string, OpenedAccessPath>, column: Column): Promise<Answers> {
  const answers = new Map<string, Answer | Error>();
  const closing = [...opened].filter(
    ([name, door]) => door.lasting && typeof expected(column, name) === 'string',
  );
  const untilClosed = ([name, { after }]: [string, OpenedAccessPath]): Promise<unknown> =>
    outcomeOf(() => eventually(after, (answer) => answer !== 'open')).then((answer) =>
      answers.set(name, answer),
    );
  // Cheap requests first: complete sign-ins and requests at many places start when the events have probably arrived.
  const isCheap = ([name]: [string, OpenedAccessPath]): boolean => name.startsWith('access token at');
  await Promise.all(closing.filter(isCheap).map(untilClosed));
  await Promise.all(closing.filter((one) => !isCheap(one)).map(untilClosed));
  const rest = new Map([...opened].filter(([name]) => !answers.has(name)));
  for (const [name, answer] of await each(rest, ({ after }) => after)) answers.set(name, answer);
  return answers;
}

/** One after the other, as in one browser. */
async function each(
  opened: ReadonlyMap<string, OpenedAccessPath>,
  probeOf: (door: OpenedAccessPath, name: string) => Probe,
): Promise<Answers> {
  const answers = new Map<string, Answer | Error>();
  for (const [name, door] of opened) answers.set(name, await outcomeOf(probeOf(door, name)));
  return answers;
}

const whenOpen = (probe: Probe): Promise<Answer> => eventually(probe, (answer) => answer === 'open');

async function outcomeOf(probe: Probe): Promise<Answer | Error> {
  try {
    return await probe();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Waits until the user can sign in with their password. */
async function signsInAnew({ place, apps, person }: Scene): Promise<void> {
  await eventually(
    () =>
      authorize(apps.app, new Browser(place.demo.origin), person.user)
        .then(redeem)
        .then(
          () => true,
          () => false,
        ),
    (signedIn) => signedIn,
  );
}

/** Returns the effect of a trigger's column on an access path. */
export function expectationOf(trigger: Trigger, door: string): Expectation {
  return expected(columnOf(trigger), door);
}

export function columnOf(trigger: Trigger): Column {
  const column = columns.find(({ name }) => name === trigger.column);
  if (!column) throw new Error(`the table has no column ${trigger.column}`);
  return column;
}
