import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { runningDemo, unique } from '../../support/demo.ts';
import { execute } from '../../support/graph.ts';
import { CreatePerson, DeactivatePerson, People, Person } from '../../support/operations.ts';
import { adminToken } from '../../support/sign-in.ts';

const demo = runningDemo();

test('The typed operations match the schema (node e2e/graph/operations/generate.ts writes them).', () => {
  const script = fileURLToPath(new URL('./generate.ts', import.meta.url));
  execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' });
});

test('A user is created and removed by operations whose types are generated from the schema.', async () => {
  const token = await adminToken(demo.tenants.demo);
  const userName = unique('typed');
  const { createUser } = await execute(demo, token, CreatePerson, {
    input: { userName, emails: [{ value: `${userName}@example.com`, primary: true }] },
  });
  const id = createUser?.user?.id ?? '';
  const { user } = await execute(demo, token, Person, { id });
  expect(user).toEqual({ id, userName, active: true, version: createUser?.user?.version });
  const { deactivateUser } = await execute(demo, token, DeactivatePerson, {
    input: { id, version: createUser?.user?.version ?? null },
  });
  expect(deactivateUser?.user).toMatchObject({ id, active: false });
  const { users } = await execute(demo, token, People, { first: 1 });
  expect(users?.edges).toHaveLength(1);
  expect(users?.totalCount).toBeGreaterThan(3);
});
