import type { KnownSecretSources } from '../../../access/ownership/data/known-secret-source.ts';

/** Trusted issuers and their subjects: the user who supplied them may hold the key of the issuer. */
export const issuerSecretSources: KnownSecretSources<'trusted_issuer' | 'issuer_subject'> = {
  trusted_issuer: {
    table: 'auth.trusted_issuers',
    id: 'id',
    credential: 'id',
    live: 'true',
    name: 's.name',
  },
  issuer_subject: {
    table: 'auth.issuer_subjects',
    id: 'id',
    credential: 'issuer_id',
    live: 'true',
    name: '(SELECT i.name FROM auth.trusted_issuers i WHERE i.tenant = s.tenant AND i.id = s.issuer_id)',
  },
};
