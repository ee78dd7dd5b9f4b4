import type { IdPage } from '@ostiary/service';

/** A session as its owner or an administrator sees it. */
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
  /** Only sessions of people to whom this app was granted something in them. */
  clientId?: string;
  signedInSince?: Date;
  lastSeenBefore?: Date;
}

/** Lists of live sessions, for their owners and administrators. */
export interface SessionList {
  /** Of many people, newest first. @param most of each person; all without */
  ofSubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<SessionSummary[]>;
  byIds(tenant: string, ids: readonly string[]): Promise<SessionSummary[]>;
  /** A stretch of a tenant's, newest first. */
  page(tenant: string, filter: SessionFilter, page: IdPage): Promise<SessionSummary[]>;
  count(tenant: string, filter: SessionFilter): Promise<number>;
  /** The apps that hold something granted in these sessions, by session. @param most of each */
  apps(tenant: string, sessionIds: readonly string[], most: number): Promise<SessionApp[]>;
}

export interface SessionApp {
  sessionId: string;
  clientId: string;
  /** Null when the client is gone. */
  name: string | null;
}
