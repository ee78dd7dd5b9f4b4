import { createHmac } from 'node:crypto';
import { BULK_RESPONSE, type JsonObject, ScimError } from '@ostiary/scim';
import { type Key, keyObjectOf } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BaseOf, callerOf, type TenantParams } from '../access/http/context.ts';
import { countRequests, type RateRule } from '../access/http/rate-limit.ts';
import { type Caller, ownerOf } from '../access/index.ts';
import { type ProjectionQuery, prefers, sendScim } from '../protocol/http/reply.ts';
import {
  locationOf,
  type Projection,
  present,
  type ResourceType,
  readProjection,
} from '../protocol/index.ts';
import type { Resources } from '../resources/index.ts';
import { BulkJournal, noJournal } from './domain/journal.ts';
import { failed, type ShownOutcome, undecided } from './domain/outcome.ts';
import { planBulk } from './domain/plan.ts';
import { type BulkEntry, type BulkRequest, readBulk } from './domain/request.ts';
import { type BulkRun, runBulk } from './domain/run.ts';
import type { OpenSubmission, Submission, SubmissionStore } from './domain/submission.ts';

export interface BulkServices {
  resources: Resources;
  submissions: SubmissionStore;
  baseOf: BaseOf;
  rate: RateRule;
  /** Maximum number of operations in one Bulk, and maximum size of its body in bytes. */
  limits: { maxOperations: number; maxPayloadSize: number };
  /** Reports whether group names are unique in the tenant. */
  uniqueGroupNames: (tenant: string) => Promise<boolean>;
  /** Key of the digests of requests. */
  digestKey: Key;
  /** Whether the process is stopping. */
  draining: () => boolean;
  /** Returns the current state of the caller; undefined when it is no longer admitted. */
  admitted: (caller: Caller) => Promise<Caller | undefined>;
  /** Records an operation in the provisioning log; must not block. */
  record: (request: FastifyRequest, operation: OperationRecord) => void;
}

export interface OperationRecord {
  method: string;
  resourceType: ResourceType | undefined;
  outcome: ShownOutcome;
}

/**
 * Operations that would begin after this time are left to the next submission, so that the client gets its response.
 */
const maxRunMs = 25_000;
const keyShape = /^[\x21-\x7e]{1,255}$/;

/**
 * POST /Bulk → 200 with a BulkResponse (RFC 7644 §3.7). With an Idempotency-Key
 * (draft-ietf-httpapi-idempotency-key-header), a repetition executes only the remaining operations and repeats the
 * response.
 */
export function bulk(app: FastifyInstance, services: BulkServices): void {
  app.post<{ Params: TenantParams; Querystring: ProjectionQuery }>(
    '/Bulk',
    { config: { access: 'scim:write', keepBody: true } },
    async (request, reply) => {
      const caller = callerOf(request);
      const shown = shownIn(request);
      const bytes = request.bodyBytes ?? Buffer.alloc(0);
      requireSize(bytes.length, caller, services.limits.maxPayloadSize);
      const { maxOperations } = services.limits;
      const asked = readBulk(
        request.body,
        Math.min(caller.limits.bulkOperations ?? maxOperations, maxOperations),
      );
      await countRequests(reply, caller, services.rate, asked.entries.length, 1);

      const key = readKey(request.headers['idempotency-key']);
      const digest = (): Buffer =>
        createHmac('sha256', keyObjectOf(services.digestKey())).update(bytes).digest();
      const submission =
        key === undefined
          ? undefined
          : await services.submissions.open({
              tenant: caller.tenant,
              owner: ownerOf(caller),
              key,
              digest: digest(),
            });
      const outcomes =
        submission?.state === 'finished'
          ? submission.outcomes
          : await carryOut(request, services, asked, openedBy(submission), shown);
      return answer(request, reply, services.baseOf(request), asked.entries, outcomes, shown);
    },
  );
}

/** Returns the requested projection. Without one, the response has only addresses and versions. */
function shownIn(request: FastifyRequest<{ Querystring: ProjectionQuery }>): Projection | undefined {
  const projection = readProjection(request.query.attributes, request.query.excludedAttributes);
  const named = projection.attributes !== undefined || projection.excludedAttributes !== undefined;
  return named || prefers(request, 'representation') ? projection : undefined;
}

function requireSize(size: number, caller: Caller, most: number): void {
  const limit = Math.min(caller.limits.bulkPayloadBytes ?? most, most);
  if (size <= limit) return;
  throw ScimError.payloadTooLarge(`The Bulk has ${size} bytes; maxPayloadSize is ${limit}.`);
}

/** The draft defines a quoted string; many clients omit the quotes. */
function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const key = String(header)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  if (!keyShape.test(key)) {
    throw ScimError.invalidValue('"Idempotency-Key" must be 1 to 255 visible ASCII characters.');
  }
  return key;
}

/** Thrown with 409 while the same submission is in progress. */
class UnderWay extends ScimError {
  readonly retryAfter: number;

  constructor(leaseUntil: Date) {
    super(409, 'A request with this Idempotency-Key is in progress.');
    this.retryAfter = Math.max(1, Math.ceil((leaseUntil.getTime() - Date.now()) / 1000));
  }
}

function openedBy(
  submission: Exclude<Submission, { state: 'finished' }> | undefined,
): OpenSubmission | undefined {
  if (submission?.state === 'running') throw new UnderWay(submission.leaseUntil);
  if (submission?.state === 'different') {
    throw new ScimError(422, 'The Idempotency-Key has already been used for a different request.');
  }
  return submission;
}

async function carryOut(
  request: FastifyRequest,
  services: BulkServices,
  { entries, failOnErrors }: BulkRequest,
  submission: OpenSubmission | undefined,
  shown: Projection | undefined,
): Promise<Map<number, ShownOutcome>> {
  const onFailure = (error: unknown): void =>
    request.log.warn(
      { event: 'bulk.operation_failed', requestId: request.id, err: error },
      'Bulk operation failed',
    );
  const journal = submission ? new BulkJournal(services.submissions, submission, onFailure) : undefined;
  const deadline = performance.now() + maxRunMs;
  const caller = callerOf(request);
  const inTime = (): boolean => performance.now() < deadline && !services.draining() && !journal?.lost;
  const run: BulkRun = {
    resources: services.resources,
    journal: journal ?? noJournal,
    ...(failOnErrors === undefined ? {} : { failOnErrors }),
    ...(shown ? { shown } : {}),
    // After the source or its token was disabled, no further operation begins; restricted rights apply to the next
    // operation.
    admitted: async () => {
      const current = inTime() ? await services.admitted(caller) : undefined;
      return inTime() ? current : undefined;
    },
    onFailure,
  };
  let outcomes = new Map<number, ShownOutcome>();
  try {
    const uniqueGroupNames = await services.uniqueGroupNames(caller.tenant);
    outcomes = await runBulk(planBulk(entries, { uniqueGroupNames }), run);
    return outcomes;
  } finally {
    await journal?.close(outcomes.size > 0 && ![...outcomes.values()].some(undecided));
    for (const [position, outcome] of outcomes) {
      if (run.journal.outcomes.has(position)) continue;
      const entry = entries[position];
      const task = entry?.task;
      services.record(request, {
        method: entry?.method ?? 'BULK',
        resourceType: task && !(task instanceof ScimError) ? task.type : undefined,
        outcome,
      });
    }
  }
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  base: string,
  entries: readonly BulkEntry[],
  outcomes: ReadonlyMap<number, ShownOutcome>,
  shown: Projection | undefined,
): FastifyReply {
  const Operations = entries.flatMap((entry, position) => {
    const outcome = outcomes.get(position);
    return outcome ? [operationOf(base, entry, outcome, shown ?? {})] : [];
  });
  return sendScim(request, reply, 200, { schemas: [BULK_RESPONSE], Operations });
}

/** Returns one element of the response's `Operations`; `location` is present for every existing resource. */
function operationOf(base: string, entry: BulkEntry, outcome: ShownOutcome, shown: Projection): JsonObject {
  const { task, method, bulkId } = entry;
  const { status, id, version, error, resource } = outcome;
  const type = task instanceof ScimError ? undefined : task.type;
  const response = failed(outcome)
    ? error
    : resource && type
      ? present(base, type, resource, shown)
      : undefined;
  return {
    ...(method === undefined ? {} : { method }),
    ...(bulkId === undefined ? {} : { bulkId }),
    ...(type === undefined || id === undefined ? {} : { location: locationOf(base, type, id) }),
    ...(version === undefined ? {} : { version }),
    status: String(status),
    ...(response === undefined ? {} : { response: response as JsonObject }),
  };
}
