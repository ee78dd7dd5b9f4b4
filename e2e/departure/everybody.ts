import type { Person } from './person.ts';
import { leavers, offboarded, type Scene } from './scene.ts';

/** @throws AggregateError with all that went wrong */
export async function all(work: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
}

/** The same for everybody of a scene who leaves. */
export const forEach =
  (work: (scene: Scene, person: Person) => Promise<unknown>) =>
  (scene: Scene): Promise<void> =>
    all(leavers(scene).map((person) => work(scene, person)));

/** The same for everybody who is offboarded, whatever their role. */
export const forEachOffboarded =
  (work: (scene: Scene, person: Person) => Promise<unknown>) =>
  (scene: Scene): Promise<void> =>
    all(offboarded(scene).map((person) => work(scene, person)));
