import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import type { Administrators } from '../domain/ports.ts';

/** The authorization server's internal REST surface, as far as roles go. Asked each time: roles come and go. */
export const remoteAdministrators = (peer: HttpPeer): Administrators => ({
  async of(tenant) {
    const { status, body } = await peer.request<{ subjects?: unknown; groups?: unknown }>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/administrators`,
    });
    if (status !== 200 || !Array.isArray(body.subjects)) {
      throw new ServiceUnavailable('auth', { cause: `answered ${status}` });
    }
    // A release before roles could be given to groups names none.
    const groups = Array.isArray(body.groups) ? (body.groups as string[]) : [];
    return { users: body.subjects as string[], groups };
  },
});
