import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { type Database, migrate } from '../src/index.ts';
import { directory, open, schema } from './support/fixture.ts';
import { proxyTo, type TcpProxy } from './support/proxy.ts';
import { type StockPostgres, stockPostgres, withoutStockPostgres } from './support/stock-postgres.ts';

const missing = withoutStockPostgres();
if (missing !== undefined) recordSkip(missing);
const described = missing === undefined ? describe : describe.skip;

described(
  `one address that comes to lead to another server${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let former: StockPostgres;
    let successor: StockPostgres;
    let address: TcpProxy;
    let database: Database<undefined>;

    beforeAll(async () => {
      former = await stockPostgres();
      await migrate({ url: former.url, schema, directory });
    });
    afterEach(async () => {
      await database.close();
      await address.close();
      await successor.remove();
    });
    afterAll(() => former.remove());

    /** Promotes a standby to which the address leads from now on, while a process has connections. */
    async function movedAway(): Promise<void> {
      successor = await stockPostgres({ of: former });
      address = await proxyTo(former.url);
      database = open(address.url, 3);
      await Promise.all([1, 2, 3].map(() => database.sql.query('SELECT pg_sleep(0.05)')));
      await successor.query('SELECT pg_promote()');
      address.leadTo(successor.url);
    }

    const portOf = ({ url }: StockPostgres): number => Number(new URL(url).port);
    const portThatAnswers = async (): Promise<number> => {
      const { rows } = await database.sql.query<{ port: number }>('SELECT inet_server_port() AS port');
      return rows[0]?.port ?? 0;
    };

    test('Connections to a former primary that still runs are closed once one has detected its successor.', async () => {
      await movedAway();
      expect(await portThatAnswers()).toBe(portOf(former));
      let changes = 0;
      database.onTermChange(() => (changes += 1));
      // On a separate connection, which is a new one here.
      await database.ready([], []).catch(() => undefined);
      expect(changes).toBe(1);
      for (let n = 0; n < 6; n += 1) expect(await portThatAnswers()).toBe(portOf(successor));
      expect(
        (await former.query("SELECT FROM pg_stat_activity WHERE application_name LIKE 'ostiary%'")).rowCount,
      ).toBe(0);
    });

    test('A statement that waits for a silent former primary fails once its successor was detected.', async () => {
      await movedAway();
      address.silence();
      const waiting = database.sql.query('SELECT 1').then(
        () => 'answered',
        (error: Error) => error.name,
      );
      await database.ready([], []).catch(() => undefined);
      expect(await waiting).toBe('DatabaseUnavailable');
      expect(await portThatAnswers()).toBe(portOf(successor));
    });
  },
);
