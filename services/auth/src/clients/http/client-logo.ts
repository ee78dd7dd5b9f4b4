import type { FastifyInstance } from 'fastify';
import type { App } from '../../platform/pages/http/app.ts';
import { PageError } from '../../platform/pages/http/page.ts';
import { isLogoDigest, sendLogo } from '../../tenancy/tenants/http/branding.ts';
import { type Client, isClientId } from '../domain/client.ts';
import type { ClientLogos } from '../domain/client-logos.ts';

/** GET /t/{tenant}/clients/{client}/logo/{digest}: the copy of a client's logo, at an address that changes with it. */
export function clientLogoRoutes(app: FastifyInstance, deps: { clientLogos: ClientLogos }): void {
  app.get('/t/:tenant/clients/:client/logo/:digest', async (request, reply) => {
    const { tenant, client, digest } = request.params as Record<'tenant' | 'client' | 'digest', string>;
    const logo =
      isClientId(client) && isLogoDigest(digest)
        ? await deps.clientLogos.logo(tenant, client, digest)
        : undefined;
    if (!logo) throw new PageError('not_found', 404);
    return sendLogo(reply, logo);
  });
}

export interface AppLogos {
  clientLogos: { digestOf(client: Client): Promise<string | undefined> };
}

/** Returns the members of a client that pages show; without a logo until a copy exists. */
export async function appOf(deps: AppLogos, client: Client): Promise<App> {
  const { tenant, clientId, name, metadata } = client;
  const digest = await deps.clientLogos.digestOf(client);
  return {
    name,
    logo: digest && `/t/${tenant}/clients/${encodeURIComponent(clientId)}/logo/${digest}`,
    policy: textOf(metadata.policy_uri),
    terms: textOf(metadata.tos_uri),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
