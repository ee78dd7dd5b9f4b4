import {
  type KnownSecretSources,
  ofClient,
  unexpired,
} from '../../access/ownership/data/known-secret-source.ts';

const hasKeys = `(s.metadata->'jwks' IS NOT NULL OR s.metadata->'jwks_uri' IS NOT NULL)`;
const nameOfClient =
  '(SELECT c.name FROM auth.clients c WHERE c.tenant = s.tenant AND c.client_id = s.client_id)';

/** Secrets with which clients authenticate or are registered. */
export const clientSecretSources: KnownSecretSources<
  'client_secret' | 'client_keys' | 'registration_access_token' | 'initial_access_token'
> = {
  client_secret: {
    table: 'auth.client_secrets',
    id: 'id',
    credential: 'client_id',
    live: `(s.expires_at IS NULL OR ${unexpired})`,
    name: nameOfClient,
    owned: ofClient,
  },
  client_keys: {
    table: 'auth.clients',
    id: 'client_id',
    credential: 'client_id',
    live: hasKeys,
    name: 's.name',
    knownTo: 'keys_known_to',
    owned: ofClient,
    end: `UPDATE auth.clients s SET metadata = s.metadata - 'jwks' - 'jwks_uri', keys_known_to = '{}'`,
  },
  registration_access_token: {
    table: 'auth.client_registrations',
    id: 'client_id',
    credential: 'client_id',
    live: 'true',
    name: nameOfClient,
    owned: ofClient,
  },
  initial_access_token: {
    table: 'auth.initial_access_tokens',
    id: 'id',
    credential: 'id',
    live: `s.uses_left > 0 AND ${unexpired}`,
    name: 's.name',
    owned: ['initial_access_token', 's.id::text'],
  },
};
