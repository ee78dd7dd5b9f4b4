import type { Person } from './person.ts';
import { leavingUsers, offboarded, type Scene } from './scene.ts';

/** Waits for all results. @throws AggregateError with all errors */
export async function all(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
}

/** Runs the work for each user of a scene whose sign-ins end. */
export const forEach =
  (work: (scene: Scene, person: Person) => Promise<unknown>) =>
  (scene: Scene): Promise<void> =>
    all(leavingUsers(scene).map((person) => work(scene, person)));

/** Runs the work for each user who is offboarded, with any role. */
export const forEachOffboarded =
  (work: (scene: Scene, person: Person) => Promise<unknown>) =>
  (scene: Scene): Promise<void> =>
    all(offboarded(scene).map((person) => work(scene, person)));
