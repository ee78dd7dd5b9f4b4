import { isUuid } from '@ostiary/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/http/context.ts';
import type { Caller } from '../access/index.ts';
import type { LogEntry } from './provisioning-log.ts';

export interface RecordingOptions {
  /** Records an entry of the provisioning log; must not block. */
  record: (entry: Omit<LogEntry, 'id'>) => void;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** An operation of a Bulk, and its outcome. */
export interface RecordedOperation {
  method: string;
  resourceType: string | undefined;
  outcome: { status: number; id?: string; error?: { scimType?: string; detail?: string } };
}

/** Only authenticated requests are recorded: other clients cannot push a tenant's entries out of its log. */
export function recordRequest(request: FastifyRequest, reply: FastifyReply, options: RecordingOptions): void {
  const { caller } = request;
  if (!caller) return;
  options.record({
    ...commonOf(request, caller),
    at: new Date(options.clock() - reply.elapsedTime),
    method: request.method,
    resourceType: request.routeOptions.config.resourceType ?? null,
    resourceId: idIn((request.params as { id?: string }).id ?? request.createdId),
    status: reply.statusCode,
    scimType: request.failure?.scimType ?? null,
    detail: request.failure?.detail ?? null,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  });
}

/** Each operation of a Bulk has an entry as well, with the id of the request. */
export function recordOperation(
  request: FastifyRequest,
  { method, resourceType, outcome }: RecordedOperation,
  options: RecordingOptions,
): void {
  options.record({
    ...commonOf(request, callerOf(request)),
    at: new Date(options.clock()),
    method,
    resourceType: resourceType ?? null,
    resourceId: idIn(outcome.id),
    status: outcome.status,
    scimType: outcome.error?.scimType ?? null,
    detail: outcome.error?.detail ?? null,
    durationMs: 0,
  });
}

const commonOf = (request: FastifyRequest, caller: Caller) => ({
  tenant: caller.tenant,
  source: caller.source,
  actorKind: caller.actor.kind,
  actorId: caller.actor.id,
  requestId: request.id,
});

const idIn = (id: string | undefined): string | null => (id !== undefined && isUuid(id) ? id : null);
