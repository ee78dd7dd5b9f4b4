import { expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { bulkClient, patch, statuses } from '../support/bulk-client.ts';

const client = bulkClient();
/** Operations under way at once, and those that only wait for their answers beside them. */
const [parallel, waiting] = [8, 16];
const momentMs = 300;
const leaving = { op: 'replace', path: 'active', value: false };

const departures = (count: number) =>
  Array.from({ length: count }, () => patch(`/Users/${uuidv7()}`, leaving));

/**
 * Has the directory keep its answers to changes back, until no further change has come for a moment: each such stretch is a wait.
 * @param takesEffect whether it says that a change has taken effect before it answers
 */
function keepingBack(takesEffect: boolean) {
  const seen = { waits: 0, most: 0, preferred: 0 };
  let held: (() => void)[] = [];
  let quiet: NodeJS.Timeout | undefined;
  const afterAMoment = () => {
    clearTimeout(quiet);
    const due = performance.now() + momentMs;
    // A moment in which this process stood still, and what has come was not looked at, was none.
    quiet = setTimeout(
      () => (performance.now() > due + momentMs / 6 ? afterAMoment() : answerAll()),
      momentMs,
    );
  };
  const answerAll = () => {
    seen.waits += 1;
    const all = held;
    held = [];
    for (const answer of all) answer();
  };
  client.directory.state.respond = async ({ prefersProcessing, processing }) => {
    if (prefersProcessing) seen.preferred += 1;
    if (takesEffect && prefersProcessing) processing();
    await new Promise<void>((resolve) => {
      held.push(resolve);
      seen.most = Math.max(seen.most, held.length);
      afterAMoment();
    });
    return undefined;
  };
  return seen;
}

test('Departures that have taken effect are waited for together, and no more of them than there is room for.', async () => {
  const seen = keepingBack(true);
  const answer = await client.bulk(departures(2 * (parallel + waiting)));
  expect(statuses(answer)).toEqual(Array(48).fill('200'));
  expect(seen).toEqual({ waits: 2, most: parallel + waiting, preferred: 48 });
});

test('Of operations that have not taken effect, no more are under way than eight.', async () => {
  const seen = keepingBack(false);
  const answer = await client.bulk(departures(2 * parallel));
  expect(statuses(answer)).toEqual(Array(16).fill('200'));
  expect(seen).toMatchObject({ waits: 2, most: parallel });
});

test('What follows a departure in a Bulk and concerns the same user is begun when the departure was answered.', async () => {
  const seen = keepingBack(true);
  const path = `/Users/${uuidv7()}`;
  const returning = { op: 'replace', path: 'active', value: true };
  const answer = await client.bulk([patch(path, leaving), patch(path, returning), patch(path, leaving)]);
  expect(statuses(answer)).toEqual(['200', '200', '200']);
  expect(seen).toMatchObject({ waits: 3, most: 1 });
  expect(client.directory.commands.map(({ body }) => body.operations[0].value)).toEqual([false, true, false]);
});

test('A departure that fails after it was said to have taken effect is reported as unanswered, and the rest is carried out.', async () => {
  let asked = 0;
  client.directory.state.respond = async ({ processing }) => {
    asked += 1;
    if (asked > 1) return undefined;
    processing();
    return { status: 503 };
  };
  const answer = await client.bulk(departures(3));
  expect((statuses(answer) as string[]).toSorted()).toEqual(['200', '200', '503']);
});
