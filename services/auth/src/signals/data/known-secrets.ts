import { type KnownSecretSources, ofClient } from '../../access/ownership/data/known-secret-source.ts';

/** Pauses a receiver, so that its events wait. A paused or disabled receiver keeps its state. */
const pausing = (reason: string, cleared: string): string =>
  `UPDATE auth.receivers s SET status = CASE WHEN s.status = 'enabled' THEN 'paused' ELSE s.status END,
          status_reason = CASE WHEN s.status = 'disabled' THEN s.status_reason ELSE '${reason}' END,
          version = s.version + 1, updated_at = now(), ${cleared}`;

/** Endpoints and signing secrets of receivers. */
export const receiverSecretSources: KnownSecretSources<
  'webhook_endpoint' | 'webhook_secret' | 'stream_endpoint'
> = {
  webhook_endpoint: {
    table: 'auth.receivers',
    id: 'id',
    credential: 'id',
    live: `s.kind = 'webhook'`,
    name: 's.name',
    knownTo: 'endpoint_known_to',
    end: pausing(
      'The user who supplied the URL lost the right to do so. Enable the receiver to confirm the URL.',
      `endpoint_known_to = '{}'`,
    ),
  },
  webhook_secret: {
    table: 'auth.receivers',
    id: 'id',
    credential: 'id',
    live: `s.kind = 'webhook' AND s.secrets IS NOT NULL`,
    name: 's.name',
    knownTo: 'secrets_known_to',
    end: pausing(
      'The signing secret was revoked with a user who knew it. Rotate it before enabling.',
      `secrets = NULL, secrets_known_to = '{}'`,
    ),
  },
  stream_endpoint: {
    table: 'auth.receivers',
    id: 'id',
    credential: 'client_id',
    live: `s.kind = 'ssf' AND s.endpoint IS NOT NULL`,
    name: 's.name',
    knownTo: 'endpoint_known_to',
    owned: ofClient,
    end: pausing(
      'The user who supplied the URL lost the right to do so. Enable the receiver to confirm the URL.',
      `endpoint_known_to = '{}'`,
    ),
  },
};
