import { expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { bulkClient, patch, statuses } from '../support/bulk-client.ts';

const client = bulkClient();
/** Maximum number of concurrent operations, and of those that only wait for their response. */
const [parallel, waiting] = [8, 16];
const momentMs = 300;
const leaving = { op: 'replace', path: 'active', value: false };

const departures = (count: number) =>
  Array.from({ length: count }, () => patch(`/Users/${uuidv7()}`, leaving));

/**
 * Makes the directory delay its responses to changes until no further change arrives for a moment. Each delay counts
 * as one wait.
 * @param takesEffect whether it sends an interim response when a change has taken effect
 */
function keepingBack(takesEffect: boolean) {
  const seen = { waits: 0, most: 0, preferred: 0 };
  let held: (() => void)[] = [];
  let quiet: NodeJS.Timeout | undefined;
  const afterAMoment = () => {
    clearTimeout(quiet);
    const due = performance.now() + momentMs;
    // A moment in which this process was blocked does not count.
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

test('Departures that have taken effect are waited for together, up to the maximum number.', async () => {
  const seen = keepingBack(true);
  const answer = await client.bulk(departures(2 * (parallel + waiting)));
  expect(statuses(answer)).toEqual(Array(48).fill('200'));
  expect(seen).toEqual({ waits: 2, most: parallel + waiting, preferred: 48 });
});

test('Of operations that have not taken effect, at most eight are in progress.', async () => {
  const seen = keepingBack(false);
  const answer = await client.bulk(departures(2 * parallel));
  expect(statuses(answer)).toEqual(Array(16).fill('200'));
  expect(seen).toMatchObject({ waits: 2, most: parallel });
});

test('A later operation of a Bulk on the same user begins after the response to the departure.', async () => {
  const seen = keepingBack(true);
  const path = `/Users/${uuidv7()}`;
  const returning = { op: 'replace', path: 'active', value: true };
  const answer = await client.bulk([patch(path, leaving), patch(path, returning), patch(path, leaving)]);
  expect(statuses(answer)).toEqual(['200', '200', '200']);
  expect(seen).toMatchObject({ waits: 3, most: 1 });
  expect(client.directory.commands.map(({ body }) => body.operations[0].value)).toEqual([false, true, false]);
});

test('A departure that fails after its interim response is reported as unanswered, and the rest is executed.', async () => {
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
