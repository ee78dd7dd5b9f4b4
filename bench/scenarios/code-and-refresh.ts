import { beside, rowsBeside } from '../beside.ts';
import { codeChallenge, codeMint } from '../codes.ts';
import { startPeer } from '../peer.ts';
import { pidOf, type Scenario } from '../scenario.ts';
import { authorizationServer, exchange, refresh } from '../token-load.ts';

/** Both servers store everything they issue in the same PostgreSQL with durable commits. */
export const codeAndRefresh: Scenario = {
  name: 'code_and_refresh',
  async run(context) {
    const { system } = context;
    const mint = await codeMint(context);
    const peer = await startPeer('oidc-provider-postgres', { DATABASE_URL: system.databaseUrl });
    const ostiary = authorizationServer(context, mint);
    const provider = {
      name: 'oidc-provider',
      tokenUrl: `${peer.origin}/token`,
      clientId: 'app',
      codes: async (count: number) =>
        (
          await peer.ask<{ codes: string[] }>({
            codes: count,
            challenge: codeChallenge,
            resourceServer: true,
          })
        ).codes,
      most: 4_000,
      pids: [peer.pid],
      stores: [pidOf(system, 'postgres')],
    };
    const names = ['Ostiary (PostgreSQL, codes in Valkey)', 'oidc-provider (PostgreSQL)'] as const;
    try {
      const exchanges = await beside(context, 'code exchange', [ostiary, provider], exchange);
      const refreshes = await beside(context, 'refresh', [ostiary, provider], refresh);
      return [
        ...rowsBeside('code exchange', names, exchanges),
        ...rowsBeside('refresh with rotation', names, refreshes),
      ];
    } finally {
      mint.close();
      await peer.stop();
    }
  },
};
