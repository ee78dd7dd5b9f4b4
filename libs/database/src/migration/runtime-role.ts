import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Runs a statement. */
export type Query = (
  text: string,
  values?: string[],
) => Promise<{ rowCount: number | null; rows: unknown[] }>;

/** Role of a service: it reads and writes the rows of its own schema, and alters no table. */
export interface RuntimeRole {
  name: string;
  /** Set if given; otherwise the role must exist and keeps its password. */
  password?: string | undefined;
}

/**
 * Returns the reason why the role must not be a service's, as a sentence; undefined if it may be, or is
 * missing.
 */
export async function unfitFor(query: Query, { name }: RuntimeRole): Promise<string | undefined> {
  const { rows } = await query(
    `SELECT r.rolname = current_user AS migrating,
            r.rolsuper OR r.rolcreaterole OR r.rolbypassrls OR pg_has_role(r.oid, me.oid, 'MEMBER') AS powerful
       FROM pg_roles r, pg_roles me WHERE r.rolname = $1 AND me.rolname = current_user`,
    [name],
  );
  const [role] = rows as { migrating: boolean; powerful: boolean }[];
  if (role?.migrating)
    return `DATABASE_ROLE must not be ${name}, which runs the migrations and owns the tables.`;
  return role?.powerful
    ? `DATABASE_ROLE names a role with too many privileges: ${name} is a superuser, can create roles, or is a member of the migrating role.`
    : undefined;
}

/**
 * Creates the role if missing. Roles belong to the server: two databases may be migrated at the same time.
 */
export async function makeRuntimeRole(query: Query, { name, password }: RuntimeRole): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const existing = await query('SELECT 1 AS found FROM pg_roles WHERE rolname = $1', [name]);
  if (!existing.rowCount) {
    await query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`).catch((error: unknown) => {
      // Created concurrently: duplicate_object, or unique_violation of the catalog.
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
 * Makes the server log a role's errors without DETAIL, which for a unique violation is the value, such as a
 * user name. Clients still receive it. A superuser may set this and, since PostgreSQL 15, a role with GRANT
 * SET ON PARAMETER.
 * @returns false if the migrating role may not, and the role has no such setting
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

/**
 * Returns PostgreSQL's stored form of a password (RFC 5803), because statements are logged, rejected ones in
 * any case.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  // RFC 4013 §2.2, as the server does.
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const keyed = (word: string): Buffer => createHmac('sha256', salted).update(word).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}

/** Retries a concurrent change of a catalog row, for which PostgreSQL does not wait. */
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
 * Grants the role its privileges in the schema, also for objects of later migrations, and none in other
 * schemas.
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
  // One message is one transaction: a privilege that is granted and revoked is never effective.
  await query(statements.join(';\n'));
}

/** Returns the role that the environment of a migration names. */
export const runtimeRoleFrom = (env: {
  DATABASE_ROLE?: string | undefined;
  DATABASE_ROLE_PASSWORD?: string | undefined;
}): RuntimeRole | undefined =>
  env.DATABASE_ROLE === undefined || env.DATABASE_ROLE === ''
    ? undefined
    : { name: env.DATABASE_ROLE, password: env.DATABASE_ROLE_PASSWORD || undefined };
