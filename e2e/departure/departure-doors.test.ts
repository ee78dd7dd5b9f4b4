import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeCompanies } from './company.ts';
import { type Answers, columnOf, expectationOf, type Outcome, run } from './run.ts';
import { doors } from './table.ts';
import { triggers } from './triggers.ts';

/** Number of triggers that run concurrently; no trigger affects the users and clients of another. */
const concurrency = 3;
const running = new Map<string, Promise<Outcome>>();

function outcomeOf(index: number): Promise<Outcome> {
  for (const trigger of triggers.slice(index, index + concurrency)) {
    if (running.has(trigger.name)) continue;
    const outcome = run(trigger, columnOf(trigger));
    outcome.catch(() => undefined);
    running.set(trigger.name, outcome);
  }
  return running.get(triggers[index]?.name ?? '') as Promise<Outcome>;
}

afterAll(closeCompanies);

/** @throws Error when the answer is neither an acceptance nor a rejection */
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
      'The access path $name is open before and is closed or stays open as the table states.',
      ({ name }) => {
        expect(answerOf(outcome.before, name)).toBe('open');
        const answer = answerOf(outcome.after, name);
        const expectation = expectationOf(trigger, name);
        if (typeof expectation === 'string') expect(answer).toMatch(/^refused/);
        else expect(answer).toBe('open');
      },
    );

    if (trigger.comeBack) {
      test.each(doors)(
        'The access path $name, after the change is undone, is closed or open as the table states.',
        ({ name }) => {
          const answer = answerOf(outcome.again ?? new Map(), name);
          if (expectationOf(trigger, name) === 'closes') expect(answer).toMatch(/^refused/);
          else expect(answer).toBe('open');
        },
      );
    }

    if (trigger.bystanders) {
      test.each(['a colleague', 'their namesake in the other tenant'])(
        'No other user is affected: %s keeps every access path.',
        (name) => {
          const theirs = outcome.bystanders.find(({ who }) => who === name)?.after;
          expect(theirs?.size).toBe(doors.length);
          for (const door of doors) expect([door.name, theirs?.get(door.name)]).toEqual([door.name, 'open']);
        },
      );
    }
  },
);
