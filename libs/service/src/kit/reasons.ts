/**
 * Reasons why a dependency is unavailable: a code for programs and a sentence for operators. /readyz is
 * public at the edge, so it exposes only these: no host, user, statement or message of the dependency.
 */
export const failureReasons = {
  unreachable: 'It does not respond.',
  timeout: 'It does not respond in time.',
  not_ready: 'It reports that it is not ready.',
  not_loaded: 'Its data has not been loaded.',
  stale: 'Its data is too old to be trusted.',
  starting: 'It is starting, or shutting down.',
  catching_up: 'Events missed while this process was disconnected are still being processed.',
  failing: 'It responds with an error.',
  credential_rejected: 'It does not accept the credential of this process.',
  rights_missing: 'The account of this process lacks rights that it needs.',
  read_only: 'It does not accept writes: it is a standby or replica, or set to read-only.',
  disk_full: 'Its disk is full.',
  out_of_memory: 'It is out of memory and rejects writes.',
  cannot_save: 'It cannot save to its disk and rejects writes.',
  too_few_replicas: 'It has fewer replicas than it requires for writes.',
  too_many_connections: 'It has reached its maximum number of connections.',
  wrong_mode: 'It is a Sentinel or a cluster, which the address does not indicate.',
  cluster_down: 'It is a cluster that is down.',
  database_missing: 'The database does not exist.',
  schema_missing: 'The migrations have not been applied.',
  schema_outdated: 'Migrations that this version needs have not been applied.',
  schema_contracted: 'A later version removed database objects that this version needs.',
} as const;

export type FailureReason = keyof typeof failureReasons;

/** Error of a probe with a known reason. */
export class NotReady extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, cause?: unknown) {
    super(failureReasons[reason], { cause });
    this.name = 'NotReady';
    this.reason = reason;
  }
}

/** Returns the `reason` of an error, default `unreachable`. */
export function reasonOf(error: unknown): FailureReason {
  const { reason } = (error ?? {}) as { reason?: unknown };
  return typeof reason === 'string' && Object.hasOwn(failureReasons, reason)
    ? (reason as FailureReason)
    : 'unreachable';
}
