import type { IdPage } from '@ostiary/service';

/** A session for its owner or an administrator. */
export interface SessionSummary {
  id: string;
  subjectId: string;
  createdAt: Date;
  lastSeenAt: Date;
  userAgent: string | null;
  ipAddress: string | null;
  authTime: Date;
  expiresAt: Date;
  amr: string[];
  acr: string | null;
}

export interface SessionFilter {
  userId?: string;
  ipAddress?: string;
  /** Only sessions in which this client got a grant. */
  clientId?: string;
  signedInSince?: Date;
  lastSeenBefore?: Date;
}

/** Lists of active sessions for their owners and administrators. */
export interface SessionList {
  /** Returns the sessions of many users, newest first. @param most maximum per user; default all */
  ofSubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<SessionSummary[]>;
  byIds(tenant: string, ids: readonly string[]): Promise<SessionSummary[]>;
  /** Returns a page of a tenant's sessions, newest first. */
  page(tenant: string, filter: SessionFilter, page: IdPage): Promise<SessionSummary[]>;
  count(tenant: string, filter: SessionFilter): Promise<number>;
  /** Returns the clients with grants in these sessions, by session. @param most maximum per session */
  apps(tenant: string, sessionIds: readonly string[], most: number): Promise<SessionApp[]>;
}

export interface SessionApp {
  sessionId: string;
  clientId: string;
  /** Null if the client was deleted. */
  name: string | null;
}
