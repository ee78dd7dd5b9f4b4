import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Client } from '../../src/clients/domain/client.ts';
import { languageTags } from '../../src/platform/pages/http/reader.ts';
import { type Answer, hiddenFields } from '../support/sign-in/browser.ts';
import { type Pictures, png, startPictures } from '../support/sign-in/pictures.ts';
import {
  authorizeUrl,
  password,
  rival,
  signIn,
  startTestService,
  type TestService,
  tenant,
} from '../support/sign-in/service.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const runs = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

let service: TestService;
let pictures: Pictures;

beforeAll(async () => {
  pictures = await startPictures({
    '/logo.png': png(16, 16),
    '/other.png': png(8, 8),
    '/once.png': png(4, 4),
    '/parallel.png': png(2, 2),
    '/rivals.png': png(32, 32),
    '/runs.png': runs,
    '/runs.svg': runs,
    '/page.png': Buffer.from('GIF89a<script>alert(1)</script>'),
    '/large.png': Buffer.concat([png(1, 1), Buffer.alloc(65_536)]),
    '/bomb.png': png(50_000, 50_000),
    '/never.png': undefined,
  });
  service = await startTestService({ env: { OUTGOING_ALLOW_PRIVATE: 'true' } });
  await service.person('alice');
  await service.person('ruth', { tenant: rival });
});
afterAll(async () => {
  pictures.stop();
  await service.stop();
});

const signInPage = async (of: Client, fields: Record<string, string> = {}): Promise<Answer> => {
  const browser = service.browser();
  return browser.follow(await browser.get(authorizeUrl(of, fields)));
};

const logoOn = (page: Answer): string | undefined =>
  /<img class="app" src="([^"]+)" alt="">/.exec(page.text)?.[1];

const query = <T>(sql: string, values: unknown[] = []): Promise<{ rows: T[] }> =>
  service.deps.database.sql.query<T & object>(sql, values);

/** Opens the sign-in page until it shows the logo, and returns its path. */
async function shownLogo(of: Client): Promise<string> {
  let path: string | undefined;
  await eventually(async () => {
    path = logoOn(await signInPage(of));
    return path !== undefined;
  });
  return path ?? '';
}

/** Opens the sign-in page until the fetch of the logo has failed. */
async function triedInVain(of: Client, path: string): Promise<void> {
  expect(logoOn(await signInPage(of))).toBeUndefined();
  await eventually(async () => pictures.asked(path) > 0);
  // Longer than the cache, so a stored logo would be shown.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const page = await signInPage(of);
  expect(logoOn(page)).toBeUndefined();
  expect(page.headers.get('content-security-policy')).not.toContain('img-src');
}

const withLogo = (path: string, of = tenant) => service.client({ logo_uri: `${pictures.origin}${path}` }, of);

describe('the logo of an app', () => {
  test('The logo is served as a copy from the origin of the service on the sign-in and consent pages.', async () => {
    const app = await withLogo('/logo.png');
    // The first page does not wait for the logo.
    expect(logoOn(await signInPage(app))).toBeUndefined();
    const path = await shownLogo(app);
    expect(path).toMatch(new RegExp(`^/t/${tenant}/clients/${app.clientId}/logo/[A-Za-z0-9_-]{43}$`));
    const consent = await signIn(service.browser(), app, 'alice');
    expect(consent.text).toContain('action="/t/demo/consent"');
    for (const page of [await signInPage(app), consent]) {
      expect(logoOn(page)).toBe(path);
      expect(page.text).toContain('alt=""><h1>');
      expect(page.text).not.toContain(pictures.origin);
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("img-src 'self';");
      expect(policy).not.toMatch(/unsafe|data:|\*/);
    }
    const logo = await fetch(new URL(path, service.origin));
    expect(logo.status).toBe(200);
    expect(Object.fromEntries(logo.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(png(16, 16));
  });

  test('The logo and the policy link of an app are shown on the device confirmation page.', async () => {
    const tv = await service.client({
      application_type: 'native',
      grant_types: [deviceGrant],
      redirect_uris: [],
      response_types: [],
      scope: 'openid profile',
      logo_uri: `${pictures.origin}/logo.png`,
      policy_uri: 'https://tv.example/privacy',
    });
    const confirmation = async (): Promise<Answer> => {
      const started = await fetch(`${service.origin}/t/${tenant}/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: tv.clientId, scope: 'openid profile' }),
      });
      const { user_code } = (await started.json()) as { user_code: string };
      const browser = service.browser();
      const entry = await browser.get(`/t/${tenant}/device`);
      const login = await browser.follow(await browser.submit(entry, { user_code }));
      return browser.follow(await browser.submit(login, { username: 'alice', password, action: 'sign-in' }));
    };
    await eventually(async () => logoOn(await confirmation()) !== undefined);
    const page = await confirmation();
    expect(page.text).toContain('class="user-code"');
    expect(page.text).toContain('href="https://tv.example/privacy"');
  });

  test('The logo is fetched once, however many users open the page at the same time.', async () => {
    const app = await withLogo('/parallel.png');
    await Promise.all(Array.from({ length: 8 }, () => signInPage(app)));
    await shownLogo(app);
    expect(pictures.asked('/parallel.png')).toBe(1);
  });

  test('The fetch of the logo never delays a page.', async () => {
    const app = await withLogo('/never.png');
    const page = await signInPage(app);
    expect(page.status).toBe(200);
    await eventually(async () => pictures.asked('/never.png') === 1);
    expect((await signInPage(app)).status).toBe(200);
    expect(pictures.asked('/never.png')).toBe(1);
  });

  test.each(['/runs.png', '/runs.svg', '/page.png', '/large.png', '/bomb.png', '/moved.png', '/absent.png'])(
    'A logo at %s is not shown and is not requested again for every page.',
    async (path) => {
      const app = await withLogo(path);
      await triedInVain(app, path);
      expect(pictures.asked(path)).toBe(1);
    },
  );

  test('The logo is fetched again some time after a failure and renewed when it is a day old.', async () => {
    const app = await withLogo('/late.png');
    await triedInVain(app, '/late.png');
    const age = (interval: string) =>
      query(
        `UPDATE auth.client_logos SET tried_at = now() - interval '${interval}' WHERE tenant = $1 AND client_id = $2`,
        [tenant, app.clientId],
      );
    await age('11 minutes');
    await eventually(async () => {
      await signInPage(app);
      return pictures.asked('/late.png') === 2;
    });

    const fine = await withLogo('/other.png');
    const path = await shownLogo(fine);
    const before = pictures.asked('/other.png');
    await query(`UPDATE auth.client_logos SET tried_at = now() - interval '25 hours' WHERE client_id = $1`, [
      fine.clientId,
    ]);
    await eventually(async () => {
      expect(logoOn(await signInPage(fine))).toBe(path);
      return pictures.asked('/other.png') === before + 1;
    });
  });

  test('The logo changes when the registration names another, and disappears when the registration names none.', async () => {
    const app = await withLogo('/logo.png');
    const first = await shownLogo(app);
    const rename = (logo_uri: string | undefined) =>
      service.deps.clientRegistry.update(tenant, app.clientId, ({ logo_uri: _, ...rest }) => ({
        ...rest,
        ...(logo_uri === undefined ? {} : { logo_uri }),
      }));
    await rename(`${pictures.origin}/other.png`);
    // The previous logo is removed immediately from the page and from its address.
    expect(logoOn(await signInPage(app))).not.toBe(first);
    expect((await fetch(new URL(first, service.origin))).status).toBe(404);
    const second = await shownLogo(app);
    expect(second).not.toBe(first);
    await rename(undefined);
    expect(logoOn(await signInPage(app))).toBeUndefined();
    expect((await fetch(new URL(second, service.origin))).status).toBe(404);
  });

  test('The logo is deleted with its client.', async () => {
    const app = await withLogo('/logo.png');
    const path = await shownLogo(app);
    await query('DELETE FROM auth.clients WHERE tenant = $1 AND client_id = $2', [tenant, app.clientId]);
    expect((await fetch(new URL(path, service.origin))).status).toBe(404);
    const { rows } = await query('SELECT 1 FROM auth.client_logos WHERE client_id = $1', [app.clientId]);
    expect(rows).toEqual([]);
  });

  test('The logo is available at its own address only, and not in another tenant or for another client.', async () => {
    const theirs = await withLogo('/rivals.png', rival);
    const ours = await withLogo('/logo.png');
    const path = await shownLogo(theirs);
    const our = await shownLogo(ours);
    expect(path).toContain(`/t/${rival}/`);
    const digest = path.split('/').at(-1) ?? '';
    for (const elsewhere of [
      path.replace(`/t/${rival}/`, `/t/${tenant}/`),
      our.replace(/[^/]+$/, digest),
      path.slice(0, -1),
      path.replace(theirs.clientId, '%00'),
      path.replace(theirs.clientId, '..%2F..'),
      `/t/${tenant}/logo/${digest}`,
    ]) {
      expect((await fetch(new URL(elsewhere, service.origin))).status).toBe(404);
    }
    expect((await fetch(new URL(path, service.origin))).status).toBe(200);
  });
});

describe('internal addresses', () => {
  let closed: TestService;
  beforeAll(async () => {
    closed = await startTestService();
  });
  afterAll(() => closed.stop());

  test('A logo at an internal address is never requested, even when the stored registration names it.', async () => {
    await expect(closed.client({ logo_uri: `${pictures.origin}/once.png` })).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
    const app = await closed.client({ logo_uri: 'https://app.example/logo.png' });
    // Simulates a registration from a time when the installation allowed private addresses.
    await closed.deps.database.sql.query(
      `UPDATE auth.clients SET metadata = jsonb_set(metadata, '{logo_uri}', to_jsonb($2::text)) WHERE client_id = $1`,
      [app.clientId, `${pictures.origin}/once.png`],
    );
    await closed.deps.clients.changed(tenant, app.clientId);
    const tried = async () =>
      (
        await closed.deps.database.sql.query<{ uri: string; digest: string | null }>(
          'SELECT uri, digest FROM auth.client_logos WHERE client_id = $1',
          [app.clientId],
        )
      ).rows[0];
    const show = async (): Promise<Answer> => {
      const browser = closed.browser();
      return browser.follow(await browser.get(authorizeUrl(app)));
    };
    await eventually(async () => {
      await show();
      return (await tried())?.uri.endsWith('/once.png') === true;
    });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(logoOn(await show())).toBeUndefined();
    expect(await tried()).toMatchObject({ digest: null });
    expect(pictures.asked('/once.png')).toBe(0);
    expect(closed.logs.join('')).not.toContain('/once.png');
  });
});

const linkTexts = {
  en: ['Privacy policy of Notes', 'Terms of service of Notes'],
  de: ['Datenschutzerklärung von Notes', 'Nutzungsbedingungen von Notes'],
  es: ['Política de privacidad de Notes', 'Condiciones del servicio de Notes'],
  fr: ['Politique de confidentialité de Notes', 'Conditions d’utilisation de Notes'],
} as const;

const linksOn = (page: Answer) =>
  [...page.text.matchAll(/<a href="([^"]*)" target="_blank" rel="noopener noreferrer">([^<]*)<\/a>/g)].map(
    ([, href, text]) => [href, text],
  );

describe('the links to the privacy policy and terms of an app', () => {
  test.each([...languageTags])(
    'The links to the privacy policy and the terms are on the sign-in and consent pages, in %s.',
    async (language) => {
      const app = await service.client({
        client_name: 'Notes',
        policy_uri: 'https://notes.example/privacy?a=1&b=2',
        tos_uri: 'http://notes.example/terms',
      });
      const login = await signInPage(app, { ui_locales: language });
      const consent = await signIn(service.browser(), app, 'alice', { fields: { ui_locales: language } });
      expect(hiddenFields(consent)).toHaveProperty('scope');
      for (const page of [login, consent]) {
        expect(page.text).toContain(`<html lang="${language}">`);
        expect(linksOn(page)).toEqual([
          ['https://notes.example/privacy?a&#61;1&#38;b&#61;2', linkTexts[language][0]],
          ['http://notes.example/terms', linkTexts[language][1]],
        ]);
      }
    },
  );

  test('The links and the name of an app are escaped.', async () => {
    const app = await service.client({
      client_name: '"><b>',
      policy_uri: 'https://notes.example/"onclick="alert(1)"><script>alert(1)</script>',
    });
    const page = await signInPage(app);
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).not.toContain('"onclick');
    expect(page.text).not.toContain('<b>');
    expect(linksOn(page)).toHaveLength(1);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://notes.example/', '/t/demo/logout', 'x'])(
    'The policy link %s is rejected at registration and not shown even when it is stored.',
    async (uri) => {
      await expect(service.client({ policy_uri: uri })).rejects.toMatchObject({
        code: 'invalid_client_metadata',
      });
      const app = await service.client({ tos_uri: 'https://notes.example/' });
      await query(
        `UPDATE auth.clients SET metadata = jsonb_set(metadata, '{policy_uri}', to_jsonb($2::text)) WHERE client_id = $1`,
        [app.clientId, uri],
      );
      await service.deps.clients.changed(tenant, app.clientId);
      expect((await service.deps.clients.find(tenant, app.clientId))?.metadata.policy_uri).toBe(uri);
      const page = await signInPage(app);
      expect(linksOn(page).map(([href]) => href)).toEqual(['https://notes.example/']);
      expect(page.text).not.toContain(`href="${uri}"`);
    },
  );

  test('The links are omitted when the app has none and on the pages of the service itself.', async () => {
    for (const page of [
      await signInPage(await service.client()),
      await service.browser().follow(await service.browser().get(`/t/${tenant}/account`)),
    ]) {
      expect(page.text).not.toContain('app-links"');
      expect(logoOn(page)).toBeUndefined();
    }
  });
});
