import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import type { AddressOwners } from '../domain/address-owners.ts';

export const createAddressOwners =
  (directory: HttpPeer): AddressOwners =>
  async (tenant, email) => {
    const { status, body } = await directory.request<{ Resources?: { id?: unknown }[] }>({
      method: 'POST',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/search`,
      // A JSON string is also a filter string (RFC 7644 §3.4.2.2), so input cannot escape its quotes.
      body: { filter: `emails.value eq ${JSON.stringify(email)}`, count: 2, attributes: ['userName'] },
      idempotent: true,
    });
    // 400: no user can have such an address. 404: the directory has no such tenant.
    if (status === 400 || status === 404) return undefined;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    const found = body.Resources ?? [];
    const id = found[0]?.id;
    return found.length === 1 && typeof id === 'string' ? id : undefined;
  };
