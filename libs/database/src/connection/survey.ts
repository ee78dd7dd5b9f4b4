import pg from 'pg';
import type { DatabaseAddress, Host } from './address.ts';
import { greet, type Term } from './term.ts';

/** State of a host, or its lack of response. */
export interface Answer {
  host: Host;
  writable: boolean;
  term: Term | undefined;
  /** Description for the log. */
  says: string;
}

/** Timeout of a host in ms. */
const answerMs = 2_000;

/** Reads the state of a host on a separate connection. Never rejects. */
export async function askServer({ url, wanted }: DatabaseAddress, host: Host): Promise<Answer> {
  const place = `${host.host}:${host.port}`;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    application_name: 'ostiary looks for the primary',
  });
  client.on('error', () => {});
  Object.assign(client, host);
  try {
    await client.connect();
    const { standby, readOnly, term } = await greet(client, `SET statement_timeout = ${answerMs}`);
    const writable = !standby && !(readOnly && wanted === 'read-write');
    return {
      host,
      writable,
      term,
      says: `${place}: ${standby ? 'standby' : writable ? 'primary' : 'read-only'}`,
    };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown };
    return { host, writable: false, term: undefined, says: `${place}: ${String(code ?? message)}` };
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Returns the host to use: writable, of the known system if any, on the newest timeline; among equals that
 * responded, the first in the URL.
 */
export function best(answers: readonly Answer[], known: Term | undefined): Answer | undefined {
  const rank = ({ term }: Answer): number =>
    (term?.timeline ?? 0) + (known && term?.system === known.system ? 2 ** 33 : 0);
  return answers.filter(({ writable }) => writable).toSorted((one, other) => rank(other) - rank(one))[0];
}
