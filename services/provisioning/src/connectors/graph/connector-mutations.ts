import { badUserInput, type GraphContext } from '@ostiary/graph';
import { idToLookUp, isUuid } from '@ostiary/service';
import { noRules } from '../domain/connector.ts';
import type { ChangeTarget } from '../domain/connector-changes.ts';
import { type NamedOwner, NoSuchOwner } from '../domain/ownership.ts';
import { type Change, changing } from './changes.ts';
import { mayHandOut } from './conferring.ts';
import { type ConnectorFields, readConnectorFields } from './connector-input.ts';
import type { ConnectorLoaders } from './loaders.ts';
import type { ConnectorServices } from './services.ts';

/** The connector of a mutation. */
interface TargetInput {
  id: string;
  version?: number | null;
}

const maxOverlapSeconds = 30 * 24 * 3600;

type Context = GraphContext<ConnectorLoaders>;

export function connectorMutations(services: ConnectorServices) {
  const { keys } = services;
  return {
    ...changing(keys, { createConnector: createConnector(services) }),
    ...changing(keys, { updateConnector: updateConnector(services) }),
    ...changing(keys, { transferConnector: transferConnector(services) }),
    ...changing(keys, {
      deleteConnector: deleteConnector(services),
      disableConnector: setStatus(services, 'disabled'),
      enableConnector: setStatus(services, 'active'),
    }),
    ...changing(keys, { rotateConnectorToken: rotateConnectorToken(services) }),
    ...changing(keys, { revokeConnectorToken: revokeConnectorToken(services) }),
  };
}

const targetOf = ({ id, version }: TargetInput): ChangeTarget => ({
  id: idToLookUp(id),
  ...(typeof version === 'number' && { version }),
});

/** Returns the connector after a change. It bypasses the loader, whose entry may be from before the change. */
const connectorNow =
  ({ connectors }: ConnectorServices) =>
  async (id: string, { tenant }: Context) => {
    const [connector] = await connectors.byIds(tenant, [id]);
    return { connector: connector?.status === 'deleted' ? null : connector };
  };

/** @throws NoSuchOwner, ServiceUnavailable */
async function named({ owners }: ConnectorServices, tenant: string, id: string): Promise<NamedOwner> {
  const owner = isUuid(id.toLowerCase()) ? await owners.name(tenant, id.toLowerCase()) : undefined;
  if (!owner) throw new NoSuchOwner();
  return owner;
}

const createConnector = (
  services: ConnectorServices,
): Change<ConnectorFields & { ownerId?: string | null }> => ({
  async make(input, by) {
    const { ownerId } = input;
    const isNamed = ownerId !== undefined && ownerId !== null;
    const callers = await services.owners.nameCallers(by.tenant, by.callers ?? [], !isNamed);
    const owner = isNamed ? await named(services, by.tenant, ownerId) : callers.owner;
    const fields = await readConnectorFields(input, () => services.schemasOf(by.tenant));
    const { name = '', profile = 'auto', clientId = null, rules, ...rest } = fields;
    return services.administration.create(by, {
      ...rest,
      name,
      profile,
      clientId,
      rules: { ...noRules, ...rules },
      owner,
      knownTo: callers.knownTo,
    });
  },
  again: connectorNow(services),
});

const updateConnector = (services: ConnectorServices): Change<TargetInput & ConnectorFields> => ({
  async make(input, by, context) {
    const fields = await readConnectorFields(input, () => services.schemasOf(by.tenant));
    const mayOpen = mayHandOut(services, context);
    return { connector: await services.administration.update(by, targetOf(input), fields, mayOpen) };
  },
  again: connectorNow(services),
});

const transferConnector = (services: ConnectorServices): Change<TargetInput & { ownerId: string }> => ({
  async make(input, by, context) {
    const owner = await named(services, by.tenant, input.ownerId);
    const mayOpen = mayHandOut(services, context);
    return { connector: await services.administration.transfer(by, targetOf(input), owner, mayOpen) };
  },
  again: connectorNow(services),
});

const setStatus = (services: ConnectorServices, status: 'active' | 'disabled'): Change<TargetInput> => ({
  async make(input, by, context) {
    const mayOpen = mayHandOut(services, context);
    return { connector: await services.administration.setStatus(by, targetOf(input), status, mayOpen) };
  },
  again: connectorNow(services),
});

const deleteConnector = ({ administration }: ConnectorServices): Change<TargetInput> => ({
  async make(input, by) {
    await administration.remove(by, targetOf(input));
    return { id: input.id };
  },
  again: async (id) => ({ id }),
});

const rotateConnectorToken = (
  services: ConnectorServices,
): Change<TargetInput & { overlapSeconds?: number | null }> => ({
  async make(input, by, context) {
    const overlap = input.overlapSeconds ?? 0;
    if (overlap < 0 || overlap > maxOverlapSeconds) {
      throw badUserInput(`"overlapSeconds" must be between 0 and ${maxOverlapSeconds}.`, {
        argument: 'overlapSeconds',
      });
    }
    const mayOpen = mayHandOut(services, context);
    const { knownTo } = await services.owners.nameCallers(by.tenant, by.callers ?? [], false);
    const target = targetOf(input);
    const rotated = await services.administration.rotateToken(by, target, overlap, mayOpen, knownTo);
    return { ...rotated, previousTokenExpiresAt: rotated.previousExpiresAt };
  },
  again: connectorNow(services),
});

const revokeConnectorToken = (services: ConnectorServices): Change<TargetInput & { tokenId: string }> => ({
  async make(input, by) {
    const token = idToLookUp(input.tokenId);
    return { connector: await services.administration.revokeToken(by, targetOf(input), token) };
  },
  again: connectorNow(services),
});
