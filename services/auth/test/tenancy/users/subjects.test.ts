import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { ProjectedSubjects } from '../../../src/lifecycle/directory-events/subjects.ts';
import type { Connection } from '../../../src/platform/database/data/connection.ts';
import { startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('A user whose event arrives during the lookup is found, and not treated as deleted.', async () => {
  const { deps } = service;
  const id = uuidv7();
  let looks = 0;
  const sql: Connection = {
    prisma: () => deps.database.sql.prisma(),
    async query(text, values) {
      const answer = await deps.database.sql.query(text, values);
      looks += 1;
      if (looks === 1) {
        await deps.database.transaction((tx) =>
          deps.subjects.applyChange(tx, tenant, {
            id,
            active: true,
            deleted: false,
            restorable: false,
            reactivated: false,
            version: 1n,
            profile: { userName: `racer-${id}`, emails: [] },
          }),
        );
      }
      return answer as never;
    },
  };
  const subjects = new ProjectedSubjects({
    ...deps,
    database: {
      sql,
      transaction: deps.database.transaction.bind(deps.database),
    },
  });
  expect(await subjects.find(tenant, id)).toMatchObject({ id, active: true });
});
