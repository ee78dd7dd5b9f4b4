import { masked, type Row } from './row.ts';

const ofConnector = {
  log: 'connectorLog',
  resourceType: 'Connector',
  resource: 'connector',
  select: 'connector { id }',
} as const;

/** Changes of identity sources, ordered by dependency. */
export const connectorRows: readonly Row[] = [
  {
    ...ofConnector,
    mutation: 'createConnector',
    input: () => ({ name: 'HR', access: 'READ_ONLY' }),
    select: 'connector { id tokens { id } } token',
    keep: { connector: 'connector.id', connectorToken: 'connector.tokens.0.id' },
    action: 'connector.created',
    changes: (the) => ({
      name: { after: 'HR' },
      tokens: { after: [the.get('connectorToken')] },
      token: { after: masked },
    }),
  },
  {
    ...ofConnector,
    mutation: 'updateConnector',
    input: (the) => ({ id: the.get('connector'), name: 'Staff' }),
    action: 'connector.updated',
    changes: () => ({ name: { before: 'HR', after: 'Staff' } }),
  },
  {
    ...ofConnector,
    mutation: 'updateConnector',
    case: 'by an app for a person',
    by: 'delegate',
    input: (the) => ({ id: the.get('connector'), name: 'Delegated' }),
    action: 'connector.updated',
    changes: () => ({ name: { before: 'Staff', after: 'Delegated' } }),
  },
  {
    ...ofConnector,
    mutation: 'disableConnector',
    input: (the) => ({ id: the.get('connector') }),
    action: 'connector.disabled',
    changes: () => ({ status: { before: 'active', after: 'disabled' } }),
  },
  {
    ...ofConnector,
    mutation: 'enableConnector',
    input: (the) => ({ id: the.get('connector') }),
    action: 'connector.enabled',
    changes: () => ({ status: { before: 'disabled', after: 'active' } }),
  },
  {
    ...ofConnector,
    mutation: 'rotateConnectorToken',
    input: (the) => ({ id: the.get('connector') }),
    select: 'connector { id tokens { id } } token',
    action: 'connector.token_rotated',
    changes: (the) => ({
      tokens: { before: [the.get('connectorToken')] },
      token: { after: masked },
    }),
  },
  {
    ...ofConnector,
    mutation: 'revokeConnectorToken',
    input: (the) => ({ id: the.get('connector'), tokenId: the.get('connectorToken') }),
    action: 'connector.token_revoked',
    changes: () => ({ tokens: {} }),
  },
  {
    ...ofConnector,
    mutation: 'transferConnector',
    input: (the) => ({ id: the.get('connector'), ownerId: the.get('stillGroup') }),
    action: 'connector.owner_changed',
    changes: (the) => ({
      owner: {
        before: { kind: 'user', id: the.get('administrator') },
        after: { kind: 'group', id: the.get('stillGroup') },
      },
    }),
  },
  {
    ...ofConnector,
    mutation: 'deleteConnector',
    input: (the) => ({ id: the.get('connector') }),
    select: 'id',
    action: 'connector.deleted',
    changes: () => ({ name: { before: 'Delegated' }, status: { before: 'active' } }),
  },
];
