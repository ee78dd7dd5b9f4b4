import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answers, columnOf, type Outcome, run, verdictOf } from './run.ts';
import { doors } from './table.ts';
import { triggers } from './triggers.ts';

/** Triggers that are worked on at the same time: none of them concerns anybody else's people or apps. */
const atOnce = 3;
const running = new Map<string, Promise<Outcome>>();

function outcomeOf(index: number): Promise<Outcome> {
  for (const trigger of triggers.slice(index, index + atOnce)) {
    if (running.has(trigger.name)) continue;
    const outcome = run(trigger, columnOf(trigger));
    outcome.catch(() => undefined);
    running.set(trigger.name, outcome);
  }
  return running.get(triggers[index]?.name ?? '') as Promise<Outcome>;
}

/** Fails with what was wrong when the answer proves nothing. */
function answerOf(answers: Answers, door: string): string {
  const answer = answers.get(door);
  if (answer instanceof Error) throw answer;
  return answer ?? 'never asked';
}

describe.each(triggers.map((trigger, index) => ({ ...trigger, trigger, index })))(
  '$name',
  ({ trigger, index }) => {
    let outcome: Outcome;
    beforeAll(async () => {
      outcome = await outcomeOf(index);
    });

    test.each(doors)(
      'The door $name is open before and is closed or stays open as the table says.',
      ({ name }) => {
        expect(answerOf(outcome.before, name)).toBe('open');
        const answer = answerOf(outcome.after, name);
        const verdict = verdictOf(trigger, name);
        if (typeof verdict === 'string') expect(answer).toMatch(/^refused/);
        else expect(answer).toBe('open');
      },
    );

    if (trigger.comeBack) {
      test.each(doors)(
        'The door $name, after coming back, is closed or open as the table says.',
        ({ name }) => {
          const answer = answerOf(outcome.again ?? new Map(), name);
          if (verdictOf(trigger, name) === 'closes') expect(answer).toMatch(/^refused/);
          else expect(answer).toBe('open');
        },
      );
    }

    if (trigger.bystanders) {
      test.each(['a colleague', 'their namesake in the other tenant'])(
        'No other user is affected: %s keeps every door.',
        (name) => {
          const theirs = outcome.bystanders.find(({ who }) => who === name)?.after;
          expect(theirs?.size).toBe(doors.length);
          for (const door of doors) expect([door.name, theirs?.get(door.name)]).toEqual([door.name, 'open']);
        },
      );
    }
  },
);
