import { fragment, typed } from '@ostiary/database';
import type { Prisma } from '../../platform/database/generated/client.ts';
import type { ClientModel } from '../../platform/database/generated/models.ts';
import { apisOfClient } from '../apis/data/client-apis.ts';
import type { ClientApi } from '../apis/domain/client-api.ts';
import type { Client } from '../domain/client.ts';
import type { ValidMetadata } from '../domain/valid-metadata.ts';

/** Columns of a client, named as Prisma names them. `apis` is absent in rows that Prisma returns. */
export type ClientColumns = Omit<ClientModel, 'keysKnownTo' | 'updatedAt'> & {
  apis?: readonly ClientApi[] | null;
};

/** Columns of a client for a statement in which auth.clients is `c`. */
export const clientColumns = fragment(
  `c.tenant, c.client_id AS "clientId", c.name, c.type,
  c.token_endpoint_auth_method AS "tokenEndpointAuthMethod", c.redirect_uris AS "redirectUris",
  c.grant_types AS "grantTypes", c.response_types AS "responseTypes", c.scopes, c.own_scopes AS "ownScopes", c.resources, c.metadata, c.epoch, c.version,
  c.disabled_at AS "disabledAt", c.created_at AS "createdAt", ${apisOfClient} AS apis`,
  {
    tenant: 'text',
    clientId: 'text',
    name: 'text',
    type: 'text',
    tokenEndpointAuthMethod: 'text',
    redirectUris: 'text[]!',
    grantTypes: 'text[]!',
    responseTypes: 'text[]!',
    scopes: 'text[]!',
    ownScopes: 'text[]',
    resources: 'text[]!',
    metadata: typed<Prisma.JsonValue>('jsonb'),
    epoch: 'int4',
    version: 'int4',
    disabledAt: 'timestamptz?',
    createdAt: 'timestamptz',
    apis: typed<readonly ClientApi[]>('jsonb?'),
  },
);

export function toClient(row: ClientColumns): Client {
  const metadata = row.metadata as Partial<ValidMetadata['metadata']>;
  return Object.freeze({
    tenant: row.tenant,
    clientId: row.clientId,
    name: row.name,
    type: row.type as Client['type'],
    tokenEndpointAuthMethod: row.tokenEndpointAuthMethod as Client['tokenEndpointAuthMethod'],
    redirectUris: row.redirectUris,
    postLogoutRedirectUris: metadata.post_logout_redirect_uris ?? [],
    grantTypes: row.grantTypes,
    responseTypes: row.responseTypes,
    scopes: row.scopes,
    ownScopes: row.ownScopes,
    ...(row.apis ? { apis: row.apis } : {}),
    resources: row.resources,
    epoch: row.epoch,
    version: row.version,
    disabled: row.disabledAt !== null,
    idTokenSignedResponseAlg: metadata.id_token_signed_response_alg ?? 'RS256',
    requireConsent: metadata.require_consent ?? true,
    clientUri: metadata.client_uri ?? null,
    logoUri: metadata.logo_uri ?? null,
    metadata,
    createdAt: row.createdAt,
  });
}
