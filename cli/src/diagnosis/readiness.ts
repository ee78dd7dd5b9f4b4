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

const look = 'its log says why';
const runbook = 'docs/guides/runbook.md';

/** Remedies of an engine by the reason in /readyz. */
const engineRemedies: Readonly<Record<string, (engine: { name: string; address: string }) => string>> = {
  unreachable: ({ name, address }) =>
    `Does ${name} run, does ${address} of the process lead there, and may it get through the network?`,
  timeout: ({ name }) => `Check the load of ${name} and the network to it.`,
  starting: ({ name }) => `${name} starts or stops: ask again in a few seconds, then look at its log.`,
  failing: ({ name }) => `Look at the log of ${name}, and of the process.`,
  credential_rejected: ({ name, address }) =>
    `The login in ${address} of the process must be one of ${name}: docs/guides/replace-a-key.md.`,
  rights_missing: ({ name }) =>
    name === 'Redis'
      ? 'Set the rules of its user: node scripts/redis-users.ts --rules.'
      : 'Give its role the rights, by the migration: node scripts/migrate.mjs.',
  read_only: ({ name, address }) =>
    `${address} must lead to the primary of ${name}, which takes writes: ${runbook}, OstiaryNotReady.`,
  disk_full: ({ name }) => `Make room where ${name} has its data: ${runbook}, Disk full.`,
  out_of_memory: ({ name }) =>
    name === 'Redis'
      ? `Raise maxmemory of Redis, and never let it evict: ${runbook}, OstiaryNotReady.`
      : `Give ${name} more memory, or let it use less: work_mem, shared_buffers, max_connections.`,
  cannot_save: () => 'Make room where Redis saves to; its log names the file.',
  too_few_replicas: () => 'Bring the replicas back, or lower min-replicas-to-write.',
  too_many_connections: () =>
    'max_connections must be enough for DATABASE_POOL_SIZE of all processes together, and two more for each.',
  wrong_mode: () => 'Say in REDIS_URL how Redis is run: docs/start/kubernetes.md, Redis or Valkey.',
  cluster_down: () => 'Bring the nodes of the cluster back: redis-cli cluster info.',
  database_missing: () => 'Create the database that DATABASE_URL names, then node scripts/migrate.mjs.',
  schema_missing: () => 'Apply the migrations: node scripts/migrate.mjs.',
  schema_outdated: () => `Apply the migrations: node scripts/migrate.mjs; ${runbook}, Stuck migration.`,
  schema_contracted: () => 'This version is older than the database allows: run the one that came after it.',
};

/** Remedies of the internal checks of a process. */
const ownRemedies: Readonly<Record<string, string>> = {
  'service-credential':
    'SERVICE_CLIENT_SECRET of the process must equal the secret in the settings of auth: SERVICE_CLIENT_SECRET_DIRECTORY, _PROVISIONING or _GATEWAY.',
  access: `It has not received the keys and the revocation feed of auth yet: check auth; ${look}.`,
  keys: 'They are read from the database: resolve the problem of postgresql first.',
  departures:
    'It asks the directory whom it may have missed, which takes some seconds after a start or an outage of PostgreSQL; look at its log if it stays.',
  revocations: `It cannot read the revocation feed of auth: ${runbook}, OstiaryRevocationFeedOld.`,
  live: `It receives no events: check Redis; ${look}.`,
  startup:
    'Each service must have been ready once: ostiary doctor --process <address of auth, directory, provisioning>.',
  supergraph: `The graph has not been loaded; ${look}.`,
  'supergraph-file': `The file that SUPERGRAPH_PATH names was refused; ${look}.`,
  installation: 'The demo is being set up: ask again in a few seconds.',
};

function remedyOf(name: string, reason: string): string {
  const engine = Object.hasOwn(engines, name) ? engines[name] : undefined;
  if (engine !== undefined) {
    const said = Object.hasOwn(engineRemedies, reason) ? reason : 'unreachable';
    return engineRemedies[said]?.(engine) ?? '';
  }
  if (Object.hasOwn(ownRemedies, name)) return ownRemedies[name] ?? '';
  return `Does ${name} run? ostiary doctor --process <its address> lists its missing dependencies; ${look}.`;
}

/** Returns the findings on a process, and on the engines and services that it depends on. */
export function readiness(check: string, answer: Answer): Finding[] {
  let state: Record<string, unknown>;
  try {
    state = objectOf(answer, '/readyz');
  } catch (error) {
    return [
      wrong(check, (error as Error).message, 'Is this the address of Ostiary, and not of something else?'),
    ];
  }
  const dependencies = Object.entries((state.dependencies ?? {}) as Record<string, Dependency>);
  const down = dependencies.filter(([, { status }]) => status !== 'up');
  const status = String(state.status ?? answer.status);
  const names = dependencies.map(([name]) => name).join(', ') || 'nothing to depend on';
  if (down.length > 0) return down.map(([name, each]) => missing(`${check}: ${name}`, name, each));
  if (answer.status === 200) return [well(check, `${status}, with ${names}`)];
  return [
    wrong(
      check,
      `${status} (${answer.status})`,
      state.draining === true
        ? 'The process is stopping: try again when another one has replaced it.'
        : 'Try again in a few seconds, then check its log and the network in between.',
    ),
  ];
}

function missing(check: string, name: string, dependency: Dependency): Finding {
  const { status = 'unknown', reason = '', message = '' } = dependency;
  const why = [reason, message].filter(Boolean).join(': ');
  return wrong(check, why === '' ? status : `${status}, ${why}`, remedyOf(name, reason));
}
