import pg from 'pg';
import { sqlState } from '../errors.ts';
import type { Query, RuntimeRole } from './runtime-role.ts';

/** Facts for the administrator who prepares a database. */
export interface Preparation {
  schema: string;
  role?: RuntimeRole | undefined;
  /** Privilege that the migrating role lacks. */
  refused: string;
}

const insufficientPrivilege = '42501';

/** Returns PostgreSQL's message about a missing privilege, if that caused a failure. */
export function refusalOf(...errors: unknown[]): string | undefined {
  const refused = errors.find((error) => sqlState(error) === insufficientPrivilege);
  return refused instanceof Error ? refused.message : undefined;
}

/**
 * Returns the statements that an administrator runs once, so that the migrating role can do the rest: only
 * those still needed. They contain no password, because they are displayed and logged.
 */
async function statementsFor(query: Query, { schema, role, refused }: Preparation): Promise<string[]> {
  const statements: string[] = [];
  const { rows: own } = await query(
    `SELECT current_user AS migrating, current_database() AS database,
       (SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = $1) AS owner,
       EXISTS (SELECT FROM pg_roles WHERE rolname = $2) AS known`,
    [schema, role?.name ?? ''],
  );
  const [{ migrating, owner, known } = {}] = own as { migrating?: string; owner?: string; known?: boolean }[];
  const [owning, place] = [pg.escapeIdentifier(migrating ?? ''), pg.escapeIdentifier(schema)];
  if (role) {
    const name = pg.escapeIdentifier(role.name);
    if (!known) statements.push(`CREATE ROLE ${name} LOGIN PASSWORD 'choose one';`);
    else if (role.password !== undefined && /role/i.test(refused))
      statements.push(`ALTER ROLE ${name} PASSWORD 'choose one';`);
  }
  const extension = /extension "([^"]+)"/.exec(refused)?.[1];
  if (extension !== undefined)
    statements.push(`CREATE EXTENSION IF NOT EXISTS ${pg.escapeIdentifier(extension)} SCHEMA ${place};`);
  if (owner == null) statements.push(`CREATE SCHEMA ${place} AUTHORIZATION ${owning};`);
  else if (owner.replaceAll('"', '') !== migrating)
    statements.push(`ALTER SCHEMA ${place} OWNER TO ${owning};`);
  return statements;
}

/** Returns one sentence with the statements to run. */
export async function askingAdministrator(query: Query, preparation: Preparation): Promise<string> {
  const { schema, role, refused } = preparation;
  const statements = await statementsFor(query, preparation);
  const password =
    role?.password === undefined || !statements.some((one) => one.includes('PASSWORD'))
      ? ''
      : ` without the password (DATABASE_ROLE_PASSWORD, DATABASE_PASSWORD_${schema.toUpperCase()})`;
  return [
    `The migrating role lacks privileges that the schema "${schema}" needs: ${refused}.`,
    `A database administrator must run these statements in the same database; then repeat the migration${password}:`,
    ...statements.map((statement) => `  ${statement}`),
  ].join('\n');
}
