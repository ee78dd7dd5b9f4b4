import { Pool } from 'undici';
import { cpuSeconds, percentile, treeSeconds } from '../../measure.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: object;
}

export interface Server {
  origin: string;
  headers: Record<string, string>;
  /** Processes whose CPU is attributed to the calls, and databases. */
  pids: readonly number[];
  stores: readonly number[];
}

/** Result of a shape; `answers` is the number of successful calls. */
export interface Sample {
  answers: number;
  p50: number;
  p99: number;
  cpuMicros: number;
  storeMicros: number;
  failures: number;
}

/** Timeout in milliseconds; a slower shape is not supported at this size. */
const patience = 30_000;

/**
 * Sends calls one after the other on each of a few connections, to measure latency under a light load. `next` receives
 * the answer to the last call of its connection.
 */
export async function sample(
  server: Server,
  next: (previous: unknown) => Call,
  o: { seconds: number; connections?: number },
): Promise<Sample | undefined> {
  const { connections = 2 } = o;
  const pool = new Pool(server.origin, { connections, headersTimeout: patience, bodyTimeout: patience });
  const latencies: number[] = [];
  let failures = 0;
  const cpu = () => server.pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const stores = () => server.stores.reduce((sum, pid) => sum + treeSeconds(pid), 0);
  const call = async (previous: unknown): Promise<unknown> => {
    const { method, path, body } = next(previous);
    const answer = await pool.request({
      method,
      path,
      headers: server.headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) failures += 1;
    return text === '' ? undefined : JSON.parse(text);
  };
  try {
    // Warm-up of connections, statements and caches.
    let warm: unknown;
    for (let i = 0; i < 12; i += 1) {
      const began = performance.now();
      warm = await call(warm);
      if (performance.now() - began > 1_000) break;
    }
    failures = 0;
    const [cpuBefore, storesBefore] = [cpu(), stores()];
    const until = performance.now() + o.seconds * 1_000;
    await Promise.all(
      Array.from({ length: connections }, async () => {
        let previous: unknown;
        do {
          const began = performance.now();
          previous = await call(previous);
          latencies.push(performance.now() - began);
        } while (performance.now() < until);
      }),
    );
    const micros = (spent: number) => Math.round((spent * 1e6) / latencies.length);
    return {
      answers: latencies.length,
      p50: round(percentile(latencies, 0.5)),
      p99: round(percentile(latencies, 0.99)),
      cpuMicros: micros(cpu() - cpuBefore),
      storeMicros: micros(stores() - storesBefore),
      failures,
    };
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('UND_ERR_') === true) return undefined;
    throw error;
  } finally {
    await pool.destroy();
  }
}

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
