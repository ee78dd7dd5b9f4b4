import type pg from 'pg';

/** Which history a primary writes: every promotion of a standby begins a new timeline of the same system. */
export interface Term {
  /** Of the cluster, made by initdb. As text: it is a 64-bit integer. */
  system: string;
  timeline: number;
}

/** What a server says about itself. */
export interface ServerState {
  standby: boolean;
  readOnly: boolean;
  /** Whether a commit waits until a standby has it. */
  synchronous: boolean;
  /** Undefined of a standby, and where the server doesn't say. */
  term: Term | undefined;
}

// The timeline that is written to now: that of the last checkpoint is the former one for a moment after a promotion.
const termColumns = `,
  (pg_control_system()).system_identifier::text AS system,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline`;

/** Whether commits wait for a standby: part of a larger question. */
export const synchronousColumn = `(coalesce(current_setting('synchronous_standby_names', true), '') <> ''
  AND coalesce(current_setting('synchronous_commit', true), '') NOT IN ('off', 'local')) AS synchronous`;

const question = (columns: string): string =>
  `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS "readOnly", ${synchronousColumn}${columns}`;

/** Refused by a role without the right, or a service that speaks PostgreSQL and has no such log. */
const untold = /^(0A000|42501|42883|42P01|42703|55000|XX000)$/;

interface Row {
  standby: boolean;
  readOnly: string;
  synchronous: boolean;
  system?: string | null;
  timeline?: string | null;
}

/**
 * Tells a connection what it is to know, and asks its server for its state, in one message.
 * @param settings statements; none of them returns rows
 */
export async function greet(client: pg.ClientBase, settings: string): Promise<ServerState> {
  try {
    return stateOf(await client.query(`${settings}; ${question(termColumns)}`));
  } catch (error) {
    if (!untold.test(String((error as { code?: unknown }).code))) throw error;
    return stateOf(await client.query(`${settings}; ${question('')}`));
  }
}

function stateOf(result: pg.QueryResult | pg.QueryResult[]): ServerState {
  const row = [result].flat().at(-1)?.rows[0] as Row | undefined;
  const term =
    row?.system && row.timeline
      ? { system: row.system, timeline: Number.parseInt(row.timeline, 16) }
      : undefined;
  return {
    standby: row?.standby === true,
    readOnly: row?.readOnly === 'on',
    synchronous: row?.synchronous === true,
    term,
  };
}

/** PostgreSQL 14 and newer say it while they log somebody in, and once more when it changes. */
export function isReadOnlyBy(parameters: ReadonlyMap<string, string>): boolean {
  return (
    parameters.get('in_hot_standby') === 'on' || parameters.get('default_transaction_read_only') === 'on'
  );
}

/** Likewise, of what was a standby. */
export const isPromotedBy = (parameters: ReadonlyMap<string, string>): boolean =>
  parameters.get('in_hot_standby') === 'off';
