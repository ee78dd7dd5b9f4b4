import { expect } from '@jest/globals';
import { managingConnectors, type RunningService } from './service.ts';

const fields = `connector { id status version owner { __typename ... on User { id } ... on Group { id } } tokens { id } }
  problems { code path }`;

/** A change of a connector in the log. */
interface LoggedChange {
  action: string;
  actor: { id: string };
  changes: Record<string, { before?: unknown; after?: unknown }>;
}

/** Returns operations on connectors and their owners, over the graph of a running service. */
export function ownedConnectors(running: () => RunningService) {
  /** Returns the token of a user who has just signed in, or of a client for itself or on behalf of a user. */
  const tokenOf = (subject: string, o: { tenant?: string; actor?: string } = {}) =>
    running().authorization.token({
      subject,
      client: 'console',
      scopes: managingConnectors,
      authTime: Math.floor(Date.now() / 1000),
      ...o,
    });
  const program = (tenant = 'demo') =>
    running().authorization.token({ tenant, subject: 'program', scopes: managingConnectors });

  async function change(token: string, name: 'createConnector' | 'transferConnector', input: object) {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const shown = name === 'createConnector' ? `${fields} token` : fields;
    const { body } = await running().graph(
      `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} } }`,
      {
        token,
        variables: { input },
      },
    );
    expect(body.errors).toBeUndefined();
    return body.data[name];
  }

  return {
    ownership: () => running().authorization.ownership,
    tokenOf,
    program,
    create: (token: string, input: object = {}) =>
      change(token, 'createConnector', { name: 'Owned', ...input }),
    transfer: (token: string, input: object) => change(token, 'transferConnector', input),
    isOpen: async (token: string) => (await running().scim('GET', '/Users', { token })).status === 200,
    async shown(id: string, tenant = 'demo') {
      const { body } = await running().graph(
        `query ($id: ID!) { connector(id: $id) { status owner { __typename ... on User { id }
        ... on Group { id } } tokens { id } } }`,
        { token: program(tenant), variables: { id } },
      );
      return body.data.connector;
    },
    async logOf(connectorId: string) {
      const { rows } = await running().database.sql.query<LoggedChange>(
        'SELECT action, actor, changes FROM provisioning.connector_log WHERE connector_id = $1 ORDER BY id',
        [connectorId],
      );
      return rows;
    },
  };
}
