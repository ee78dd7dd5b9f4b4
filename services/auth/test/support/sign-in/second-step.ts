import { createDatabase } from '@ostiary/database';
import { createKit, createRedis, redisReady } from '@ostiary/service';
import { Secret, TOTP } from 'otpauth';
import { createAuthService } from '../../../src/app.ts';
import { PrismaClient } from '../../../src/platform/database/generated/client.ts';
import { quicker } from '../quicker.ts';
import type { Authenticator } from './authenticator.ts';
import { passkeyOptions } from './authenticator.ts';
import { type Answer, Browser } from './browser.ts';
import { password, type TestService, tenant } from './service.ts';

export const accountPath = `/t/${tenant}/account`;

/** Signs in to the account page with the password; ends there, or at the second step. */
export async function openAccount(browser: Browser, userName: string, path = ''): Promise<Answer> {
  const page = await browser.follow(await browser.get(`${accountPath}${path}`));
  if (!page.text.includes('name="password"')) return page;
  return browser.follow(await browser.submit(page, { username: userName, password, action: 'sign-in' }));
}

/** Returns the secret of an authenticator app in the text of the set-up page. */
export function offeredSecret(page: Answer): string {
  const typed = /<code class="typed">([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1];
  if (typed === undefined) throw new Error(`no secret: ${page.status} ${page.text}`);
  return typed.replaceAll(' ', '');
}

/** Returns the code of an authenticator app, `steps` time steps of 30 s from now. */
export const appCode = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

export const shownCodes = (page: Answer): string[] =>
  [...page.text.matchAll(/<li><code>([a-z2-9]{5}-[a-z2-9]{5})<\/code><\/li>/g)].map(
    (match) => match[1] ?? '',
  );

/** Sets up an authenticator app; ends at the page with the recovery codes. */
export async function setUpApp(
  service: TestService,
  browser: Browser,
  userName: string,
): Promise<{ secret: string; page: Answer; codes: string[] }> {
  const offer = await openAccount(browser, userName, '/totp');
  const secret = offeredSecret(offer);
  const page = await browser.follow(await browser.submit(offer, { code: appCode(secret) }));
  await laterStep(service);
  return { secret, page, codes: shownCodes(page) };
}

/** Moves the last used time step into the past, so that the current code can be used again. */
export async function laterStep(service: TestService): Promise<void> {
  await service.deps.database.sql.query('UPDATE auth.totp_factors SET last_step = last_step - 3');
}

export async function addPasskey(
  browser: Browser,
  userName: string,
  authenticator: Authenticator,
): Promise<Answer> {
  const page = await openAccount(browser, userName, '/passkeys');
  const credential = authenticator.create(passkeyOptions(page));
  return browser.follow(await browser.submit(page, { credential, name: 'Laptop' }));
}

export async function startTwin(service: TestService): Promise<{ origin: string; stop(): Promise<void> }> {
  const { env } = service.deps;
  const kit = createKit({ name: 'auth-twin', logLevel: 'silent' });
  const database = createDatabase({
    url: env.DATABASE_URL,
    schema: 'auth',
    log: kit.log,
    prisma: (adapter) => new PrismaClient({ adapter }),
  });
  const redis = createRedis(env.REDIS_URL, { name: 'auth-twin', log: kit.log });
  await redisReady(redis);
  const twin = await createAuthService({ kit, env, database, redis, breakMs: 60_000, quicker });
  const stop = await twin.start();
  const origin = await twin.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    origin,
    async stop() {
      await twin.app.close();
      await stop();
      redis.disconnect();
      await database.close();
    },
  };
}

/** Returns a browser with the same cookies at another process. */
export function moved(browser: Browser, origin: string): Browser {
  const twin = new Browser(origin);
  for (const [name, value] of browser.cookies) twin.cookies.set(name, value);
  return twin;
}
