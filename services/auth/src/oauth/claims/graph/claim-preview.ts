import { type GraphContext, requireConferrable, requirePrincipal, type TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { RoleDirectory } from '../../../access/index.ts';
import type { Apis, ClaimFailure, ClientStore, MappedClaims } from '../../../clients/index.ts';
import { apiRoleOf, type Subjects } from '../../../tenancy/index.ts';
import type { ClaimMapper } from '../domain/claim-mapper.ts';

export interface ClaimPreviewDependencies {
  apis: Pick<Apis, 'find'>;
  claimMapper: ClaimMapper;
  clients: Pick<ClientStore, 'find'>;
  roleDirectory: Pick<RoleDirectory, 'of'>;
  subjects: Subjects;
}

interface Arguments {
  userId: string;
  clientId: string;
  apiId?: string | null;
}

/** Scopes to read the users, groups, roles, clients and APIs whose data the claims show. */
const required = ['clients:read', 'users:read', 'groups:read', 'roles:read'];

/** Resolvers of the preview of mapped claims. */
export function claimPreviewResolvers(deps: ClaimPreviewDependencies): {
  ClaimFailureReason: Record<string, ClaimFailure>;
  MappedClaims: TypeResolvers<unknown>;
  Query: TypeResolvers<unknown>;
} {
  return {
    ClaimFailureReason: {
      NO_VALUE: 'no_value',
      FAILED: 'failed',
      TOO_LARGE: 'too_large',
      UNSUPPORTED_VALUE: 'unsupported_value',
      TOO_MANY_GROUPS: 'too_many_groups',
    },
    MappedClaims: {
      issued: ({ problems }: MappedClaims) => !problems.some((problem) => problem.required),
      claims: ({ claims }: MappedClaims) =>
        Object.entries(claims).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
      failures: ({ problems }: MappedClaims) =>
        problems.map(({ failure, detail, ...problem }) => ({
          ...problem,
          reason: failure,
          message: detail ?? null,
        })),
    },
    Query: {
      claimPreview(_parent: unknown, args: Arguments, context: GraphContext<unknown>) {
        requireConferrable(requirePrincipal(context), required);
        return preview(deps, context.tenant, args);
      },
    },
  };
}

async function preview(
  { apis, claimMapper, clients, roleDirectory, subjects }: ClaimPreviewDependencies,
  tenant: string,
  { userId, clientId, apiId }: Arguments,
): Promise<Record<'accessToken' | 'idToken' | 'userinfo', MappedClaims | null> | null> {
  const [client, user] = await Promise.all([
    clients.find(tenant, clientId),
    isUuid(userId) ? subjects.find(tenant, userId) : null,
  ]);
  const api = apiId ? await apis.find(tenant, apiId) : undefined;
  if (!client || !user || (apiId && !api)) return null;
  const of = { client, userId: user.id };
  const ofClient = await claimMapper.previewOfClient(of);
  if (!api) return { accessToken: null, idToken: ofClient, userinfo: ofClient };
  const held = (await roleDirectory.of(tenant, [user.id])).get(user.id) ?? [];
  const roles = held.flatMap((key) => {
    const role = apiRoleOf(key);
    return role?.apiId === api.id ? [role.role] : [];
  });
  const accessToken = await claimMapper.previewOfApi({ ...of, api, roles });
  return { accessToken, idToken: ofClient, userinfo: ofClient };
}
