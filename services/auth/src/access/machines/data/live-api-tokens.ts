import { type Sql, statement } from '@ostiary/database';
import { suspended } from '../../../tenancy/tenants/data/tenant-conditions.ts';
import { isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import { rolesHeld } from '../../roles/data/roles-held.ts';
import { permittedScopes } from '../../roles/domain/scopes.ts';
import type { FoundApiToken, LiveApiTokenStore } from '../domain/api-token-store.ts';

/** @param secondFactor condition that the user of token `t` has a second factor */
const finding = (secondFactor: string) =>
  statement({
    name: 'api_tokens.find_live',
    reason: 'hot path',
    text: `SELECT t.tenant, t.id, t.subject_id AS "subjectId", t.service_account_id AS "serviceAccountId", t.scopes,
                floor(extract(epoch FROM t.created_at))::float8 AS "issuedAt",
                floor(extract(epoch FROM t.expires_at))::float8 AS "expiresAt",
                coalesce(a.epoch, t.owner_epoch) AS epoch, s.user_name AS "userName", a.scopes AS "accountScopes",
                ARRAY(${rolesHeld('t.tenant', 't.subject_id')}) AS roles, t.acr, t.carried_roles AS "carriedRoles",
                ${secondFactor} AS "secondFactor"
           FROM auth.api_tokens t
           LEFT JOIN ${subjectAs('s', 't.tenant', 't.subject_id')}
           LEFT JOIN auth.service_accounts a ON a.tenant = t.tenant AND a.id = t.service_account_id
          WHERE t.digest = $digest AND t.revoked_at IS NULL AND t.expires_at > now()
            AND ((${isActive('s')} AND s.epoch = t.owner_epoch) OR (a.id IS NOT NULL AND a.disabled_at IS NULL))
            AND NOT ${suspended('t.tenant')}`,
    parameters: { digest: 'bytea' },
    columns: {
      tenant: 'text',
      id: 'uuid',
      subjectId: 'uuid?',
      serviceAccountId: 'uuid?',
      scopes: 'text[]!',
      issuedAt: 'float8',
      expiresAt: 'float8',
      epoch: 'int4',
      userName: 'text?',
      accountScopes: 'text[]?',
      roles: 'text[]',
      acr: 'text?',
      carriedRoles: 'text[]?',
      secondFactor: 'bool',
    },
  });

/** Finds live tokens. A higher district has the tables of second factors and passes the condition on them. */
export class LiveApiTokens {
  readonly #find: ReturnType<typeof finding>;

  constructor(hasSecondFactor: (tenant: string, subjectId: string) => string) {
    this.#find = finding(hasSecondFactor('t.tenant', 't.subject_id'));
  }

  async findLiveApiToken(
    sql: Sql,
    digest: Buffer,
    counting: Parameters<LiveApiTokenStore['findLiveApiToken']>[2],
  ): Promise<FoundApiToken | undefined> {
    const row = await this.#find.first(sql, { digest });
    const subject = row?.subjectId ?? row?.serviceAccountId;
    if (!row || !subject) return undefined;
    return {
      tenant: row.tenant,
      kind: row.subjectId === null ? 'service_account' : 'personal',
      id: row.id,
      subject,
      // The owner may have lost scopes since the token was created.
      scopes:
        row.accountScopes === null
          ? permittedScopes(row.scopes, { scopes: row.scopes }, await counting(row.tenant, row))
          : row.scopes.filter((scope) => row.accountScopes?.includes(scope)),
      issuedAt: row.issuedAt,
      expiresAt: row.expiresAt,
      epoch: row.epoch,
      userName: row.userName,
    };
  }
}
