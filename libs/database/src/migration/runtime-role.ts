import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Runs a statement. */
export type Query = (
  text: string,
  values?: string[],
) => Promise<{ rowCount: number | null; rows: unknown[] }>;

/** The role a service works with: it reads and writes the rows of its own schema, and changes no table. */
export interface RuntimeRole {
  name: string;
  /** Set when given; without it the role must be there, and keeps what it logs in with. */
  password?: string | undefined;
}

/** Why the role must not be a service's, in one sentence; undefined when it may, or isn't there. */
export async function unfitFor(query: Query, { name }: RuntimeRole): Promise<string | undefined> {
  const { rows } = await query(
    `SELECT r.rolname = current_user AS migrating,
            r.rolsuper OR r.rolcreaterole OR r.rolbypassrls OR pg_has_role(r.oid, me.oid, 'MEMBER') AS powerful
       FROM pg_roles r, pg_roles me WHERE r.rolname = $1 AND me.rolname = current_user`,
    [name],
  );
  const [role] = rows as { migrating: boolean; powerful: boolean }[];
  if (role?.migrating)
    return `DATABASE_ROLE must be another role than ${name}, which migrates and owns the tables.`;
  return role?.powerful
    ? `DATABASE_ROLE names a role that may do more than a service: ${name} is a superuser, makes roles, or is a member of the migrating one.`
    : undefined;
}

/** Makes the role if it isn't there. Roles are of the whole server: two databases may be migrated at once. */
export async function makeRuntimeRole(query: Query, { name, password }: RuntimeRole): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const existing = await query('SELECT 1 AS found FROM pg_roles WHERE rolname = $1', [name]);
  if (!existing.rowCount) {
    await query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`).catch((error: unknown) => {
      // Somebody else made it just now: duplicate_object, or unique_violation of the catalog.
      if (!['42710', '23505'].includes(String((error as { code?: unknown }).code))) throw error;
    });
  }
  if (password === undefined) return;
  await unlessAtOnce(() => query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(scramVerifier(password))}`));
}

/** Keeps the values of rows out of the server's log. */
export const terse = (role: string): string =>
  `ALTER ROLE ${pg.escapeIdentifier(role)} SET log_error_verbosity = 'terse'`;

/**
 * Makes the server log errors of a role without their DETAIL: of a unique violation that is the value, a user name for example. Clients receive
 * it all the same. A superuser may set this, and since PostgreSQL 15 whoever was granted it (GRANT SET ON PARAMETER).
 * @returns false when the migrating role may not, and the role has no such setting
 */
export async function keepValuesOutOfLog(query: Query, role: string): Promise<boolean> {
  const set = await query(
    `SELECT 1 AS found FROM pg_roles r LEFT JOIN pg_db_role_setting s ON s.setrole = r.oid AND s.setdatabase = 0
       WHERE r.rolname = $1
         AND ('log_error_verbosity=terse' = ANY (s.setconfig)
           OR s.setconfig::text IS NULL AND current_setting('log_error_verbosity') = 'terse')`,
    [role],
  );
  if (set.rowCount) return true;
  try {
    await unlessAtOnce(() => query(terse(role)));
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === '42501') return false;
    throw error;
  }
}

const iterations = 4096;

/** What PostgreSQL keeps of a password (RFC 5803). Statements are written to the server's log, those that are refused in any case. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  // RFC 4013 §2.2, as the server does.
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyed = (word: string): Buffer => createHmac('sha256', salted).update(word).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}

/** PostgreSQL doesn't wait for whoever is changing the same row of its catalog; it refuses. */
async function unlessAtOnce(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === 10 || !/tuple concurrently updated/.test(String((error as Error).message))) throw error;
      await sleep(20 * attempt);
    }
  }
}

/**
 * Gives the role what it needs of the schema: of what is there, and of what later migrations make. Other schemas give it
 * nothing.
 */
export async function grantToRuntimeRole(query: Query, schema: string, { name }: RuntimeRole): Promise<void> {
  const [role, place] = [pg.escapeIdentifier(name), pg.escapeIdentifier(schema)];
  const tables = 'SELECT, INSERT, UPDATE, DELETE ON TABLES';
  const statements = [
    `REVOKE ALL ON SCHEMA ${place} FROM PUBLIC`,
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    `GRANT USAGE ON SCHEMA ${place} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${place} TO ${role}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${place} TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${place}._prisma_migrations FROM ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${place} GRANT ${tables} TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${place} GRANT USAGE, SELECT ON SEQUENCES TO ${role}`,
  ];
  // One message is one transaction: what is given and taken back again is never there.
  await query(statements.join(';\n'));
}

/** The role as the environment of a migration names it. */
export const runtimeRoleFrom = (env: {
  DATABASE_ROLE?: string | undefined;
  DATABASE_ROLE_PASSWORD?: string | undefined;
}): RuntimeRole | undefined =>
  env.DATABASE_ROLE === undefined || env.DATABASE_ROLE === ''
    ? undefined
    : { name: env.DATABASE_ROLE, password: env.DATABASE_ROLE_PASSWORD || undefined };
