import { requireService, type TokenVerifier } from '@ostiary/access';
import { ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import { idListField, integerField, objectBody, originOf, textField } from '../resources/http/body.ts';
import type { TenantParams, TenantsWith } from '../resources/http/routes.ts';
import type { Users } from './domain/users.ts';

/** Maximum number of users in one request. */
const most = 200;

/**
 * POST …/Users/withdraw-vouching {voucher, after?, count?, actor} → {next?}: an identity source no longer vouches for
 * any address. One request processes a part of the users; `next`, sent as `after`, continues.
 */
export function withdrawVouching(
  app: FastifyInstance,
  tenants: TenantsWith<{ readonly users: Users }>,
  verifier: TokenVerifier,
): void {
  app.post<{ Params: TenantParams }>(
    '/internal/v1/tenants/:tenant/Users/withdraw-vouching',
    { onRequest: requireService(verifier, 'directory', ['provisioning']) },
    async (request) => {
      const body = objectBody(request.body);
      const voucher = textField(body, 'voucher', 128);
      if (voucher === undefined) throw ScimError.invalidSyntax('"voucher" is required.');
      const after = textField(body, 'after');
      const position = after === undefined ? undefined : idListField({ after: [after] }, 'after', 1)[0];
      const limit = Math.min(integerField(body, 'count') ?? most, most);
      if (limit < 1) throw ScimError.invalidValue('"count" must be at least 1.');
      const { users } = await tenants.of(request.params.tenant);
      const next = await users.withdrawVouching(voucher, originOf(body).actor, { after: position, limit });
      return next === undefined ? {} : { next };
    },
  );
}
