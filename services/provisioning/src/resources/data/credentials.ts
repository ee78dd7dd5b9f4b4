import type { Actor } from '@ostiary/events';
import { ScimError } from '@ostiary/scim';
import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import type { Credentials } from '../domain/credentials.ts';

/** Timeout in milliseconds, longer than usual: hashing waits for other hashing. */
const stagingTimeoutMs = 10_000;

/** The routes for passwords on the authorization server's internal REST surface. */
export class RemoteCredentials implements Credentials {
  readonly #peer: HttpPeer;

  constructor(peer: HttpPeer) {
    this.#peer = peer;
  }

  async stage(
    tenant: string,
    subject: string,
    password: string,
    roleScopes: readonly string[] | undefined,
    names: readonly string[],
  ): Promise<string> {
    const answer = await this.#peer.request<{ ticket?: unknown }>({
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
    // The client gets the reason why a password is rejected, and no other internal error.
    if (answer.status === 400 || answer.status === 422) throw ScimError.invalidValue(reasonIn(answer.body));
    if (answer.status === 403 && isRefusal(answer.body)) throw ScimError.forbidden(reasonIn(answer.body));
    if (answer.status !== 201 || typeof answer.body.ticket !== 'string') {
      throw new ServiceUnavailable('auth', { cause: `answered ${answer.status}` });
    }
    return answer.body.ticket;
  }

  async activate(tenant: string, ticket: string, actor: Actor): Promise<void> {
    const answer = await this.#peer.request<unknown>({
      method: 'POST',
      path: `${pathOf(tenant)}/${encodeURIComponent(ticket)}/activate`,
      body: { actor },
      idempotent: true,
    });
    if (answer.status !== 204) throw new ServiceUnavailable('auth', { cause: `answered ${answer.status}` });
  }
}

const pathOf = (tenant: string): string => `/internal/v1/tenants/${encodeURIComponent(tenant)}/credentials`;

/** Reports whether the password was rejected, and not this service's own token. */
const isRefusal = (body: unknown): boolean => (body as { error?: unknown } | null)?.error === 'forbidden';

function reasonIn(body: unknown): string {
  const message = (body as { message?: unknown } | null)?.message;
  return typeof message === 'string' && message !== ''
    ? message
    : 'The password does not meet the requirements.';
}
