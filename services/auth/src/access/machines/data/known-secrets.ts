import { type KnownSecretSources, unexpired } from '../../ownership/data/known-secret-source.ts';

/** Secrets with which service accounts authenticate. */
export const machineSecretSources: KnownSecretSources<'service_account_key' | 'api_key'> = {
  service_account_key: {
    table: 'auth.service_account_keys',
    id: 'id',
    credential: 'service_account_id',
    live: `(s.expires_at IS NULL OR ${unexpired})`,
    name: '(SELECT a.name FROM auth.service_accounts a WHERE a.tenant = s.tenant AND a.id = s.service_account_id)',
    owned: ['service_account', 's.service_account_id::text'],
  },
  api_key: {
    table: 'auth.api_tokens',
    id: 'id',
    credential: 'service_account_id',
    live: `s.service_account_id IS NOT NULL AND s.revoked_at IS NULL AND ${unexpired}`,
    name: 's.name',
    owned: ['api_key', 's.id::text'],
    end: 'UPDATE auth.api_tokens s SET revoked_at = now()',
  },
};
