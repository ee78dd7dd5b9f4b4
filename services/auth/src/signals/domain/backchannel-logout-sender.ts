import { OutgoingFetchError, type SafePost } from '@ostiary/service';
import type { Client, ClientStore, SubjectIdentifier } from '../../clients/index.ts';
import type { SessionIdentifiers } from '../../identity/index.ts';
import type { LogoutPayload, SigningKeyRing } from '../../tenancy/index.ts';
import { signJwt } from '../../tenancy/index.ts';
import type { DueDelivery, Outcome, Sender } from './delivery.ts';
import { secondsOf } from './webhook-sender.ts';

/** Lifetime of a logout token in seconds (OpenID Connect Back-Channel Logout §4 recommends at most two minutes). */
const lifetimeSeconds = 120;
/** Number of attempts after which a 400 response ends the retries. */
const maxFailures = 5;
/** Member of `events` that identifies a logout token (§2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Notifies a client of the end of a session with a logout token (§2.5). Each attempt builds the token from the current
 * registration. Only the `jti` stays, so that the client recognizes a repetition.
 */
export function backchannelLogoutSender(o: {
  clients: ClientStore;
  keys: SigningKeyRing;
  subjectIdentifier: SubjectIdentifier;
  sessionIdentifiers: SessionIdentifiers;
  issuer: (tenant: string) => string;
  post: SafePost;
  /** Timeout in milliseconds for the client's response. */
  timeoutMs: number;
  /** Current time in milliseconds. */
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
      // Disabled clients are notified too: their local session of the user must end.
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
        // Retried also for an address that is not allowed: DNS may resolve differently later.
        if (error instanceof OutgoingFetchError) return { kind: 'failed', reason: error.message };
        throw error;
      }
    },
  };
}

/** Response per §2.8: 200, or 204 of frameworks that return no body; 400 when the client could not log the user out. */
function outcomeOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  attempt: number,
  now: number,
): Outcome {
  if (status === 200 || status === 204) return { kind: 'delivered', status };
  const reason = `The client returned status ${status}.`;
  if (status === 400 && attempt >= maxFailures) return { kind: 'refused', reason, status };
  const retryAfterSeconds = secondsOf(headers['retry-after'], now);
  return { kind: 'failed', reason, status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
