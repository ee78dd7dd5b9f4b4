import pg from 'pg';

/** Runs a statement. */
type Query = (text: string, values?: string[]) => Promise<{ rowCount: number | null }>;

/** The role a service works with: it reads and writes the rows of its own schema, and changes no table. */
export interface RuntimeRole {
  name: string;
  /** Set when given; without it the role must be there, and keeps what it logs in with. */
  password?: string | undefined;
}

/**
 * Makes the role if it isn't there, and gives it what it needs of the schema: of what is there, and of what later migrations
 * make. Other schemas give it nothing.
 */
export async function grantToRuntimeRole(
  query: Query,
  schema: string,
  { name, password }: RuntimeRole,
): Promise<void> {
  const [role, place] = [pg.escapeIdentifier(name), pg.escapeIdentifier(schema)];
  const existing = await query('SELECT 1 AS found FROM pg_roles WHERE rolname = $1', [name]);
  if (!existing.rowCount) await query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE`);
  if (password !== undefined) await query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(password)}`);
  const tables = 'SELECT, INSERT, UPDATE, DELETE ON TABLES';
  for (const statement of [
    `REVOKE ALL ON SCHEMA ${place} FROM PUBLIC`,
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    `GRANT USAGE ON SCHEMA ${place} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${place} TO ${role}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${place} TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${place}._prisma_migrations FROM ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${place} GRANT ${tables} TO ${role}`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${place} GRANT USAGE, SELECT ON SEQUENCES TO ${role}`,
  ]) {
    await query(statement);
  }
}

/** The role as the environment of a migration names it. */
export const runtimeRoleFrom = (env: {
  DATABASE_ROLE?: string | undefined;
  DATABASE_ROLE_PASSWORD?: string | undefined;
}): RuntimeRole | undefined =>
  env.DATABASE_ROLE === undefined || env.DATABASE_ROLE === ''
    ? undefined
    : { name: env.DATABASE_ROLE, password: env.DATABASE_ROLE_PASSWORD || undefined };
