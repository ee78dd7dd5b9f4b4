import { describe, expect, test } from '@jest/globals';
import { columns, doors } from '../../departure/table.ts';
import { triggers } from '../../departure/triggers.ts';
import { measures } from '../plan.ts';
import { Random } from '../random.ts';
import { closes, SceneDeck, type ScenePlan, triggerOf } from './scene-plan.ts';

const scenes = (seed: number, count: number): ScenePlan[] => {
  const deck = new SceneDeck(new Random(seed));
  return Array.from({ length: count }, () => deck.next());
};
const columnOf = (plan: ScenePlan): string => triggerOf(plan).column;
/** Returns the access paths of these scenes that must close, or stay open. */
const drawn = (plans: readonly ScenePlan[], closing: boolean): Set<string> =>
  new Set(plans.flatMap((plan) => plan.doors.filter((door) => closes(columnOf(plan), door) === closing)));
const names = (of: readonly { name: string }[]): string[] => of.map(({ name }) => name).sort();

test('Scenes are the same for the same seed and different for another seed.', () => {
  expect(scenes(7, 40)).toEqual(scenes(7, 40));
  expect(scenes(7, 40)).not.toEqual(scenes(8, 40));
});

describe.each([1, 7, 605_296, 20_261_120])('seed %i', (seed) => {
  test('The short run has every column, closes every access path and leaves open every one that can stay open.', () => {
    const all = scenes(seed, measures.minute.scenes.least);
    expect(all.map(columnOf).sort()).toEqual(names(columns));
    expect([...drawn(all, true)].sort()).toEqual(names(doors));
    expect([...drawn(all, false)].sort()).toEqual(names(doors));
  });

  test('A whole run has every trigger once before any trigger comes again.', () => {
    expect(measures.full.scenes.least).toBe(triggers.length);
    const all = scenes(seed, 2 * triggers.length).map(({ trigger }) => trigger);
    expect(all.slice(0, triggers.length).sort()).toEqual(names(triggers));
    expect(all.slice(triggers.length).sort()).toEqual(names(triggers));
  });

  test('Each scene has access paths to watch that must close.', () => {
    for (const plan of scenes(seed, triggers.length))
      expect([plan.trigger, drawn([plan], true).size]).not.toEqual([plan.trigger, 0]);
  });
});

test('A scene that had no effect comes once more, and no other scene is lost by it.', () => {
  const deck = new SceneDeck(new Random(7));
  const [first, second] = scenes(7, 2);
  const lost = deck.next();
  deck.putBack(lost);
  expect([deck.next(), deck.next()]).toEqual([first, second]);
});
