import { readFileSync } from 'node:fs';
import { runProcess } from '@ostiary/service';
import { createApp } from './app.ts';
import { Assertions, signingKey } from './assertions/index.ts';
import { env } from './env.ts';
import { parseRules } from './rules/index.ts';
import { SealedCookies } from './sign-in/index.ts';

void runProcess({
  name: 'guard',
  env,
  async start({ env, kit, onStop, listen }) {
    const { GUARD_KEY, GUARD_KEY_SECOND } = env;
    const app = createApp({
      kit,
      proxy: env.PROXY,
      hosts: parseRules(readFileSync(env.RULES_PATH, 'utf8')),
      issuer: env.ISSUER,
      clientId: env.CLIENT_ID,
      clientSecret: env.CLIENT_SECRET,
      assertions: new Assertions(signingKey(GUARD_KEY), GUARD_KEY_SECOND && signingKey(GUARD_KEY_SECOND)),
      cookies: new SealedCookies(GUARD_KEY, GUARD_KEY_SECOND),
      maxStalenessSeconds: env.MAX_STALENESS_SECONDS,
    });
    onStop('revocation lists', async () => app.verifiers.stop());
    app.verifiers.start();
    await listen(app.http);
  },
});
