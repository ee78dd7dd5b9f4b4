import type { Actor } from '@ostiary/events';
import type { BoundedCount, IdPage, Transaction } from '@ostiary/service';
import type { Changes } from './changes.ts';

/** Records security events of a tenant, in the transaction of the change. */
export interface SecurityLog {
  record(tx: Transaction, tenant: string, event: NewSecurityEvent): Promise<void>;
}

export interface SecurityEvent {
  id: string;
  occurredAt: Date;
  action: string;
  actor: Actor;
  /** User that the event concerns. */
  subjectId: string | null;
  resourceType: string;
  resourceId: string;
  changes: Changes;
  /** Client that presented the access token of the request. */
  clientId: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  traceId: string | null;
}

/** Event to record. Actor and origin default to those of the current request. */
export interface NewSecurityEvent {
  action: SecurityAction;
  resourceType: ResourceType;
  resourceId: string;
  subjectId?: string;
  changes?: Changes;
  actor?: Actor;
  /** UUIDv7. Given only when another row refers to the entry; otherwise generated. */
  id?: string;
  /** W3C trace context; default: that of the current request. */
  traceparent?: string;
}

export type ResourceType =
  | 'Session'
  | 'User'
  | 'Group'
  | 'Grant'
  | 'Delegation'
  | 'Client'
  | 'Api'
  | 'PersonalAccessToken'
  | 'ApiKey'
  | 'ServiceAccount'
  | 'InitialAccessToken'
  | 'TrustedIssuer'
  | 'IssuerSubject'
  | 'SigningKey'
  | 'SignalStream'
  | 'Webhook'
  | 'Delivery'
  | 'Tenant';

/** All actions; the documentation of the graph lists them too. */
export const securityActions = [
  'session.started',
  'session.renewed',
  'session.ended',
  'user.departed',
  'user.signed_out_everywhere',
  'user.other_sessions_ended',
  'user.password_changed',
  'user.access_reset',
  'user.invited',
  'user.invitation_accepted',
  'user.invitation_revoked',
  'user.recovery_begun',
  'user.totp_added',
  'user.totp_removed',
  'user.recovery_codes_renewed',
  'user.passkey_added',
  'user.passkey_removed',
  'user.role_assigned',
  'user.role_removed',
  'user.app_allowed',
  'user.app_withdrawn',
  'group.role_assigned',
  'group.role_removed',
  'grant.revoked',
  'delegation.created',
  'delegation.ended',
  'personal_access_token.created',
  'personal_access_token.revoked',
  'api_key.created',
  'api_key.revoked',
  'api_key.handed_over',
  'service_account.created',
  'service_account.updated',
  'service_account.deleted',
  'service_account.key_added',
  'service_account.key_removed',
  'client.registered',
  'client.updated',
  'client.secret_rotated',
  'client.disabled',
  'client.enabled',
  'client.deleted',
  'api.registered',
  'api.updated',
  'api.deleted',
  'initial_access_token.created',
  'initial_access_token.revoked',
  'trusted_issuer.created',
  'trusted_issuer.deleted',
  'issuer_subject.bound',
  'issuer_subject.unbound',
  'signing_key.prepared',
  'signing_key.activated',
  'signing_key.replaced',
  'signal_stream.created',
  'signal_stream.updated',
  'signal_stream.deleted',
  'tenant.branding_updated',
  'tenant.client_documents_updated',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.tested',
  'delivery.replayed',
  'delivery.discarded',
] as const;

export type SecurityAction = (typeof securityActions)[number];

/** Conditions on entries. Omitted conditions do not restrict the result. */
export interface SecurityLogFilter {
  subjectId?: string;
  resourceId?: string;
  actorId?: string;
  actorKind?: Actor['kind'];
  ipAddress?: string;
  clientId?: string;
  requestId?: string;
  traceId?: string;
  action?: string;
  since?: Date;
  until?: Date;
}

export interface SecurityLogReader {
  find(tenant: string, id: string): Promise<SecurityEvent | undefined>;
  /** Returns a page, newest entries first. */
  page(tenant: string, filter: SecurityLogFilter, page: IdPage): Promise<SecurityEvent[]>;
  count(tenant: string, filter: SecurityLogFilter): Promise<BoundedCount>;
}
