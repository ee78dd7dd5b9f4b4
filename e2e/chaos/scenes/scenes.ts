import { setTimeout as sleep } from 'node:timers/promises';
import { type Operator, operatorOf, type Place } from '../../departure/place.ts';
import { admitted, lasting, type OpenedAccessPath } from '../../departure/probe.ts';
import { newScene, type Scene } from '../../departure/scene.ts';
import { columns, doors, type Expectation, expected } from '../../departure/table.ts';
import type { Trigger } from '../../departure/trigger.ts';
import type { Left } from '../departures.ts';
import type { Outage } from '../living.ts';
import type { Stage } from '../stage.ts';
import {
  asker,
  isClosed,
  isFragile,
  newClosing,
  type SceneAccessPath,
  staysOpen,
  untilClosed,
} from './scene-doors.ts';
import { type SceneDeck, type ScenePlan, triggerOf } from './scene-plan.ts';

/** Result of one scene. */
export interface Played extends Left {
  /** Column of the offboarding table. */
  column: string;
  /** Access paths that were open after a trigger that must not close them. */
  stayed: readonly string[];
  /** Outages of access paths that must stay open or open again. */
  outages: readonly Outage[];
}

/** A scene with open access paths, before its trigger. */
export interface SetScene {
  plan: ScenePlan;
  trigger: Trigger;
  scene: Scene;
  doors: readonly SceneAccessPath[];
}

export interface SceneOptions {
  deck: SceneDeck;
  /** Milliseconds after which every process rejects revoked credentials, even without a notification. */
  stalenessMs: number;
  /** Whether a fault since `time` (performance.now()) may have deleted volatile data. */
  disturbedSince(time: number): boolean;
}

/**
 * Timeouts in milliseconds: of setting a scene before another is set, of a change, and of an access path that closes or
 * opens. They exceed the longest fault.
 */
const within = { setMs: 60_000, changeMs: 20_000, closeMs: 45_000, openMs: 60_000 };
const betweenAttemptsMs = 300;

/** Access token of another user who allowed the same client; only changes to the client or the tenant end it. */
export const colleaguesToken = 'a colleague’s access token';

export const expectationFor = (trigger: Pick<Trigger, 'column'>, door: string): Expectation => {
  const column = columns.find(({ name }) => name === trigger.column);
  if (column === undefined) throw new Error(`the table has no column ${trigger.column}`);
  if (door !== colleaguesToken) return expected(column, door);
  return ['app disabled', 'app narrowed', 'tenant suspended'].includes(column.name)
    ? 'closes'
    : { stays: 'it is somebody else’s' };
};

/**
 * Performs the changes of the offboarding table (e2e/departure) other than the offboarding of single users, and
 * requests each access path with the code of its tests, in a tenant of its own.
 */
export class Scenes {
  readonly #stage: Stage;
  readonly #options: SceneOptions;
  readonly #operator: Operator;
  #place: Place | undefined;
  #shared: Pick<Scene, 'apps' | 'colleague'> | undefined;
  readonly played: Played[] = [];
  /** Access paths that accepted a request after they had closed. */
  readonly reopened: { door: string; person: string; afterMs: number }[] = [];
  /** Closed access paths, which are requested again. */
  readonly #closed: { door: SceneAccessPath; played: Played }[] = [];
  /** Error of the last scene that could not be set. */
  trouble = 'none was tried';
  readonly #done = new Set<number>();
  #under = 0;

  constructor(stage: Stage, options: SceneOptions) {
    this.#stage = stage;
    this.#options = options;
    this.#operator = operatorOf(stage.demo, { urls: this.#urls(false), secrets: stage.system.secrets });
  }

  get underWay(): number {
    return this.#under;
  }

  /** Reports whether the first `count` scenes have been played. */
  hasPlayed(count: number): boolean {
    return Array.from({ length: count }, (_, index) => index + 1).every((number) => this.#done.has(number));
  }

  /** Sets the next scene with its access paths open. Retries until `giveUp`; then returns none. */
  async set(giveUp: AbortSignal): Promise<[SetScene] | []> {
    const plan = this.#options.deck.next();
    while (!giveUp.aborted) {
      const late = AbortSignal.any([giveUp, AbortSignal.timeout(within.setMs)]);
      const set = await this.#set(plan, late).catch((error) => {
        this.trouble = `${plan.trigger}: ${String(error)}`;
      });
      if (set && !giveUp.aborted) return [set];
      if (set) close(set);
      await sleep(betweenAttemptsMs);
    }
    return [];
  }

  async #set(plan: ScenePlan, giveUp: AbortSignal): Promise<SetScene> {
    const trigger = triggerOf(plan);
    const scene = await this.#newScene(trigger, plan.second);
    await trigger.prepare?.(scene);
    const opened: SceneAccessPath[] = [];
    const set = { plan, trigger, scene, doors: opened };
    // A fault that affects one access path costs only that one.
    const open = async (name: string, get: () => Promise<OpenedAccessPath>): Promise<void> => {
      for (;;) {
        try {
          opened.push(await openedNow(name, expectationFor(trigger, name), get));
          return;
        } catch (error) {
          this.trouble = `${plan.trigger}: ${String(error)}`;
          if (giveUp.aborted) throw error;
          await sleep(betweenAttemptsMs);
        }
      }
    };
    try {
      for (const { name, open: get } of doors)
        if (plan.doors.includes(name)) await open(name, () => get(scene));
      await open(colleaguesToken, async () => colleague(scene));
    } catch (error) {
      close(set);
      throw error;
    }
    return set;
  }

  /** Uses one tenant with the same clients and the same second user, except for changes to a whole tenant or client. */
  async #newScene({ ownTenant, column }: Trigger, second: boolean): Promise<Scene> {
    const urls = this.#urls(second);
    if (ownTenant) return newScene({ ...(await this.#operator.makeTenant()), urls });
    this.#place ??= await this.#operator.makeTenant();
    const place = { ...this.#place, urls };
    if (['app disabled', 'app narrowed'].includes(column)) return newScene(place);
    const scene = await newScene(place, this.#shared);
    this.#shared = { apps: scene.apps, colleague: scene.colleague };
    return scene;
  }

  #urls(second: boolean): Place['urls'] {
    const at = (service: string): string => this.#stage.urls[second ? `${service}-2` : service] ?? '';
    return {
      gateway: at('gateway'),
      auth: at('auth'),
      directory: at('directory'),
      provisioning: at('provisioning'),
    };
  }

  /** Triggers the change, then waits until each access path has the result of the table. */
  async play(set: SetScene, giveUp?: AbortSignal): Promise<void> {
    this.#under += 1;
    try {
      const attempts = await this.#change((again) => this.#fire(set, again));
      if (attempts === undefined) {
        close(set);
        return this.#options.deck.putBack(set.plan);
      }
      this.played.push(await this.#watch(set, attempts, giveUp));
      this.#done.add(set.plan.number);
    } finally {
      this.#under -= 1;
    }
  }

  async #watch(set: SetScene, attempts: number, giveUp?: AbortSignal): Promise<Played> {
    const { trigger, scene, doors: all } = set;
    const acknowledgedAt = performance.now();
    const outages: Outage[] = [];
    const stayed: string[] = [];
    const played: Played = {
      person: { tenant: scene.place.id, id: scene.person.id },
      trigger: trigger.name,
      column: trigger.column,
      acknowledgedAt,
      attempts,
      closings: [],
      watched: 0,
      stayed,
      outages,
    };
    const closing = all.filter(({ expectation }) => typeof expectation === 'string');
    const closeBy = giveUp ?? AbortSignal.timeout(within.closeMs);
    const watch = async (door: SceneAccessPath) => {
      const one = newClosing(door.name);
      played.closings.push(one);
      if (door.opened.lasting) await untilClosed(door, one, closeBy);
      else {
        const settledMs = this.#options.stalenessMs + 500;
        await isClosed(door, one, { acknowledgedAt, settledMs });
      }
    };
    await Promise.all(closing.filter(({ opened }) => opened.lasting).map(watch));
    // One after the other, as in one browser.
    for (const door of closing) if (!door.opened.lasting) await watch(door);
    const who = `${scene.person.user.userName} (${trigger.name})`;
    const openBy = giveUp ?? AbortSignal.timeout(within.openMs);
    const stays = async (door: SceneAccessPath) => {
      const outage = await staysOpen(door, who, openBy);
      if (outage === undefined || outage.to !== undefined) stayed.push(door.name);
      if (outage !== undefined && !this.#wasTaken(door)) outages.push(outage);
    };
    const staying = all.filter(({ expectation }) => typeof expectation !== 'string');
    await Promise.all(staying.filter(({ opened }) => opened.lasting).map(stays));
    for (const door of staying) if (!door.opened.lasting) await stays(door);
    for (const door of staying) door.opened.close?.();
    outages.push(...(await this.#comeBack(set, closing, who)));
    this.#closed.push(...closing.map((door) => ({ door, played })));
    return played;
  }

  #wasTaken(door: SceneAccessPath): boolean {
    return isFragile(door) && this.#options.disturbedSince(door.openedAt);
  }

  /** Undoes the change. Access paths that were only suspended must open again; the others are requested at the end. */
  async #comeBack(
    { trigger, scene }: SetScene,
    closed: readonly SceneAccessPath[],
    who: string,
  ): Promise<readonly Outage[]> {
    if (trigger.comeBack === undefined) return [];
    const waited = closed.filter(({ expectation, opened }) => expectation === 'waits' && opened.lasting);
    for (const door of waited) door.expectation = { stays: 'what happened is undone' };
    const done = await this.#change(async () => trigger.comeBack?.(scene, this.#operator));
    if (done === undefined) return [];
    const shut = await Promise.all(
      waited.map((door) => staysOpen(door, `${who}, back again`, AbortSignal.timeout(within.openMs))),
    );
    // An access path that opens late is not an outage; one that never opens is.
    return shut.flatMap((outage) => (outage === undefined || outage.to !== undefined ? [] : [outage]));
  }

  async #fire({ trigger, scene }: SetScene, again: boolean): Promise<void> {
    try {
      await trigger.fire(scene, this.#operator);
    } catch (error) {
      const all = error instanceof AggregateError ? error.errors : [error];
      if (!again || !all.every((one) => trigger.done?.test(String(one)))) throw error;
    }
  }

  /** Retries a change until it is acknowledged; returns the number of attempts. */
  async #change(make: (again: boolean) => Promise<unknown>): Promise<number | undefined> {
    const until = performance.now() + within.changeMs;
    for (let attempt = 1; performance.now() < until; attempt += 1) {
      try {
        await make(attempt > 1);
        return attempt;
      } catch (error) {
        this.trouble = String(error);
        await sleep(betweenAttemptsMs);
      }
    }
    return undefined;
  }

  /** Closed access paths that can be requested any number of times. */
  get #shut(): { door: SceneAccessPath; played: Played }[] {
    return this.#closed.filter(({ door }) => typeof door.expectation === 'string' && door.opened.lasting);
  }

  /** Requests one access path that closed longer ago than the staleness bound. */
  async tryAgain(choose: (count: number) => number): Promise<void> {
    const known = performance.now() - this.#options.stalenessMs;
    const some = this.#shut.filter(({ played }) => played.acknowledgedAt < known);
    const chosen = some[choose(some.length)];
    if (chosen !== undefined) await this.#expectShut(chosen);
  }

  /** Requests every closed access path again. */
  async tryAll(): Promise<number> {
    const again = this.#shut;
    const queue = [...again];
    const worker = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await this.#expectShut(next);
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    for (const { door } of this.#closed) door.opened.close?.();
    return again.length;
  }

  async #expectShut({ door, played }: { door: SceneAccessPath; played: Played }): Promise<void> {
    const { sentAt, outcome } = await asker(door.opened.again)();
    if (outcome !== 'open') return;
    const afterMs = Math.round(sentAt - played.acknowledgedAt);
    this.reopened.push({ door: door.name, person: `${played.person.id} (${played.trigger})`, afterMs });
  }
}

/** @throws Error when the access path is not open */
async function openedNow(
  name: string,
  expectation: Expectation,
  get: () => Promise<OpenedAccessPath>,
): Promise<SceneAccessPath> {
  const openedAt = performance.now();
  const opened = await get();
  try {
    const answer = await opened.prove();
    if (answer !== 'open') throw new Error(`${name}: ${answer}`);
  } catch (error) {
    opened.close?.();
    throw error;
  }
  return { name, expectation, opened, openedAt };
}

const colleague = ({ place, colleague: { tokens } }: Scene): OpenedAccessPath =>
  lasting(() =>
    admitted(
      fetch(`${place.tenant.issuer}/userinfo`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      }),
      [401, 403],
    ),
  );

function close({ doors: all }: Pick<SetScene, 'doors'>): void {
  for (const { opened } of all) opened.close?.();
}
