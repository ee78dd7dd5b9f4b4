import { eventually } from '@ostiary/service/testing';
import { operatorOf, type Place, placeOf } from '../../departure/place.ts';
import type { Answer, OpenedAccessPath, Probe } from '../../departure/probe.ts';
import { type Authorization, authorize, newScene, redeem, type Scene } from '../../departure/scene.ts';
import { columns, doors, expected } from '../../departure/table.ts';
import { triggers } from '../../departure/triggers.ts';
import { Browser } from '../browser.ts';
import type { SystemOnEngine } from './system-on.ts';

/**
 * Users with every access path who are offboarded in the last moments of a Redis primary whose writes are not
 * replicated.
 */
export class LostMoment {
  readonly scene: Scene;
  readonly #opened: ReadonlyMap<string, OpenedAccessPath>;
  readonly #on: SystemOnEngine;
  /** Code of another active user, redeemed in these moments. */
  readonly #code: Authorization;

  private constructor(
    on: SystemOnEngine,
    scene: Scene,
    opened: Map<string, OpenedAccessPath>,
    code: Authorization,
  ) {
    this.#on = on;
    this.scene = scene;
    this.#opened = opened;
    this.#code = code;
  }

  /** Opens every access path that offboarding closes, and verifies that it is open. */
  static async before(on: SystemOnEngine): Promise<LostMoment> {
    const { urls } = on.system;
    const place: Place = await placeOf(on.demo, on.demo.tenants.demo, {
      gateway: urls.gateway,
      auth: urls.auth,
      directory: urls.directory,
      provisioning: urls.provisioning,
    });
    const scene = await newScene(place);
    const opened = new Map<string, OpenedAccessPath>();
    for (const door of doors) {
      if (!closes(door.name)) continue;
      const one = await door.open(scene);
      const answer = await one.prove();
      if (answer !== 'open') throw new Error(`${door.name} is ${answer}`);
      opened.set(door.name, one);
    }
    const { tenant, demo } = place;
    const user = tenant.users.alice;
    return new LostMoment(on, scene, opened, await authorize(scene.apps.app, new Browser(demo.origin), user));
  }

  /** Offboards the users and redeems the code, and waits until every repeatable access path is closed. */
  async happens(): Promise<void> {
    const { demo } = this.#on;
    const leaving = triggers.find(({ name }) => name === 'SCIM PATCH by Okta');
    if (!leaving) throw new Error('there is no such trigger');
    await redeem(this.#code);
    await leaving.fire(this.scene, operatorOf(demo, this.#on.system));
    for (const door of this.#opened.values())
      if (door.lasting) await eventually(door.after, (answer) => answer !== 'open');
  }

  /**
   * Requests every access path in parallel, even without a Redis; temporary errors are retried.
   * @returns the number of answers, and the open access paths
   */
  async knock(probeOf: (door: OpenedAccessPath) => Probe): Promise<{ asked: number; open: string[] }> {
    const open: string[] = [];
    const ask = async ([name, door]: [string, OpenedAccessPath]): Promise<void> => {
      if ((await decided(probeOf(door))) === 'open') open.push(name);
    };
    const isLasting = ([, { lasting }]: [string, OpenedAccessPath]) => lasting;
    const all = [...this.#opened];
    await Promise.all(all.filter(isLasting).map(ask));
    // One after the other, as in one browser.
    for (const one of all.filter((door) => !isLasting(door))) await ask(one);
    return { asked: all.length, open };
  }

  /** Redeems the used code again, which succeeds if its use was lost. */
  codeAgain(): Promise<Answer> {
    return decided(async () => {
      try {
        await redeem(this.#code);
        return 'open';
      } catch (error) {
        if ((error as { error?: string }).error === 'invalid_grant') return 'refused: invalid_grant';
        throw error;
      }
    });
  }

  end(): void {
    for (const door of this.#opened.values()) door.close?.();
  }
}

const leaves = columns.find(({ name }) => name === 'offboarded');
const closes = (door: string): boolean => leaves !== undefined && typeof expected(leaves, door) === 'string';

async function decided(probe: Probe): Promise<Answer> {
  let answer: Answer | undefined;
  let failure: unknown;
  const ask = async () => {
    answer = await probe().catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    return answer !== undefined;
  };
  await eventually(ask, Boolean).catch(() => undefined);
  if (answer === undefined) throw failure;
  return answer;
}
