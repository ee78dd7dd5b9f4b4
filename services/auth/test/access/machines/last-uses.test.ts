import { expect, test } from '@jest/globals';
import { touchApiTokens } from '../../../src/access/machines/data/api-tokens.ts';
import { personal, service, setUpApiTokens, signedIn } from '../../support/sign-in/api-tokens.ts';
import { tenant } from '../../support/sign-in/service.ts';

setUpApiTokens();

test('The last uses of tokens are stored without a wait for transactions that revoke some of them.', async () => {
  const { database } = service.deps;
  const { accessToken } = await signedIn('last-uses');
  const [free, locked] = [await personal(accessToken), await personal(accessToken)];
  const at = new Date(Date.now() + 60_000);
  const touch = () =>
    touchApiTokens(
      database.sql,
      [locked, free].map(({ id }) => ({ tenant, id, at })),
    );
  const stored = async () => {
    const { rows } = await database.sql.query<{ id: string }>(
      'SELECT id FROM auth.api_tokens WHERE id = ANY ($1) AND last_used_at = $2',
      [[free.id, locked.id], at],
    );
    return rows.map(({ id }) => id);
  };
  await database.transaction(async (tx) => {
    await tx.query('SELECT FROM auth.api_tokens WHERE id = $1 FOR UPDATE', [locked.id]);
    await touch();
    expect(await stored()).toEqual([free.id]);
  });
  await touch();
  expect((await stored()).toSorted()).toEqual([free.id, locked.id].toSorted());
});
