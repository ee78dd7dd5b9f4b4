import { platformTenant, type SignInPolicy } from '@ostiary/access';
import { type Conferring, type GraphContext, requireConferrable, requirePrincipal } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { resourceTypes } from '../../protocol/index.ts';
import { mayManageRoles, scopesOfConnector, widens } from '../domain/conferred.ts';
import { type Connector, type ConnectorRules, noRules } from '../domain/connector.ts';
import type { ConnectorFields } from './connector-input.ts';
import type { ConnectorLoaders } from './loaders.ts';
import type { ConnectorServices } from './services.ts';

type Context = GraphContext<ConnectorLoaders>;
type Services = Pick<ConnectorServices, 'connectors' | 'privileges'>;
type Given = Pick<
  ConnectorFields,
  'access' | 'attributes' | 'clientId' | 'protectedAccounts' | 'resourceTypes' | 'vouchesForEmails'
>;

/** Returns the current rights of any holder of a token of a connector with these rules. @throws ServiceUnavailable */
export async function conferredByConnector(
  { privileges }: Pick<Services, 'privileges'>,
  tenant: string,
  rules: ConnectorRules,
): Promise<string[]> {
  const own = scopesOfConnector(rules);
  // The platform has no users, and so no rights of groups.
  if (tenant === platformTenant || !mayManageRoles(rules)) return own;
  return [...own, ...(await privileges.givenBySources(tenant))];
}

/** Checks the same rule in the transaction of the change, for the connector's state there. @throws FORBIDDEN */
export const mayHandOut =
  (services: Pick<Services, 'privileges'>, context: Context) =>
  async ({ tenant, rules }: Pick<Connector, 'tenant' | 'rules'>): Promise<void> =>
    requireConferrable(requirePrincipal(context), await conferredByConnector(services, tenant, rules));

/** The rights that this subgraph's mutations confer: those of connectors. */
export const provisioningConferring = (
  services: Services & { signInPolicy: (tenant: string) => Promise<SignInPolicy> },
): Conferring<ConnectorLoaders> => ({
  signInTerms: async ({ tenant }) => ({ policy: await services.signInPolicy(tenant) }),
  rights: {
    async connector({ input }: { input: Given & { id?: string } }, { tenant }: Context) {
      const before = await currentOf(services, tenant, input.id);
      if (input.id !== undefined && !before) return [];
      const after = {
        clientId: input.clientId === undefined ? (before?.clientId ?? null) : input.clientId,
        rules: { ...(before?.rules ?? noRules), ...rulesIn(input) },
      };
      // Only a change can be narrowing. Creating or enabling a connector, or getting its token, confers all of its
      // rights.
      const isChange = Object.keys(input).some((name) => changeable.has(name)) && before !== undefined;
      if (isChange && !widens(before, after)) return undefined;
      return conferredByConnector(services, tenant, after.rules);
    },
  },
});

const changeable: ReadonlySet<string> = new Set([
  'name',
  'profile',
  'clientId',
  'access',
  'resourceTypes',
  'attributes',
  'protectedAccounts',
  'vouchesForEmails',
  'limits',
  'quirks',
]);

async function currentOf(
  { connectors }: Services,
  tenant: string,
  id: string | undefined,
): Promise<Connector | undefined> {
  if (id === undefined || !isUuid(id)) return undefined;
  const [found] = await connectors.byIds(tenant, [id]);
  return found?.status === 'deleted' ? undefined : found;
}

/** Returns the given rules. Invalid values are rejected later, with their own errors. */
function rulesIn({
  access,
  resourceTypes: types,
  attributes,
  protectedAccounts,
  vouchesForEmails,
}: Given): Partial<ConnectorRules> {
  return {
    ...(access !== undefined && { access: access === 'READ_ONLY' ? 'read' : 'write' }),
    ...(types !== undefined && {
      resourceTypes:
        types === null ? resourceTypes : resourceTypes.filter((type) => types.includes(type.toUpperCase())),
    }),
    ...(attributes !== undefined && {
      attributes: attributes && {
        mode: attributes.mode === 'ONLY' ? 'only' : 'except',
        paths: [...new Set(attributes.paths)],
      },
    }),
    ...(protectedAccounts !== undefined && {
      protectedAccounts: {
        users: (protectedAccounts?.userIds ?? []).map((id) => id.toLowerCase()),
        groups: (protectedAccounts?.groupIds ?? []).map((id) => id.toLowerCase()),
        administrators: protectedAccounts?.administrators === true,
      },
    }),
    ...(vouchesForEmails !== undefined && { vouchesForEmails: vouchesForEmails === true }),
  };
}
