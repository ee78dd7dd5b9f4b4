import type pg from 'pg';

/** History that a primary writes: every promotion of a standby starts a new timeline of the same system. */
export interface Term {
  /** System identifier of the cluster, from initdb. As text, because it is a 64-bit integer. */
  system: string;
  timeline: number;
}

/** State that a server reports. */
export interface ServerState {
  standby: boolean;
  readOnly: boolean;
  /** Whether commits wait for a standby. */
  synchronous: boolean;
  /** Undefined for a standby, and if the server does not report it. */
  term: Term | undefined;
}

// The current timeline; for a moment after a promotion, the last checkpoint still has the former one.
const termColumns = `,
  (pg_control_system()).system_identifier::text AS system,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline`;

/** Whether commits wait for a standby; part of a larger query. */
export const synchronousColumn = `(coalesce(current_setting('synchronous_standby_names', true), '') <> ''
  AND coalesce(current_setting('synchronous_commit', true), '') NOT IN ('off', 'local')) AS synchronous`;

const question = (columns: string): string =>
  `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS "readOnly", ${synchronousColumn}${columns}`;

/** Rejections by a role without the privilege, or a PostgreSQL-compatible service without such a log. */
const termUnavailable = /^(0A000|42501|42883|42P01|42703|55000|XX000)$/;

interface Row {
  standby: boolean;
  readOnly: string;
  synchronous: boolean;
  system?: string | null;
  timeline?: string | null;
}

/**
 * Applies the settings of a connection and reads the state of its server, in one message.
 * @param settings statements without result rows
 */
export async function greet(client: pg.ClientBase, settings: string): Promise<ServerState> {
  try {
    return stateOf(await client.query(`${settings}; ${question(termColumns)}`));
  } catch (error) {
    if (!termUnavailable.test(String((error as { code?: unknown }).code))) throw error;
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

/** Reports whether the server is read-only. PostgreSQL 14 and newer send it at login and on changes. */
export function isReadOnlyBy(parameters: ReadonlyMap<string, string>): boolean {
  return (
    parameters.get('in_hot_standby') === 'on' || parameters.get('default_transaction_read_only') === 'on'
  );
}

/** Reports whether a former standby was promoted. */
export const isPromotedBy = (parameters: ReadonlyMap<string, string>): boolean =>
  parameters.get('in_hot_standby') === 'off';
