import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSafeFetch } from '@ostiary/service';
import { brandColours, contrastOf } from '../../../src/tenancy/tenants/domain/brand-colour.ts';
import { readLogo, readLogoUrl } from '../../../src/tenancy/tenants/domain/logo.ts';
import { brandingResolvers } from '../../../src/tenancy/tenants/graph/branding.ts';
import { png } from '../../support/sign-in/pictures.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

const dataUrl = (data: Buffer): string => `data:image/png;base64,${data.toString('base64')}`;

describe('colours', () => {
  test.each([
    '#ffffff',
    '#000000',
    '#ffff00',
    '#777777',
    '#1f6b4f',
    '#ff0000',
    '#0000ff',
    '#00ffff',
    '#fefefe',
  ])('The colour %s is adjusted to be readable on every background, as text and under text.', (colour) => {
    const { light, dark } = brandColours(colour);
    for (const ground of ['#f4f5f2', '#ffffff', light.wash]) {
      expect(contrastOf(light.accent, ground)).toBeGreaterThanOrEqual(4.5);
    }
    for (const ground of ['#121614', '#1a201d', dark.wash]) {
      expect(contrastOf(dark.accent, ground)).toBeGreaterThanOrEqual(4.5);
    }
    for (const theme of [light, dark]) {
      expect(contrastOf(theme.accent, theme.onAccent)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(theme.strong, theme.onAccent)).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('A colour that is readable is used unchanged.', () => {
    expect(brandColours('#7a1fa2').light.accent).toBe('#7a1fa2');
  });
});

describe('logos', () => {
  test('The type of a logo is recognised by its bytes.', () => {
    expect(readLogo(png(64, 32)).type).toBe('image/png');
    expect(readLogoUrl(dataUrl(png(1, 1))).type).toBe('image/png');
    const jpeg = Buffer.from(
      'ffd8ffe000104a46494600010100000100010000ffc0001108001000200301110002110003110000',
      'hex',
    );
    expect(readLogo(jpeg).type).toBe('image/jpeg');
  });

  test.each([
    [
      'a script in SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['HTML that begins like a picture', Buffer.from('GIF89a<script>alert(1)</script>')],
    ['a PNG that is cut off', png(1, 1).subarray(0, 20)],
    ['a JPEG without a frame', Buffer.from('ffd8ffe0000000000000000000', 'hex')],
    ['too many pixels', png(100_000, 100_000)],
    ['no pixels', png(0, 0)],
    ['too many bytes', Buffer.concat([png(1, 1), Buffer.alloc(65_536)])],
    ['nothing', Buffer.alloc(0)],
  ])('A logo is rejected: %s.', (_what, data) => {
    expect(() => readLogo(data)).toThrow();
  });

  test.each([
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:text/html;base64,PHN2Zy8+',
    'https://logo.example/x.png',
    'javascript:alert(1)',
    `data:image/png;base64,${'A'.repeat(1_000_000)}`,
  ])('The text %# is rejected as a data URL of a logo.', (url) => {
    expect(() => readLogoUrl(url)).toThrow();
  });
});

describe('branding of a tenant', () => {
  let service: TestService;
  let pictures: Server;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    service = await startTestService();
    pictures = createServer((request, response) => {
      if (request.url === '/moved.png') response.writeHead(302, { location: '/logo.png' }).end();
      else if (request.url === '/big.png') response.end(Buffer.alloc(1_000_000));
      else response.setHeader('content-type', 'image/png').end(png(16, 16));
    });
    await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
    for (const id of [tenant, rival]) {
      const client = await service.client(
        {
          token_endpoint_auth_method: 'client_secret_post',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          scope: 'tenants:read tenants:write',
        },
        id,
      );
      const response = await fetch(`${service.origin}/t/${id}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client.clientId,
          client_secret: client.secret ?? '',
        }),
      });
      tokens.set(id, ((await response.json()) as { access_token: string }).access_token);
    }
  });
  afterAll(async () => {
    pictures.close();
    await service.stop();
  });

  async function update(
    input: Record<string, unknown>,
    of = tenant,
  ): Promise<{ branding: Record<string, unknown> | undefined; errors: string }> {
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.get(of)}` },
      body: JSON.stringify({
        query: `mutation($input: UpdateTenantBrandingInput!) { updateTenantBranding(input: $input) {
          tenantBranding { name color lightColor darkColor logoUrl } } }`,
        variables: { input },
      }),
    });
    const { data, errors } = (await response.json()) as {
      data?: { updateTenantBranding?: { tenantBranding: Record<string, unknown> } };
      errors?: unknown;
    };
    return { branding: data?.updateTenantBranding?.tenantBranding, errors: JSON.stringify(errors ?? '') };
  }

  const page = (of = tenant) => service.browser().get(`/t/${of}/signed-out`);

  test('The pages of a tenant have its name, colour and logo, under a policy that allows exactly those.', async () => {
    const { branding } = await update({ name: 'Acme & <Sons>', color: '#7A1FA2', logo: dataUrl(png(8, 8)) });
    expect(branding).toMatchObject({ name: 'Acme & <Sons>', color: '#7a1fa2', lightColor: '#7a1fa2' });
    const { text, headers } = await page();
    expect(text).toContain('Acme &#38; &#60;Sons&#62;');
    const policy = headers.get('content-security-policy') ?? '';
    for (const [, css] of text.matchAll(/<style>([\s\S]*?)<\/style>/g)) {
      expect(policy).toContain(
        `'sha256-${createHash('sha256')
          .update(css ?? '')
          .digest('base64')}'`,
      );
    }
    expect(text).toContain('--accent:#7a1fa2');
    expect(policy).toContain("img-src 'self'");
    expect(policy).not.toMatch(/unsafe|data:|\*/);

    const path = /<img src="([^"]+)" alt="">/.exec(text)?.[1] ?? '';
    const logo = await fetch(new URL(path, service.origin));
    expect(logo.status).toBe(200);
    expect(logo.headers.get('content-type')).toBe('image/png');
    expect(logo.headers.get('x-content-type-options')).toBe('nosniff');
    expect(logo.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(png(8, 8));
    expect((await fetch(new URL(path.replace(tenant, rival), service.origin))).status).toBe(404);
    expect((await fetch(new URL(path.slice(0, -1), service.origin))).status).toBe(404);
  });

  test('The branding of a tenant is used by no other tenant.', async () => {
    await update({ name: 'Acme', color: '#7a1fa2' });
    const { text, headers } = await page(rival);
    expect(text).toContain('Rival');
    expect(text).not.toContain('#7a1fa2');
    expect(headers.get('content-security-policy')).not.toContain('img-src');
  });

  test('An update of the branding keeps omitted fields, and removes those that are null.', async () => {
    await update({ name: 'Acme', color: '#7a1fa2', logo: dataUrl(png(8, 8)) });
    expect((await update({ name: 'Other' })).branding).toMatchObject({
      name: 'Other',
      color: '#7a1fa2',
      logoUrl: expect.any(String),
    });
    expect((await update({ name: null, color: null, logo: null })).branding).toEqual({
      name: null,
      color: null,
      lightColor: null,
      darkColor: null,
      logoUrl: null,
    });
    expect((await page()).text).toContain('Demo &#38; Sons');
  });

  test('A logo is fetched from a public address, but not from an internal one, and not through a redirect.', async () => {
    const origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
    for (const path of ['/logo.png', '/moved.png', '/big.png']) {
      const { branding, errors } = await update({ logoUrl: `${origin}${path}` });
      expect(branding).toBeUndefined();
      expect(errors).toContain('BAD_USER_INPUT');
      expect(errors).toContain('not public');
    }
    for (const logoUrl of ['file:///etc/passwd', 'http://169.254.169.254/latest', 'http://[::1]/', 'x']) {
      expect((await update({ logoUrl })).errors).toContain('BAD_USER_INPUT');
    }
  });

  test('A logo that was fetched is then served from this service.', async () => {
    const safeFetch = createSafeFetch({ allowPrivate: true, allowHttp: true });
    const { Mutation } = brandingResolvers({ ...service.deps, safeFetch });
    const origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
    const run = (logoUrl: string): unknown =>
      (Mutation.updateTenantBranding as (...given: unknown[]) => unknown)(
        {},
        { input: { logoUrl } },
        { tenant },
      );
    await run(`${origin}/logo.png`);
    const { text } = await page();
    const path = /<img src="([^"]+)"/.exec(text)?.[1] ?? '';
    expect(path).toMatch(/^\/t\/demo\/logo\//);
    expect((await fetch(new URL(path, service.origin))).status).toBe(200);
    await expect(run(`${origin}/moved.png`)).rejects.toThrow('status 302');
    await expect(run(`${origin}/big.png`)).rejects.toThrow('too large');
  });

  test.each([
    [{ color: 'red' }],
    [{ color: '#fff' }],
    [{ color: '#000000}body{display:none' }],
    [{ name: '' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'a\u0000b' }],
    [{ logo: 'data:image/svg+xml;base64,PHN2Zy8+' }],
    [{ logo: dataUrl(png(1, 1)), logoUrl: 'https://logo.example/' }],
  ])('The branding %j is rejected.', async (input) => {
    expect((await update(input)).errors).toContain('BAD_USER_INPUT');
  });
});
