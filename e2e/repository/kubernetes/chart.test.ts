import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { folders, outdated, template } from '../../../scripts/kubernetes.ts';
import { userCommands } from '../../../scripts/redis-users.ts';
import {
  find,
  type Manifest,
  manifestsIn,
  manifestsOf,
  ofKind,
  podOf,
  root,
  workloadsIn,
} from './rendered.ts';
import { everyValue, hasHelm, render, secretValues } from './variants.ts';

const withHelm = hasHelm ? test : test.skip;
if (!hasHelm)
  recordSkip('helm is not on the PATH (neither Debian nor npm has a package; see https://helm.sh)');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

describe('manifests under k8s/', () => {
  test('The committed manifests are those of the chart, and the chart has the version of this release.', () => {
    expect(outdated()).toEqual([]);
  });

  test.each(folders)('The folder %s builds with kustomize, in one namespace.', (folder) => {
    const { resources } = parse(readFileSync(join(root, 'k8s', folder, 'kustomization.yaml'), 'utf8')) as {
      resources: string[];
    };
    const listed = resources.flatMap((file) =>
      manifestsIn(readFileSync(join(root, 'k8s', folder, file), 'utf8')),
    );
    expect(listed.length).toBe(manifestsOf(folder).length);
    if (spawnSync('kubectl', ['version', '--client']).status !== 0) return;
    const built = manifestsIn(
      execFileSync('kubectl', ['kustomize', join(root, 'k8s', folder)], { encoding: 'utf8' }),
    );
    expect(built.length).toBe(listed.length);
    for (const { kind, metadata } of built)
      if (kind !== 'Namespace') expect([kind, metadata.namespace]).toEqual([kind, 'ostiary']);
  });

  test('Jobs with different specifications have different names, so that they can be applied again and awaited.', () => {
    const jobs = folders.flatMap((folder) => ofKind(manifestsOf(folder), 'Job'));
    const byName = new Map<string, string>();
    for (const job of jobs) {
      const spec = JSON.stringify(job.spec);
      expect(byName.get(job.metadata.name) ?? spec).toBe(spec);
      byName.set(job.metadata.name, spec);
      expect(job.metadata.name).toMatch(/^migrate-(auth|directory|provisioning)-\d+-\d+-\d+\S*-[0-9a-f]{8}$/);
      // A Job with a TTL may be deleted before it is awaited.
      expect(job.spec).not.toHaveProperty('ttlSecondsAfterFinished');
    }
    expect(byName.size).toBeGreaterThan(3);
  });

  test('The documented command waits for the migrations of all three services and of no other version.', () => {
    const page = readFileSync(join(root, 'docs/start/kubernetes.md'), 'utf8');
    const [, selector = ''] =
      /kubectl -n ostiary wait --for=condition=complete [^#]*?--selector=(\S+)/.exec(page) ?? [];
    const wanted = Object.fromEntries(
      selector
        .replace('$VERSION', version)
        .split(',')
        .map((pair) => pair.split('=')),
    );
    const jobs = ofKind(manifestsOf('overlays/production'), 'Job');
    const waitedFor = jobs.filter(({ metadata: { labels } }) =>
      Object.entries(wanted).every(([name, value]) => labels?.[name] === value),
    );
    expect(waitedFor.map(({ metadata }) => metadata.name.split('-')[1])).toEqual([
      'auth',
      'directory',
      'provisioning',
    ]);
    expect(wanted).toHaveProperty(['app.kubernetes.io/version'], version);
  });
});

describe('the Secret', () => {
  const made = execFileSync(
    process.execPath,
    [
      join(root, 'scripts/make-secrets.mjs'),
      ...['--database', 'postgres://owner:of-it@db:5432/ostiary'],
      ...['--redis', 'redis://redis:6379'],
    ],
    { encoding: 'utf8' },
  );

  test('The generated Secret has the entries to which the chart refers, with a login for each process.', () => {
    const lines = new Map(
      made
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string]),
    );
    expect([...lines.keys()].sort()).toEqual(Object.keys(secretValues).sort());
    expect(lines.get('DATABASE_URL_MIGRATE')).toBe('postgres://owner:of-it@db:5432/ostiary');
    expect(lines.get('DATABASE_URL_AUTH')).toBe(
      `postgres://ostiary_auth:${lines.get('DATABASE_PASSWORD_AUTH')}@db:5432/ostiary`,
    );
    expect(lines.get('REDIS_URL_GATEWAY')).toMatch(/^redis:\/\/ostiary_gateway:[\w-]{43}@redis:6379$/);
    expect(new Set(lines.values()).size).toBe(lines.size);
  });

  test('The users of Redis are created with the passwords of the processes.', () => {
    const commands = userCommands(made);
    for (const name of ['AUTH', 'DIRECTORY', 'PROVISIONING', 'GATEWAY']) {
      const { username, password } = new URL(
        new RegExp(`^REDIS_URL_${name}=(.*)$`, 'm').exec(made)?.[1] ?? '',
      );
      const of = commands.filter((command) =>
        command.startsWith(`ACL SETUSER ${username} reset on >${password} `),
      );
      expect(of).toHaveLength(1);
      expect(of[0]).toContain('-@all');
    }
    expect(() => userCommands('')).toThrow('REDIS_URL_AUTH is missing');
  });

  test('The documentation states for every entry how to replace it, and how to respond to a leak.', () => {
    const pages = ['replace-a-key', 'secrets-in-danger'].map((name) =>
      readFileSync(join(root, `docs/guides/${name}.md`), 'utf8'),
    );
    // Entries that each service has are named once.
    const one = { DATABASE_URL: 'AUTH', DATABASE_PASSWORD: 'AUTH', REDIS_URL: 'AUTH' };
    const written = (key: string, page: string): boolean => {
      if (page.includes(`\`${key}\``)) return true;
      const [, stem = ''] = /^(.+)_(?:AUTH|DIRECTORY|PROVISIONING|GATEWAY)$/.exec(key) ?? [];
      const example = stem in one ? `${stem}_${one[stem as keyof typeof one]}` : `${stem}_…`;
      return stem !== '' && (page.includes(`\`${example}\``) || page.includes(`"${example}"`));
    };
    const [replacing = '', leaked = ''] = pages;
    const keys = Object.keys(everyValue);
    const silent = keys.filter((key) => !written(key, leaked));
    expect(silent).toEqual([]);
    const named = replacing.replace('`SERVICE_CLIENT_SECRET_DIRECTORY`', '`SERVICE_CLIENT_SECRET_…`');
    expect(keys.filter((key) => !written(key, named))).toEqual([]);
    expect(written('ANOTHER_KEY', named)).toBe(false);
  });

  test('The page that describes the installation lists every entry.', () => {
    const page = readFileSync(join(root, 'docs/start/kubernetes.md'), 'utf8');
    for (const key of Object.keys(everyValue)) {
      const [, stem = '', last = ''] = /^(.*_)([A-Z]+)$/.exec(key) ?? [];
      expect([
        key,
        page.includes(`\`${key}\``) || (page.includes(`\`…_${last}\``) && page.includes(`\`${stem}`)),
      ]).toEqual([key, true]);
    }
  });
});

describe('the values', () => {
  const schema = JSON.parse(readFileSync(join(root, 'chart/values.schema.json'), 'utf8')) as object;
  const isValid = new Ajv({ strict: false }).compile(schema);
  const defaults = parse(readFileSync(join(root, 'chart/values.yaml'), 'utf8')) as Record<string, object>;

  test('The defaults are valid by the schema, which has each of them.', () => {
    expect(isValid(defaults) || isValid.errors).toBe(true);
    for (const [name, value] of Object.entries(defaults)) {
      if (typeof value !== 'object') continue;
      const more = { ...defaults, [name]: { ...value, 'not-there': 1 } };
      expect([name, isValid(more)]).toEqual([name, false]);
    }
  });

  test.each([
    ['an origin without a scheme', { publicOrigin: 'id.example.com' }],
    ['an origin with a path', { publicOrigin: 'https://id.example.com/x' }],
    ['a secret among the settings', { config: { ...defaults.config, ENCRYPTION_KEY: 'x' } }],
    [
      'a password among the settings',
      { auth: { ...defaults.auth, config: { DATABASE_URL: 'postgres://x' } } },
    ],
    ['a digest that is a tag', { image: { ...defaults.image, digests: { auth: '1.0.0' } } }],
    ['a drain that is no number', { config: { ...defaults.config, DRAIN_SECONDS: 'soon' } }],
    ['a drain of one process below zero', { auth: { ...defaults.auth, config: { DRAIN_SECONDS: -1 } } }],
    [
      'a grace period that the chart did not add up',
      { config: { ...defaults.config, TERMINATION_GRACE_SECONDS: '5' } },
    ],
    ['a guard without a client', { guard: { ...defaults.guard, enabled: true, rules: { hosts: [{}] } } }],
    ['a guard without rules', { guard: { ...defaults.guard, enabled: true, clientId: 'orders-api' } }],
    ['an unknown proxy', { guard: { ...defaults.guard, proxy: 'apache' } }],
    ['a misspelt process', { guteway: {} }],
  ])('The schema rejects %s.', (_what, given) => expect(isValid({ ...defaults, ...given })).toBe(false));

  withHelm('Helm validates the values by the schema and names missing ones.', () => {
    expect(() => template(['--set', 'publicOrigin=id.example.com'])).toThrow(/publicOrigin/);
    expect(() => template(['--set', 'secrets.create=true'])).toThrow(/secrets\.values\.\w+ is missing/);
    expect(() => template(['--set', 'ingress.direct=true'])).toThrow(/uniquelocal would trust/);
  });
});

describe('the chart', () => {
  withHelm('The migration hook requires no object that the chart creates later.', () => {
    const created = Object.fromEntries(
      Object.entries(secretValues).map(([key, value]) => [`secrets.values.${key}`, value]),
    );
    for (const values of [{}, { ...created, 'secrets.create': 'true' }]) {
      const manifests = render(values);
      const weight = ({ metadata }: Manifest) => Number(metadata.annotations?.['helm.sh/hook-weight']);
      const isHook = ({ metadata }: Manifest) =>
        metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade' &&
        metadata.annotations['helm.sh/hook-delete-policy']?.startsWith('before-hook-creation') === true;
      for (const job of ofKind(manifests, 'Job')) {
        const { spec } = podOf(job);
        expect(isHook(job)).toBe(true);
        expect(spec.containers[0].envFrom).toBeUndefined();
        const account = find(manifests, 'ServiceAccount', spec.serviceAccountName);
        const names = spec.volumes.flatMap(({ projected }) =>
          (projected?.sources ?? []).map(({ secret }) => secret.name),
        );
        const made = ofKind(manifests, 'Secret').filter(({ metadata }) => names.includes(metadata.name));
        expect(made).toHaveLength('secrets.create' in values ? 1 : 0);
        for (const needed of [account, ...made]) {
          expect(isHook(needed)).toBe(true);
          expect(weight(needed)).toBeLessThan(weight(job));
        }
        // Helm does not delete hooks with the release, so their secrets are deleted after the migrations.
        for (const { metadata } of made)
          expect(metadata.annotations?.['helm.sh/hook-delete-policy']).toMatch(/,hook-succeeded$/);
        // Only values of the migration, no keys of processes.
        for (const { stringData } of made)
          expect(Object.keys(stringData ?? {}).sort()).toEqual([
            'DATABASE_PASSWORD_AUTH',
            'DATABASE_PASSWORD_DIRECTORY',
            'DATABASE_PASSWORD_PROVISIONING',
            'DATABASE_URL_MIGRATE',
          ]);
      }
      expect(workloadsIn(manifests).filter(isHook)).toEqual(ofKind(manifests, 'Job'));
    }
  });

  withHelm('An image with a digest is pinned to it, and other images keep their tag.', () => {
    const digest = `sha256:${'b'.repeat(64)}`;
    const manifests = render({
      'image.registry': 'registry.example.com',
      'image.digests.auth': digest,
      'image.tag': '9.9.9',
    });
    const imageOf = (name: string) => podOf(find(manifests, 'Deployment', name)).spec.containers[0].image;
    expect(imageOf('auth')).toBe(`registry.example.com/ostiary/auth@${digest}`);
    expect(imageOf('gateway')).toBe('registry.example.com/ostiary/gateway:9.9.9');
  });

  withHelm('A number is rendered without an exponent, for one process and for all of them.', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ostiary-values-'));
    try {
      const file = join(folder, 'values.yaml');
      const config = { SECURITY_LOG_RETENTION_SECONDS: 31536000, OTEL_TRACES_SAMPLER_ARG: 0.25 };
      writeFileSync(file, JSON.stringify({ config, auth: { config: { DATABASE_POOL_SIZE: 1000000 } } }));
      const manifests = manifestsIn(template(['--values', file]));
      expect(find(manifests, 'ConfigMap', 'ostiary').data).toMatchObject({
        SECURITY_LOG_RETENTION_SECONDS: '31536000',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      });
      const { env } = podOf(find(manifests, 'Deployment', 'auth')).spec.containers[0];
      expect(env).toContainEqual({ name: 'DATABASE_POOL_SIZE', value: '1000000' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  withHelm('Only a changed setting, secret or revision restarts the processes.', () => {
    const pods = (values: Record<string, string>) =>
      JSON.stringify(ofKind(render(values), 'Deployment').map((one) => podOf(one).metadata));
    expect(pods({})).toBe(pods({ 'gateway.autoscaling.max': '50' }));
    expect(pods({})).not.toBe(pods({ 'config.LOG_LEVEL': 'debug' }));
    expect(pods({})).not.toBe(pods({ 'secrets.revision': '2' }));
    const created = Object.fromEntries(
      Object.entries({ ...secretValues, create: '' }).map(([key, value]) =>
        key === 'create' ? ['secrets.create', 'true'] : [`secrets.values.${key}`, value],
      ),
    );
    expect(pods(created)).not.toBe(pods({ ...created, 'secrets.values.STREAM_KEY': 'another' }));
  });

  withHelm('The Prometheus rules of the chart are the alerts of the documentation.', () => {
    const manifests = render({ 'monitoring.prometheusRule': 'true', 'monitoring.podMonitor': 'true' });
    const alerts = parse(readFileSync(join(root, 'docs/monitoring/alerts.yaml'), 'utf8')) as object;
    expect(find(manifests, 'PrometheusRule', 'ostiary').spec).toEqual(alerts);
    const { podMetricsEndpoints } = find(manifests, 'PodMonitor', 'ostiary').spec as {
      podMetricsEndpoints: { port: string }[];
    };
    for (const deployment of ofKind(manifests, 'Deployment')) {
      const named = podOf(deployment).spec.containers[0].ports?.map(({ name }) => name);
      expect(named).toContain(podMetricsEndpoints[0]?.port);
    }
  });
});
