import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { PageError } from '../../../platform/pages/http/page.ts';
import type { Look } from '../../../platform/pages/http/reader.ts';
import { brandColours } from '../domain/brand-colour.ts';
import type { Branding, Brandings } from '../domain/branding.ts';
import type { Logo } from '../domain/logo.ts';

/** GET /t/{tenant}/logo/{digest}: the tenant's logo, under an address that changes with it. */
export function brandingRoutes(app: FastifyInstance, deps: { branding: Brandings }): void {
  app.get('/t/:tenant/logo/:digest', async (request, reply) => {
    const { tenant, digest } = request.params as { tenant: string; digest: string };
    const logo = isLogoDigest(digest) ? await deps.branding.logo(tenant, digest) : undefined;
    if (!logo) throw new PageError('not_found', 404);
    return sendLogo(reply, logo);
  });
}

/** Sends an image under an address that changes with it. Browsers cannot open it as a page. */
export const sendLogo = (reply: FastifyReply, logo: Logo): FastifyReply =>
  reply
    .headers({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    .type(logo.type)
    .send(logo.data);

/** Reports whether the text is the digest in an image's address: SHA-256, base64url. */
export const isLogoDigest = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

export interface TenantLooks {
  branding: {
    find(tenant: string): Promise<{ name: string | null; colour: string | null; logoDigest: string | null }>;
  };
}

export const lookOf = (
  tenant: string,
  { colour, logoDigest }: Pick<Branding, 'colour' | 'logoDigest'>,
): Look => ({
  ...(logoDigest === null ? {} : { logo: `/t/${tenant}/logo/${logoDigest}` }),
  ...(colour === null ? {} : { style: styleOf(colour) }),
});

const styles = new LRUCache<string, { css: string; hash: string }>({ max: 1_000 });

function styleOf(colour: string): { css: string; hash: string } {
  const known = styles.get(colour);
  if (known) return known;
  const { light, dark } = brandColours(colour);
  const rules = (theme: typeof light): string =>
    `:root{--accent:${theme.accent};--accent-strong:${theme.strong};--on-accent:${theme.onAccent};--wash:${theme.wash}}`;
  const css = `${rules(light)}@media (prefers-color-scheme:dark){${rules(dark)}}`;
  const hash = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
  const style = { css, hash };
  styles.set(colour, style);
  return style;
}
