import { queryObjects } from 'node:v8';
import { pollStore } from '../../../src/signals/data/signal-polls.ts';
import { streamStore } from '../../../src/signals/data/signal-streams.ts';
import { SignalPolls } from '../../../src/signals/domain/polls.ts';
import type { Transmission } from '../../../src/signals/domain/transmission.ts';
import { double } from '../../support/double.ts';

/**
 * Runs a long poll in a tenant without events and prints the number of promises that remain. It is a separate process,
 * because promises of a test's realm cannot be counted.
 */
const [tenant, clientId, id] = ['demo', 'app', '01900000-0000-7000-8000-000000000001'];
const stream = { tenant, clientId, id, kind: 'ssf', endpoint: null, status: 'enabled', secrets: null };
const sql = {
  query: async (text: string) => ({
    rows: text.includes('auth.receivers') ? [stream] : [],
    rowCount: 0,
  }),
};
const polls = new SignalPolls({
  database: {
    sql,
    transaction: (work: (tx: typeof sql) => unknown) => work(sql),
  } as never,
  notices: { listen: async () => async () => undefined },
  streams: streamStore,
  polls: pollStore,
  transmission: double<Transmission>({ tokenOf: async () => undefined }),
  times: { waitMs: 1_000, lookMs: 1, restMs: 0 },
});
const promises = (): number => queryObjects(Promise, { format: 'count' }) as number;
const before = promises();
await polls.poll(
  { tenant, clientId },
  id,
  { maxEvents: 1, returnImmediately: false, ack: [], errors: [] },
  { gone: new AbortController().signal, stillAdmitted: () => undefined },
);
process.stdout.write(String(promises() - before));
polls.release();
