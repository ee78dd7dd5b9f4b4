import { OutgoingFetchError, type SafePost } from '@ostiary/service';
import type { Client, ClientStore, SubjectIdentifier } from '../../clients/index.ts';
import type { LogoutPayload } from '../../events/index.ts';
import { signJwt } from '../../keys/index.ts';
import type { KeyRing } from '../../oauth/index.ts';
import type { SessionIdentifiers } from '../../sessions/index.ts';
import type { DueDelivery, Outcome, Sender } from './delivery.ts';
import { secondsOf } from './webhook-sender.ts';

/** Seconds a logout token is good for (OpenID Connect Back-Channel Logout §4 asks for two minutes at most). */
const lifetimeSeconds = 120;
/** How often a client may say that it failed to log somebody out before that is taken as its answer. */
const mostFailures = 5;
/** The member of `events` that makes a token a logout token (§2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Tells a client that a session has ended, by a logout token (§2.5). The token is made anew for each attempt, as the client is
 * registered at that moment; only its `jti` stays, so that a client notices what it has carried out before.
 */
export function backchannelLogoutSender(o: {
  clients: Pick<ClientStore, 'find'>;
  keys: Pick<KeyRing, 'signer'>;
  subjectIdentifier: SubjectIdentifier;
  sessionIdentifiers: SessionIdentifiers;
  issuer: (tenant: string) => string;
  post: SafePost;
  /** Milliseconds that a client may take to answer. */
  timeoutMs: number;
  /** Milliseconds. */
  clock: () => number;
}): Sender {
  async function logoutToken(client: Client, id: string, about: LogoutPayload): Promise<string> {
    const iat = Math.floor(o.clock() / 1000);
    const claims = {
      iss: o.issuer(client.tenant),
      aud: client.clientId,
      iat,
      exp: iat + lifetimeSeconds,
      jti: id,
      events: { [logoutEvent]: {} },
      sub: o.subjectIdentifier(client, about.subjectId),
      ...(about.sessionId === undefined ? {} : { sid: o.sessionIdentifiers.tell(client, about.sessionId) }),
    };
    return signJwt('logout+jwt', claims, await o.keys.signer(client.tenant, client.idTokenSignedResponseAlg));
  }

  return {
    async send({ tenant, id, receiverId, payload, attempt }: DueDelivery): Promise<Outcome> {
      // A disabled client too: what it knows of the person's session has to end there as well.
      const client = await o.clients.find(tenant, receiverId);
      const uri = client?.metadata.backchannel_logout_uri;
      if (!client || typeof uri !== 'string') {
        return { kind: 'refused', reason: 'The client is no longer registered for logout notifications.' };
      }
      const about = payload as LogoutPayload;
      if (client.metadata.backchannel_logout_session_required === true && about.sessionId === undefined) {
        return { kind: 'refused', reason: 'The client requires a session id, and the logout has none.' };
      }
      try {
        const { status, headers } = await o.post(uri, {
          body: new URLSearchParams({ logout_token: await logoutToken(client, id, about) }).toString(),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          timeoutMs: o.timeoutMs,
          maxBytes: 0,
        });
        return outcomeOf(status, headers, attempt, o.clock());
      } catch (error) {
        // Also when the address isn't allowed: what a name resolves to may be right again tomorrow.
        if (error instanceof OutgoingFetchError) return { kind: 'failed', reason: error.message };
        throw error;
      }
    },
  };
}

/** §2.8: 200, or the 204 of frameworks that answer so without a body; 400 when the client couldn't log the person out. */
function outcomeOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  attempt: number,
  now: number,
): Outcome {
  if (status === 200 || status === 204) return { kind: 'delivered', status };
  const reason = `The client returned status ${status}.`;
  if (status === 400 && attempt >= mostFailures) return { kind: 'refused', reason, status };
  const retryAfterSeconds = secondsOf(headers['retry-after'], now);
  return { kind: 'failed', reason, status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
