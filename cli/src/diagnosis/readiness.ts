import { type Answer, objectOf } from '../http.ts';
import { type Finding, well, wrong } from './finding.ts';

interface Dependency {
  status?: string;
  reason?: string;
  message?: string;
}

/** Dependencies in /readyz that are not Ostiary services: product name, and variable with the address. */
const engines: Readonly<Record<string, { name: string; address: string }>> = {
  postgresql: { name: 'PostgreSQL', address: 'DATABASE_URL' },
  redis: { name: 'Redis', address: 'REDIS_URL' },
};

const look = 'see its log for the reason';
const runbook = 'docs/guides/runbook.md';

/** Remedies of an engine by the reason in /readyz. */
const engineRemedies: Readonly<Record<string, (engine: { name: string; address: string }) => string>> = {
  unreachable: ({ name, address }) =>
    `Check that ${name} runs, that ${address} of the process is its address, and that the network permits the connection.`,
  timeout: ({ name }) => `Check the load of ${name} and the network to it.`,
  starting: ({ name }) => `${name} is starting or stopping: try again in a few seconds, then see its log.`,
  failing: ({ name }) => `See the logs of ${name} and of the process.`,
  credential_rejected: ({ name, address }) =>
    `The credentials in ${address} of the process must be valid for ${name}: docs/guides/replace-a-key.md.`,
  rights_missing: ({ name }) =>
    name === 'Redis'
      ? 'Set the rules of its user: node scripts/redis-users.ts --rules.'
      : 'Run the migration, which grants the privileges to its role: node scripts/migrate.mjs.',
  read_only: ({ name, address }) =>
    `${address} must be the address of the primary of ${name}, which accepts writes: ${runbook}, OstiaryNotReady.`,
  disk_full: ({ name }) => `Free space on the disk of ${name}: ${runbook}, Disk full.`,
  out_of_memory: ({ name }) =>
    name === 'Redis'
      ? `Increase maxmemory of Redis, with maxmemory-policy noeviction: ${runbook}, OstiaryNotReady.`
      : `Increase the memory of ${name}, or reduce work_mem, shared_buffers or max_connections.`,
  cannot_save: () => 'Free space on the disk of Redis; its log names the file.',
  too_few_replicas: () => 'Restore the replicas, or reduce min-replicas-to-write.',
  too_many_connections: () =>
    'max_connections must be at least the sum of DATABASE_POOL_SIZE of all processes, plus two for each process.',
  wrong_mode: () =>
    'Set the scheme of REDIS_URL to the kind of the server: docs/start/kubernetes.md, Redis or Valkey.',
  cluster_down: () => 'Restore the nodes of the cluster: redis-cli cluster info.',
  database_missing: () => 'Create the database that DATABASE_URL names, then run node scripts/migrate.mjs.',
  schema_missing: () => 'Apply the migrations: node scripts/migrate.mjs.',
  schema_outdated: () => `Apply the migrations: node scripts/migrate.mjs; ${runbook}, Stuck migration.`,
  schema_contracted: () => 'This version is too old for the database: run the next version.',
};

/** Remedies of the internal checks of a process. */
const ownRemedies: Readonly<Record<string, string>> = {
  'service-credential':
    'SERVICE_CLIENT_SECRET of the process must equal the secret in the settings of auth: SERVICE_CLIENT_SECRET_DIRECTORY, _PROVISIONING or _GATEWAY.',
  access: `It has not received the keys and the revocation feed of auth yet: check auth; ${look}.`,
  keys: 'The keys are read from the database: resolve the problem of postgresql first.',
  departures:
    'It requests missed events from the directory, which takes some seconds after a start or an outage of PostgreSQL; if it persists, see its log.',
  revocations: `It cannot read the revocation feed of auth: ${runbook}, OstiaryRevocationFeedOld.`,
  live: `It receives no events: check Redis; ${look}.`,
  startup:
    'Each service must have been ready once; check each: ostiary doctor --process <address of auth, directory, provisioning>.',
  supergraph: `The graph has not been loaded; ${look}.`,
  'supergraph-file': `The file that SUPERGRAPH_PATH names was rejected; ${look}.`,
  installation: 'The demo is being set up: try again in a few seconds.',
};

function remedyOf(name: string, reason: string): string {
  const engine = Object.hasOwn(engines, name) ? engines[name] : undefined;
  if (engine !== undefined) {
    const said = Object.hasOwn(engineRemedies, reason) ? reason : 'unreachable';
    return engineRemedies[said]?.(engine) ?? '';
  }
  if (Object.hasOwn(ownRemedies, name)) return ownRemedies[name] ?? '';
  return `Check that ${name} runs. ostiary doctor --process <its address> lists its unavailable dependencies; ${look}.`;
}

/** Returns the findings on a process, and on the engines and services that it depends on. */
export function readiness(check: string, answer: Answer): Finding[] {
  let state: Record<string, unknown>;
  try {
    state = objectOf(answer, '/readyz');
  } catch (error) {
    return [wrong(check, (error as Error).message, 'Check that this is the address of Ostiary.')];
  }
  const dependencies = Object.entries((state.dependencies ?? {}) as Record<string, Dependency>);
  const down = dependencies.filter(([, { status }]) => status !== 'up');
  const status = String(state.status ?? answer.status);
  const names = dependencies.map(([name]) => name).join(', ') || 'no dependencies';
  if (down.length > 0) return down.map(([name, each]) => missing(`${check}: ${name}`, name, each));
  if (answer.status === 200) return [well(check, `${status}, with ${names}`)];
  return [
    wrong(
      check,
      `${status} (${answer.status})`,
      state.draining === true
        ? 'The process is stopping: try again when its replacement runs.'
        : 'Try again in a few seconds, then check its log and the network.',
    ),
  ];
}

function missing(check: string, name: string, dependency: Dependency): Finding {
  const { status = 'unknown', reason = '', message = '' } = dependency;
  const why = [reason, message].filter(Boolean).join(': ');
  return wrong(check, why === '' ? status : `${status}, ${why}`, remedyOf(name, reason));
}
