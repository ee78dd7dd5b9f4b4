import { type KnownSecretSources, unexpired } from '../../../access/ownership/data/known-secret-source.ts';

/** Links to set up or reset an account. */
export const invitationSecretSources: KnownSecretSources<'invitation'> = {
  invitation: {
    table: 'auth.invitations',
    id: 'id',
    credential: 'subject_id',
    live: `s.used_at IS NULL AND ${unexpired}`,
    // The name of a user requires other scopes.
    name: 'NULL::text',
  },
};
