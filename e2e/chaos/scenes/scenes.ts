import { setTimeout as sleep } from 'node:timers/promises';
import { type Operator, operatorOf, type Place } from '../../departure/place.ts';
import { admitted, lasting, type OpenedDoor } from '../../departure/probe.ts';
import { newScene, type Scene } from '../../departure/scene.ts';
import { columns, doors, expected, type Verdict } from '../../departure/table.ts';
import type { Trigger } from '../../departure/trigger.ts';
import type { Left } from '../departures.ts';
import type { Outage } from '../living.ts';
import type { Stage } from '../stage.ts';
import {
  asker,
  isClosed,
  isFragile,
  newClosing,
  type SceneDoor,
  staysOpen,
  untilClosed,
} from './scene-doors.ts';
import { type SceneDeck, type ScenePlan, triggerOf } from './scene-plan.ts';

/** What came of one scene: its trigger, the doors that were to close, and those that weren't. */
export interface Played extends Left {
  /** Of the table of departures. */
  column: string;
  /** Doors that were found open after what wasn't to close them. */
  stayed: readonly string[];
  /** What was to stay open or to open again, and the times in which nobody got in there. */
  outages: readonly Outage[];
}

/** A scene whose doors are open, and what is to happen in it. */
export interface SetScene {
  plan: ScenePlan;
  trigger: Trigger;
  scene: Scene;
  doors: readonly SceneDoor[];
}

export interface SceneOptions {
  deck: SceneDeck;
  /** Milliseconds after which even who heard nothing knows. */
  stalenessMs: number;
  /** Whether a fault may have taken since then what isn't kept for good. By performance.now(). */
  disturbedSince(time: number): boolean;
}

/**
 * Milliseconds in which a scene must be set, or another is tried; in which a change is made; until a door that closes, and one that
 * opens, is given up: longer than the longest fault.
 */
const within = { setMs: 60_000, changeMs: 20_000, closeMs: 45_000, openMs: 60_000 };
const betweenAttemptsMs = 300;

/** The colleague, who allowed the same app something, and whom only what ends the app or the tenant concerns. */
export const colleaguesToken = 'a colleague’s access token';

export const verdictFor = (trigger: Pick<Trigger, 'column'>, door: string): Verdict => {
  const column = columns.find(({ name }) => name === trigger.column);
  if (column === undefined) throw new Error(`the table has no column ${trigger.column}`);
  if (door !== colleaguesToken) return expected(column, door);
  return ['app disabled', 'app narrowed', 'tenant suspended'].includes(column.name)
    ? 'closes'
    : { stays: 'it is somebody else’s' };
};

/**
 * Lets happen what the table of departures (e2e/departure) has beside people who leave, and tries each of its doors: by the same
 * hands as its own tests, in a tenant in which nobody else is.
 */
export class Scenes {
  readonly #stage: Stage;
  readonly #options: SceneOptions;
  readonly #operator: Operator;
  #place: Place | undefined;
  #shared: Pick<Scene, 'apps' | 'colleague'> | undefined;
  readonly played: Played[] = [];
  /** Doors that were found open after they had been closed. */
  readonly reopened: { door: string; person: string; afterMs: number }[] = [];
  /** Doors that were closed, to be tried once more. */
  readonly #closed: { door: SceneDoor; played: Played }[] = [];
  /** Why the last scene couldn't be set. */
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

  /** Whether each of the first scenes has been played. */
  hasPlayed(count: number): boolean {
    return Array.from({ length: count }, (_, index) => index + 1).every((number) => this.#done.has(number));
  }

  /** Makes the next scene, with its doors open; tries until it works, or the time is up: then there is none. */
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
    const opened: SceneDoor[] = [];
    const set = { plan, trigger, scene, doors: opened };
    // A fault that only one of them meets costs no more than that one.
    const open = async (name: string, get: () => Promise<OpenedDoor>): Promise<void> => {
      for (;;) {
        try {
          opened.push(await openedNow(name, verdictFor(trigger, name), get));
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

  /** In one tenant, with the same apps and the same colleague, but for what concerns all of a tenant or of an app. */
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

  /** From the trigger until each door has closed or been found open, as the table says. */
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
    const closing = all.filter(({ verdict }) => typeof verdict === 'string');
    const closeBy = giveUp ?? AbortSignal.timeout(within.closeMs);
    const watch = async (door: SceneDoor) => {
      const one = newClosing(door.name);
      played.closings.push(one);
      if (door.opened.lasting) await untilClosed(door, one, closeBy);
      else {
        const settledMs = this.#options.stalenessMs + 500;
        await isClosed(door, one, { acknowledgedAt, settledMs });
      }
    };
    await Promise.all(closing.filter(({ opened }) => opened.lasting).map(watch));
    // One after the other, as one browser does.
    for (const door of closing) if (!door.opened.lasting) await watch(door);
    const who = `${scene.person.user.userName} (${trigger.name})`;
    const openBy = giveUp ?? AbortSignal.timeout(within.openMs);
    const stays = async (door: SceneDoor) => {
      const outage = await staysOpen(door, who, openBy);
      if (outage === undefined || outage.to !== undefined) stayed.push(door.name);
      if (outage !== undefined && !this.#wasTaken(door)) outages.push(outage);
    };
    const staying = all.filter(({ verdict }) => typeof verdict !== 'string');
    await Promise.all(staying.filter(({ opened }) => opened.lasting).map(stays));
    for (const door of staying) if (!door.opened.lasting) await stays(door);
    for (const door of staying) door.opened.close?.();
    outages.push(...(await this.#comeBack(set, closing, who)));
    this.#closed.push(...closing.map((door) => ({ door, played })));
    return played;
  }

  #wasTaken(door: SceneDoor): boolean {
    return isFragile(door) && this.#options.disturbedSince(door.openedAt);
  }

  /** Undoes what happened: what only waited for that must open again, and all else is tried at the end. */
  async #comeBack(
    { trigger, scene }: SetScene,
    closed: readonly SceneDoor[],
    who: string,
  ): Promise<readonly Outage[]> {
    if (trigger.comeBack === undefined) return [];
    const waited = closed.filter(({ verdict, opened }) => verdict === 'waits' && opened.lasting);
    for (const door of waited) door.verdict = { stays: 'what happened is undone' };
    const done = await this.#change(async () => trigger.comeBack?.(scene, this.#operator));
    if (done === undefined) return [];
    const shut = await Promise.all(
      waited.map((door) => staysOpen(door, `${who}, back again`, AbortSignal.timeout(within.openMs))),
    );
    // It takes as long as the news: only who never gets in again is shut out.
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

  /** Tries until a change is acknowledged; how often that took. */
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

  /** Doors that were closed for good, or until something is undone, and can be tried any number of times. */
  get #shut(): { door: SceneDoor; played: Played }[] {
    return this.#closed.filter(({ door }) => typeof door.verdict === 'string' && door.opened.lasting);
  }

  /** Tries one door that was closed so long ago that everybody must know. */
  async tryAgain(choose: (count: number) => number): Promise<void> {
    const known = performance.now() - this.#options.stalenessMs;
    const some = this.#shut.filter(({ played }) => played.acknowledgedAt < known);
    const chosen = some[choose(some.length)];
    if (chosen !== undefined) await this.#expectShut(chosen);
  }

  /** Tries every door once more. */
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

  async #expectShut({ door, played }: { door: SceneDoor; played: Played }): Promise<void> {
    const { sentAt, outcome } = await asker(door.opened.again)();
    if (outcome !== 'open') return;
    const afterMs = Math.round(sentAt - played.acknowledgedAt);
    this.reopened.push({ door: door.name, person: `${played.person.id} (${played.trigger})`, afterMs });
  }
}

/** @throws Error when somebody isn't let in there */
async function openedNow(name: string, verdict: Verdict, get: () => Promise<OpenedDoor>): Promise<SceneDoor> {
  const openedAt = performance.now();
  const opened = await get();
  try {
    const answer = await opened.prove();
    if (answer !== 'open') throw new Error(`${name}: ${answer}`);
  } catch (error) {
    opened.close?.();
    throw error;
  }
  return { name, verdict, opened, openedAt };
}

const colleague = ({ place, colleague: { tokens } }: Scene): OpenedDoor =>
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
