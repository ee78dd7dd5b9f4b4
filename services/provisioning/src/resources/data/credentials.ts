import { ScimError } from '@ostiary/scim';
import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import type { Credentials } from '../domain/ports.ts';

/** Hashing waits its turn behind other hashing, so staging may take longer than an ordinary call. */
const stagingTimeoutMs = 10_000;

/** The authorization server's internal REST surface, as far as passwords go. */
export function remoteCredentials(peer: HttpPeer): Credentials {
  const pathOf = (tenant: string): string => `/internal/v1/tenants/${encodeURIComponent(tenant)}/credentials`;
  return {
    async stage(tenant, subject, password, roleScopes, names) {
      const answer = await peer.request<{ ticket?: unknown }>({
        method: 'POST',
        path: pathOf(tenant),
        body: {
          subject,
          password,
          ...(roleScopes ? { roleScopes } : {}),
          ...(names.length > 0 ? { names } : {}),
        },
        timeoutMs: stagingTimeoutMs,
      });
      // Why a password isn't acceptable is told; what else may have gone wrong inside isn't.
      if (answer.status === 400 || answer.status === 422) throw ScimError.invalidValue(reasonIn(answer.body));
      if (answer.status === 403 && isRefusal(answer.body)) throw ScimError.forbidden(reasonIn(answer.body));
      if (answer.status !== 201 || typeof answer.body.ticket !== 'string') {
        throw new ServiceUnavailable('auth', { cause: `answered ${answer.status}` });
      }
      return answer.body.ticket;
    },
    async activate(tenant, ticket, actor) {
      const answer = await peer.request<unknown>({
        method: 'POST',
        path: `${pathOf(tenant)}/${encodeURIComponent(ticket)}/activate`,
        body: { actor },
        idempotent: true,
      });
      if (answer.status !== 204) throw new ServiceUnavailable('auth', { cause: `answered ${answer.status}` });
    },
  };
}

/** A refusal of this password, not of our own token. */
const isRefusal = (body: unknown): boolean => (body as { error?: unknown } | null)?.error === 'forbidden';

function reasonIn(body: unknown): string {
  const message = (body as { message?: unknown } | null)?.message;
  return typeof message === 'string' && message !== '' ? message : 'The password is not acceptable.';
}
