import type { Sql } from '@ostiary/database';
import { type HttpPeer, isUuid, ServiceUnavailable } from '@ostiary/service';
import type { AssertedGrants } from '../domain/grant-jwt-bearer.ts';
import type { Subject, Subjects } from '../domain/ports.ts';
import type { TrustedIssuer } from '../domain/trusted-issuers.ts';
import { findSubjectsByUserName } from './subjects.ts';
import { findTrustedIssuer, openAssertedGrant } from './trusted-issuers.ts';

/** Whom assertions are about, asked of the projection where it can tell, else of the directory. */
export function createAssertedGrants(o: {
  sql: Sql;
  subjects: Pick<Subjects, 'find'>;
  directory: HttpPeer;
}): AssertedGrants {
  /** The one person a filter finds; nobody when there are more: an assertion must not choose among people. */
  async function search(tenant: string, filter: string, source: string | null): Promise<Subject | null> {
    const { status, body } = await o.directory.request<{
      totalResults?: number;
      Resources?: { id?: unknown }[];
    }>({
      method: 'POST',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/search`,
      body: { filter, count: 2, attributes: ['userName'], ...(source === null ? {} : { source }) },
      idempotent: true,
    });
    // 400: the directory finds that nobody could be called that. 404: it has no such tenant.
    if (status === 400 || status === 404) return null;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    const found = body.Resources ?? [];
    const id = found[0]?.id;
    return found.length === 1 && typeof id === 'string' ? o.subjects.find(tenant, id) : null;
  }

  async function subject(
    tenant: string,
    trusted: TrustedIssuer,
    claims: Readonly<Record<string, unknown>>,
  ): Promise<Subject | null> {
    const { sub, email } = claims;
    switch (trusted.subjectMapping) {
      case 'id':
        return isUuid(String(sub)) ? o.subjects.find(tenant, String(sub)) : null;
      case 'userName': {
        const [known, ...others] = await findSubjectsByUserName(o.sql, tenant, String(sub));
        if (known && others.length === 0) return known;
        return search(tenant, `userName eq ${literal(sub)}`, null);
      }
      case 'externalId':
        return search(tenant, `externalId eq ${literal(sub)}`, trusted.subjectSource);
      case 'email':
        // Boolean only: the text "true" is what no verification ever wrote.
        if (typeof email !== 'string' || claims.email_verified !== true || email.length > 320) return null;
        return search(tenant, `emails.value eq ${literal(email)}`, null);
    }
  }

  return {
    issuer: (tenant, issuer) => findTrustedIssuer(o.sql, tenant, issuer),
    subject,
    open: (tenant, grant) => openAssertedGrant(o.sql, tenant, grant),
  };
}

/** A JSON string is also a filter string (RFC 7644 §3.4.2.2), so nothing asserted can leave its quotes. */
const literal = (value: unknown): string => JSON.stringify(String(value));
