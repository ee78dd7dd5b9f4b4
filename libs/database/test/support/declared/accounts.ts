import { composedStatement, fragment, statement, typed } from '../../../src/index.ts';

const account = fragment('a.id, a.name, a.balance, a.created_at AS "createdAt"', {
  id: 'uuid',
  name: 'text',
  balance: typed<number>('int8'),
  createdAt: 'timestamptz',
});

export interface Profile {
  city: string;
  lines: string[];
}

export const addAccount = statement({
  name: 'accounts.add',
  reason: 'atomic',
  text: `INSERT INTO bank.accounts (id, tenant, name, data, tags)
         VALUES ($id, $tenant, $name, $profile, $tags) ON CONFLICT (tenant, name) DO NOTHING`,
  parameters: { id: 'uuid', tenant: 'text', name: 'text', profile: typed<Profile>('jsonb'), tags: 'text[]' },
});

export const findAccount = statement({
  name: 'accounts.find',
  reason: 'hot path',
  text: `SELECT ${account}, a.data AS profile, a.tags, NULLIF(a.balance, 0) AS owed
           FROM bank.accounts a WHERE a.tenant = $tenant AND a.id = $id`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { ...account.columns, profile: typed<Profile>('jsonb'), tags: 'text[]!', owed: 'int8?' },
});

/** A statement with numbered parameters. */
export const countAccounts = statement({
  name: 'accounts.count',
  reason: 'set',
  text: 'SELECT count(*)::int4 AS total FROM bank.accounts WHERE tenant = $1 AND name = ANY($2::text[])',
  parameters: { tenant: 'text', names: 'text[]' },
  columns: { total: 'int4' },
});

export const listAccounts = composedStatement({
  name: 'accounts.list',
  reason: 'search',
  columns: account.columns,
  compose: (o: { tenant: string; order: 'ASC' | 'DESC'; atLeast?: number }) => ({
    text: `SELECT ${account} FROM bank.accounts a WHERE a.tenant = $1
           ${o.atLeast === undefined ? '' : 'AND a.balance >= $2'} ORDER BY a.name ${o.order}`,
    values: [o.tenant, ...(o.atLeast === undefined ? [] : [o.atLeast])],
  }),
  examples: () => [
    { tenant: 'demo', order: 'ASC' },
    { tenant: 'demo', order: 'DESC', atLeast: 3 },
  ],
});
