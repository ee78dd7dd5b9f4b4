import { helmPath, template } from '../../../scripts/kubernetes.ts';
import { type Manifest, manifestsIn, manifestsOf } from './rendered.ts';

/** Without Helm only the manifests under k8s/ are tested. */
export const hasHelm = helmPath() !== undefined;

/** Keys that docs/start/kubernetes.md lists, with placeholder values. */
export const secretValues: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['AUTH', 'DIRECTORY', 'PROVISIONING', 'MIGRATE'].map((name) => `DATABASE_URL_${name}`),
    ...['AUTH', 'DIRECTORY', 'PROVISIONING'].map((name) => `DATABASE_PASSWORD_${name}`),
    ...['AUTH', 'DIRECTORY', 'PROVISIONING', 'GATEWAY'].map((name) => `REDIS_URL_${name}`),
    ...['ENCRYPTION_KEY', 'TOKEN_KEY', 'EVENT_KEY', 'STREAM_KEY', 'OPERATOR_CLIENT_SECRET'],
    ...['DIRECTORY', 'PROVISIONING', 'GATEWAY'].map((name) => `SERVICE_CLIENT_SECRET_${name}`),
  ].map((name) => [name, `the-value-of-${name}`]),
);

/** Keys that exist only with `secrets.databaseReplica`. */
export const replicaValues: Readonly<Record<string, string>> = Object.fromEntries(
  ['AUTH', 'DIRECTORY', 'PROVISIONING']
    .map((name) => `DATABASE_REPLICA_URL_${name}`)
    .map((name) => [name, `the-value-of-${name}`]),
);

/** Keys that exist only with `guard.enabled`. */
export const guardValues: Readonly<Record<string, string>> = Object.fromEntries(
  ['GUARD_CLIENT_SECRET', 'GUARD_KEY'].map((name) => [name, `the-value-of-${name}`]),
);

/** Every key that docs/start/kubernetes.md lists. */
export const everyValue: Readonly<Record<string, string>> = {
  ...secretValues,
  ...replicaValues,
  ...guardValues,
};

export const render = (values: Readonly<Record<string, string>>): Manifest[] =>
  manifestsIn(template(Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])));

const given = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`secrets.values.${key}`, value]));

const created = {
  'secrets.create': 'true',
  ...given(secretValues),
};
const digest = `sha256:${'a'.repeat(64)}`;

/** Variants of the chart by name. */
export const variants: readonly (readonly [string, Manifest[]])[] = [
  ['k8s/base', manifestsOf('base')],
  ['k8s/overlays/production', manifestsOf('overlays/production')],
  ['k8s/overlays/development', manifestsOf('overlays/development')],
  ['k8s/overlays/direct', manifestsOf('overlays/direct')],
  ['k8s/overlays/guard', manifestsOf('overlays/guard')],
  ...(hasHelm
    ? [
        ['hooks of Helm', render({})] as const,
        ['secrets as environment variables', render({ 'secrets.asFiles': 'false' })] as const,
        ['a Secret of its own', render(created)] as const,
        [
          'read replicas',
          render({ ...created, ...given(replicaValues), 'secrets.databaseReplica': 'true' }),
        ] as const,
        ['no operator', render({ 'secrets.operator': 'false', 'secrets.revision': '2' })] as const,
        [
          'everything there is',
          render({
            ...created,
            'image.registry': 'registry.example.com',
            'image.digests.auth': digest,
            'image.digests.migrate': digest,
            'image.pullSecrets[0].name': 'registry',
            'monitoring.podMonitor': 'true',
            'monitoring.prometheusRule': 'true',
            'config.OTEL_EXPORTER_OTLP_ENDPOINT': 'http://collector.monitoring:4318',
            'networkPolicy.redis.ports[0]': '26379',
            'pods.nodeSelector.disk': 'fast',
            'pods.priorityClassName': 'system-cluster-critical',
            'pods.tolerations[0].operator': 'Exists',
            'auth.config.SIGN_INS_WAITING': '10',
            ...given(guardValues),
            'guard.enabled': 'true',
            'guard.clientId': 'orders-api',
            'guard.rules.hosts[0].host': 'orders.example.com',
            'guard.config.MAX_STALENESS_SECONDS': '30',
            'auth.config.DRAIN_SECONDS': '40',
            'gateway.config.SHUTDOWN_TIMEOUT_SECONDS': '90',
          }),
        ] as const,
      ]
    : []),
];
