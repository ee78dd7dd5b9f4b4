import type { Sql } from '@ostiary/database';
import { userNameKey, whoIsMeant } from '@ostiary/scim';
import { type HttpPeer, isUuid, ServiceUnavailable } from '@ostiary/service';
import type { AssertedGrants } from '../domain/grant-jwt-bearer.ts';
import type { Subject, Subjects } from '../domain/ports.ts';
import type { TrustedIssuer } from '../domain/trusted-issuers.ts';
import { findSubjectsByUserName } from './subjects.ts';
import { findTrustedIssuer, openAssertedGrant } from './trusted-issuers.ts';

interface Found {
  id?: unknown;
  userName?: unknown;
}

/** Whom assertions are about, asked of the projection where it can tell, else of the directory. */
export function createAssertedGrants(o: {
  sql: Sql;
  subjects: Pick<Subjects, 'find'>;
  directory: HttpPeer;
}): AssertedGrants {
  /** The people a filter finds, two at least when there are more than one. */
  async function search(tenant: string, filter: string, source: string | null): Promise<Found[]> {
    const { status, body } = await o.directory.request<{ totalResults?: number; Resources?: Found[] }>({
      method: 'POST',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/search`,
      body: { filter, count: 10, attributes: ['userName'], ...(source === null ? {} : { source }) },
      idempotent: true,
    });
    // 400: the directory finds that nobody could be called that. 404: it has no such tenant.
    if (status === 400 || status === 404) return [];
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    return body.Resources ?? [];
  }

  /** Nobody when there are more: an assertion must not choose among people. */
  async function only(tenant: string, found: readonly Found[]): Promise<Subject | null> {
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
        const [known, ...others] = await findSubjectsByUserName(o.sql, tenant, [userNameKey(String(sub))]);
        if (known && others.length === 0) return known;
        const found = await search(tenant, `userName eq ${literal(sub)}`, null);
        // Who shares a name from before is meant by the way in which it is theirs.
        const meant = whoIsMeant(String(sub), found, ({ userName }) => String(userName));
        return only(tenant, meant ? [meant] : []);
      }
      case 'externalId':
        return only(tenant, await search(tenant, `externalId eq ${literal(sub)}`, trusted.subjectSource));
      case 'email':
        // Boolean only: the text "true" is what no verification ever wrote.
        if (typeof email !== 'string' || claims.email_verified !== true || email.length > 320) return null;
        return only(tenant, await search(tenant, `emails.value eq ${literal(email)}`, null));
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
