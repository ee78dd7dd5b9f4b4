import type { Profile } from './compatibility/profiles.ts';

/** The source of everything that OAuth clients and users do without a connector of their own. */
export const directSource = 'direct';

export interface ConnectorLimits {
  /** Largest page of a list, at most the service's own. */
  pageSize?: number;
}

export interface Connector {
  tenant: string;
  id: string;
  name: string;
  profile: Profile;
  clientId: string | null;
  status: 'active' | 'disabled';
  limits: ConnectorLimits;
  createdAt: Date;
}

/** A token of a connector, without the secret. */
export interface ConnectorToken {
  tenant: string;
  id: string;
  connectorId: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}
