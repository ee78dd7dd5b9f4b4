import { fragment } from '@ostiary/database';
import { isProfile, readQuirks } from '../../compatibility/index.ts';
import type { Prisma } from '../../database/data/database.ts';
import { type Connector, readLimits, readRules } from '../domain/connector.ts';

/** The selected fields of a connector, for the Prisma client. */
export const connectorFields = {
  tenant: true,
  id: true,
  name: true,
  profile: true,
  clientId: true,
  status: true,
  limits: true,
  rules: true,
  quirks: true,
  version: true,
  createdAt: true,
  ownerKind: true,
  ownerId: true,
} satisfies Prisma.ConnectorSelect;

export type ConnectorRow = Prisma.ConnectorGetPayload<{ select: typeof connectorFields }>;

/** The same columns in SQL, of the table `c`. */
export const connectorColumns = fragment(
  `c.tenant, c.id, c.name, c.profile, c.client_id AS "clientId", c.status, c.limits, c.rules, c.quirks, c.version,
   c.created_at AS "createdAt", c.owner_kind AS "ownerKind", c.owner_id AS "ownerId"`,
  {
    tenant: 'text',
    id: 'uuid',
    name: 'text',
    profile: 'text',
    clientId: 'text?',
    status: 'text',
    limits: 'jsonb',
    rules: 'jsonb',
    quirks: 'jsonb',
    version: 'int4',
    createdAt: 'timestamptz',
    ownerKind: 'text?',
    ownerId: 'uuid?',
  },
);

type Selected = Omit<ConnectorRow, 'limits' | 'rules' | 'quirks'> &
  Record<'limits' | 'rules' | 'quirks', unknown>;

export const connectorOf = (row: Selected): Connector => ({
  tenant: row.tenant,
  id: row.id,
  name: row.name,
  profile: isProfile(row.profile) ? row.profile : 'auto',
  clientId: row.clientId,
  status: row.status === 'active' || row.status === 'deleted' ? row.status : 'disabled',
  limits: readLimits(row.limits),
  rules: readRules(row.rules),
  quirks: readQuirks(row.quirks),
  version: row.version,
  createdAt: row.createdAt,
  owner:
    row.ownerId === null ? null : { kind: row.ownerKind === 'group' ? 'group' : 'user', id: row.ownerId },
});
