import { isProfile, readQuirks } from '../../compatibility/index.ts';
import { type Connector, readLimits, readRules } from '../domain/connector.ts';

export interface ConnectorRow {
  tenant: string;
  id: string;
  name: string;
  profile: string;
  client_id: string | null;
  status: string;
  limits: unknown;
  rules: unknown;
  quirks: unknown;
  version: number;
  created_at: Date;
  owner_kind: string | null;
  owner_id: string | null;
}

/** The columns of a connector, as `c`. */
export const columns = [
  'tenant',
  'id',
  'name',
  'profile',
  'client_id',
  'status',
  'limits',
  'rules',
  'quirks',
  'version',
  'created_at',
  'owner_kind',
  'owner_id',
]
  .map((name) => `c.${name}`)
  .join(', ');

export const connectorOf = (row: ConnectorRow): Connector => ({
  tenant: row.tenant,
  id: row.id,
  name: row.name,
  profile: isProfile(row.profile) ? row.profile : 'auto',
  clientId: row.client_id,
  status: row.status === 'active' || row.status === 'deleted' ? row.status : 'disabled',
  limits: readLimits(row.limits),
  rules: readRules(row.rules),
  quirks: readQuirks(row.quirks),
  version: row.version,
  createdAt: row.created_at,
  owner:
    row.owner_id === null ? null : { kind: row.owner_kind === 'group' ? 'group' : 'user', id: row.owner_id },
});
