import { badUserInput, type GraphContext, type TypeResolvers } from '@ostiary/graph';
import { OutgoingFetchError, type SafeFetch } from '@ostiary/service';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import { brandColours, isColour } from '../domain/brand-colour.ts';
import type { Branding, BrandingChange, Brandings } from '../domain/branding.ts';
import { type Logo, maxLogoBytes, readLogo, readLogoUrl, UnfitLogo } from '../domain/logo.ts';

type Context = GraphContext<unknown>;

interface UpdateTenantBrandingInput {
  name?: string | null;
  color?: string | null;
  logo?: string | null;
  logoUrl?: string | null;
  version?: number | null;
  idempotencyKey?: string | null;
}

export interface BrandingDependencies extends OnceDependencies {
  branding: Brandings;
  issuer(tenant: string): string;
  /** Fetches a logo from an address that an administrator entered. */
  safeFetch: SafeFetch;
}

type ShownBranding = Record<string, unknown>;

export const brandingOf =
  (deps: BrandingDependencies) =>
  async (tenant: string): Promise<ShownBranding> =>
    shownBy(deps)(tenant, await deps.branding.find(tenant));

const shownBy =
  (deps: BrandingDependencies) =>
  (tenant: string, { name, colour, logoDigest, version }: Branding): ShownBranding => ({
    version,
    name,
    color: colour,
    lightColor: colour && brandColours(colour).light.accent,
    darkColor: colour && brandColours(colour).dark.accent,
    logoUrl: logoDigest && `${deps.issuer(tenant)}/logo/${logoDigest}`,
  });

export function brandingResolvers(deps: BrandingDependencies): {
  Query: TypeResolvers<unknown>;
  Mutation: TypeResolvers<unknown>;
} {
  const shown = shownBy(deps);
  return {
    Query: {
      tenantBranding: (_parent: unknown, _args: object, { tenant }: Context) => brandingOf(deps)(tenant),
    },
    Mutation: {
      async updateTenantBranding(
        _parent: unknown,
        { input }: { input: UpdateTenantBrandingInput },
        context: Context,
      ) {
        const { tenant } = context;
        return once(
          deps,
          context,
          'updateTenantBranding',
          input,
          async (claim) => {
            const logo = await logoOf(deps, input);
            const change: BrandingChange = {
              ...(input.name === undefined ? {} : { name: checkName(input.name) }),
              ...(input.color === undefined ? {} : { colour: checkColour(input.color) }),
              ...(logo === undefined ? {} : { logo }),
            };
            return {
              tenantBranding: shown(
                tenant,
                await deps.branding.change(tenant, change, termsOf(input, claim)),
              ),
            };
          },
          async () => ({ tenantBranding: await brandingOf(deps)(tenant) }),
        );
      },
    },
  };
}

function checkName(name: string | null): string | null {
  const trimmed = name?.trim() ?? null;
  if (trimmed !== null && (trimmed === '' || trimmed.length > 100 || /\p{C}/u.test(trimmed))) {
    throw badUserInput('"name" must be 1 to 100 printable characters.', { argument: 'name' });
  }
  return trimmed;
}

function checkColour(colour: string | null): string | null {
  if (colour !== null && !isColour(colour)) {
    throw badUserInput('"color" must have the form #rrggbb.', { argument: 'color' });
  }
  return colour?.toLowerCase() ?? null;
}

/** Returns the new logo; null to remove it, undefined to keep it. */
async function logoOf(
  deps: BrandingDependencies,
  { logo, logoUrl }: UpdateTenantBrandingInput,
): Promise<Logo | null | undefined> {
  if (typeof logo === 'string' && typeof logoUrl === 'string') {
    throw badUserInput('"logo" and "logoUrl" are mutually exclusive.', { argument: 'logoUrl' });
  }
  try {
    if (typeof logo === 'string') return readLogoUrl(logo);
    if (typeof logoUrl === 'string') return readLogo(await fetched(deps, logoUrl));
  } catch (error) {
    if (error instanceof UnfitLogo || error instanceof OutgoingFetchError) {
      throw badUserInput(error.message, { argument: typeof logo === 'string' ? 'logo' : 'logoUrl' });
    }
    throw error;
  }
  return logo === undefined && logoUrl === undefined ? undefined : null;
}

const fetched = async (deps: BrandingDependencies, url: string): Promise<Buffer> =>
  (await deps.safeFetch(url, { accept: 'image/png, image/jpeg, image/webp', maxBytes: maxLogoBytes })).body;
