import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { EnvironmentError, parseEnv, processEnv } from '@ostiary/service';
import {
  configOf,
  find,
  givenTo,
  type Manifest,
  ofKind,
  podOf,
  processesOf,
  requiredOf,
  root,
  secretsOf,
  specsOf,
  workloadsIn,
} from './rendered.ts';
import { everyValue, variants } from './variants.ts';

/** Reports whether a key of a Secret is known. Keys with _SECOND exist only during a replacement. */
const known = (key: string): boolean => key.replace(/_SECOND$/, '') in everyValue;

const isWithin = (labels: Record<string, string>, selector: Record<string, string>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

/** Variables of the shutdown that a process reads. */
const { DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS, TERMINATION_GRACE_SECONDS } = processEnv;
const stopping = { DRAIN_SECONDS, SHUTDOWN_TIMEOUT_SECONDS, TERMINATION_GRACE_SECONDS };

/** User of the images. */
const imageUser = Number(/^USER (\d+):\d+$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.[1]);

describe.each(variants)('the workloads of %s', (_variant, manifests) => {
  const workloads = workloadsIn(manifests);
  const deployments = ofKind(manifests, 'Deployment');
  const processes = processesOf(manifests);
  const each = (check: (workload: Manifest) => unknown): unknown[] =>
    workloads.map((workload) => [workload.metadata.name, check(workload)]);
  const none = (value: unknown = []) => each(() => value);

  test('Each process has a Deployment, and each schema has a Job.', () => {
    expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual([...processes].sort());
    const jobs = ofKind(manifests, 'Job').map((job) => podOf(job).spec.containers[0].command);
    expect(jobs).toEqual(
      ['auth', 'directory', 'provisioning'].map((service) => ['node', 'scripts/migrate.mjs', service]),
    );
  });

  test('Each reference of a workload exists: its account, its ConfigMap, and each entry of a Secret.', () => {
    expect(
      each((workload) => {
        const pod = podOf(workload);
        find(manifests, 'ServiceAccount', pod.spec.serviceAccountName);
        for (const { configMapRef } of pod.spec.containers[0].envFrom ?? [])
          find(manifests, 'ConfigMap', configMapRef.name);
        const secrets = new Map(
          ofKind(manifests, 'Secret').map((secret) => [secret.metadata.name, secret.stringData ?? {}]),
        );
        return givenTo(pod).known.filter(({ from }) => {
          const own = secrets.get(from.name);
          if (own === undefined) return from.name !== 'ostiary' || !known(from.key);
          return !(from.key in own) && !from.optional;
        });
      }),
    ).toEqual(none());
  });

  test('Each process gets exactly the secrets that it reads and needs.', () => {
    expect(
      each((workload) => {
        const specs = specsOf(workload);
        const secrets = secretsOf(specs);
        const { known, unreadFiles, missingFiles } = givenTo(podOf(workload));
        const given = known.map(({ variable }) => variable);
        return {
          unneeded: given.filter((name) => !secrets.includes(name)),
          missing: requiredOf(specs).filter((name) => secrets.includes(name) && !given.includes(name)),
          twice: given.filter((name, index) => given.indexOf(name) !== index),
          unreadFiles,
          missingFiles,
        };
      }),
    ).toEqual(none({ unneeded: [], missing: [], twice: [], unreadFiles: [], missingFiles: [] }));
  });

  test('Every secret with two possible values has an optional second one.', () => {
    expect(
      each((workload) => {
        const { known } = givenTo(podOf(workload));
        const given = new Map(known.map(({ variable, from }) => [variable, from]));
        return secretsOf(specsOf(workload)).filter((name) => {
          if (!name.endsWith('_SECOND') || !given.has(name.replace(/_SECOND$/, ''))) return false;
          return given.get(name)?.optional !== true;
        });
      }),
    ).toEqual(none());
  });

  test('Secrets are referenced only: no variable, annotation or ConfigMap contains one.', () => {
    const values = Object.values(everyValue);
    const others = manifests.filter(({ kind }) => kind !== 'Secret');
    expect(values.filter((value) => JSON.stringify(others).includes(value))).toEqual([]);
    expect(
      each((workload) => {
        const secrets = secretsOf(specsOf(workload));
        return podOf(workload).spec.containers[0].env.filter(
          ({ name, value }) => secrets.includes(name) && value !== undefined,
        );
      }),
    ).toEqual(none());
  });

  test('Every variable that is set is read by the process.', () => {
    const unread = (workload: Manifest, names: readonly string[]) => {
      const specs = specsOf(workload);
      return names.filter((name) => !(name in specs) && !(name.replace(/_FILE$/, '') in specs));
    };
    expect(
      each((workload) => {
        const { env } = podOf(workload).spec.containers[0];
        const all = [...env.map(({ name }) => name), ...Object.keys(configOf(manifests, workload))];
        return unread(workload, all);
      }),
    ).toEqual(none());
  });

  test('Every workload runs without root, without privileges, on a read-only file system, and within limits.', () => {
    for (const workload of workloads) {
      const { spec } = podOf(workload);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: imageUser,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.automountServiceAccountToken).toBe(false);
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(Object.keys(container.resources.requests ?? {}).sort()).toEqual(['cpu', 'memory']);
        expect(container.resources.limits?.memory).toBeDefined();
        const writable = container.volumeMounts.filter(({ readOnly }) => !readOnly);
        expect(writable.map(({ mountPath }) => mountPath)).toEqual(['/tmp']);
      }
    }
    for (const account of ofKind(manifests, 'ServiceAccount'))
      expect(account).toMatchObject({ automountServiceAccountToken: false });
    expect(ofKind(manifests, 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding')).toEqual([]);
  });

  test("Probes and grace periods are consistent, with each process's own settings.", () => {
    for (const deployment of deployments) {
      const { spec } = podOf(deployment);
      const { startupProbe, livenessProbe, readinessProbe, ports, env } = spec.containers[0];
      const config = configOf(manifests, deployment);
      const set = (name: string): number =>
        Number(env.find((variable) => variable.name === name)?.value ?? config[name]);
      const stops = ['DRAIN_SECONDS', 'SHUTDOWN_TIMEOUT_SECONDS', 'TERMINATION_GRACE_SECONDS'] as const;
      const [drain = 0, shutdown, grace] = stops.map(set);
      expect([livenessProbe, startupProbe].map((probe) => probe?.httpGet.path)).toEqual(['/livez', '/livez']);
      const names = ports?.map(({ name }) => name);
      for (const probe of [startupProbe, livenessProbe, readinessProbe])
        expect(names).toContain(probe?.httpGet.port);
      // SIGKILL follows after the shutdown timeout of the process, which checks this itself at startup.
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + (shutdown ?? Number.NaN));
      expect(grace).toBe(spec.terminationGracePeriodSeconds);
      const given = Object.fromEntries(stops.map((name) => [name, String(set(name))]));
      expect(() => parseEnv(stopping, given)).not.toThrow();
      expect(() => parseEnv(stopping, { ...given, DRAIN_SECONDS: String(grace) })).toThrow(EnvironmentError);
      // The readiness probe fails before a draining process stops to respond.
      const { periodSeconds = 0, failureThreshold = 0, timeoutSeconds = 0 } = readinessProbe ?? {};
      if (drain > 0) expect(periodSeconds * failureThreshold + timeoutSeconds).toBeLessThan(drain);
      // A slow start has one minute, a hanging process less.
      const { periodSeconds: every = 0, failureThreshold: tries = 0 } = startupProbe ?? {};
      expect(every * tries).toBeGreaterThanOrEqual(60);
    }
  });

  test('A pod becomes unready for failures of its own, not for an engine that rejects all pods.', () => {
    for (const deployment of deployments) {
      const [container] = podOf(deployment).spec.containers;
      const probe = new URL(container.readinessProbe?.httpGet.path ?? '', 'http://pod');
      expect([probe.pathname, [...probe.searchParams.keys()]]).toEqual(['/readyz', ['tolerate']]);
      expect(probe.searchParams.get('tolerate')?.split(',').sort()).toEqual(
        ['cannot_save', 'disk_full', 'out_of_memory', 'too_few_replicas'].sort(),
      );
    }
    // It would route requests to pods that do not listen yet, or no longer.
    for (const { spec } of ofKind(manifests, 'Service'))
      expect(spec).not.toHaveProperty('publishNotReadyAddresses');
  });

  test('Services and disruption budgets select their pods, on existing ports.', () => {
    for (const name of processes) {
      const pod = podOf(find(manifests, 'Deployment', name));
      const { labels } = pod.metadata;
      const service = find(manifests, 'Service', name).spec as {
        selector: Record<string, string>;
        ports: { port: number; targetPort: string }[];
      };
      const budget = find(manifests, 'PodDisruptionBudget', name).spec as {
        selector: { matchLabels: Record<string, string> };
      };
      const { selector } = find(manifests, 'Deployment', name).spec as typeof budget;
      for (const wanted of [service.selector, budget.selector.matchLabels, selector.matchLabels])
        expect(isWithin(labels, wanted)).toBe(true);
      const others = workloads.filter(({ metadata }) => metadata.name !== name);
      for (const other of others)
        expect(isWithin(podOf(other).metadata.labels, service.selector)).toBe(false);
      const ports = pod.spec.containers[0].ports ?? [];
      expect(service.ports.map(({ port, targetPort }) => [port, targetPort])).toEqual([
        [ports.find((one) => one.name === 'http')?.containerPort, 'http'],
      ]);
      const spread = pod.spec.topologySpreadConstraints ?? [];
      expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      for (const { labelSelector } of spread) expect(isWithin(labels, labelSelector.matchLabels)).toBe(true);
    }
  });

  test('The number of pods is set only by the autoscaler if there is one.', () => {
    for (const name of processes) {
      const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(
        ({ metadata }) => metadata.name === name,
      );
      const { replicas } = find(manifests, 'Deployment', name).spec as { replicas?: number };
      expect([name, replicas === undefined]).toEqual([name, scaler !== undefined]);
      if (scaler)
        expect(scaler.spec).toMatchObject({
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        });
    }
  });

  test('Other services are called at the port of their Service.', () => {
    for (const deployment of deployments) {
      for (const { name, value = '' } of podOf(deployment).spec.containers[0].env) {
        const called = /^(AUTH|DIRECTORY|PROVISIONING)_URL$/.exec(name)?.[1]?.toLowerCase();
        if (called === undefined) continue;
        const { ports } = find(manifests, 'Service', called).spec as { ports: { port: number }[] };
        expect(value).toBe(`http://${called}:${ports[0]?.port}`);
      }
    }
  });
});

test('The guard is deployed where it is enabled, with its rules.', () => {
  const having = variants.filter(([, manifests]) => processesOf(manifests).includes('guard'));
  expect(having.map(([name]) => name)).toEqual(
    variants.map(([name]) => name).filter((name) => /overlays\/guard|everything/.test(name)),
  );
  for (const [, manifests] of having) {
    const { 'guard.json': rules = '' } = find(manifests, 'ConfigMap', 'guard-rules').data ?? {};
    expect((JSON.parse(rules) as { hosts: object[] }).hosts.length).toBeGreaterThan(0);
    const { RULES_PATH } = configOf(manifests, find(manifests, 'Deployment', 'guard'));
    const [container] = podOf(find(manifests, 'Deployment', 'guard')).spec.containers;
    expect(container.volumeMounts.map(({ mountPath }) => `${mountPath}/guard.json`)).toContain(RULES_PATH);
  }
});

test('A superfluous secret of a workload is detected.', () => {
  const [, manifests = []] = variants[0] ?? [];
  const gateway = structuredClone(find(manifests, 'Deployment', 'gateway'));
  podOf(gateway).spec.containers[0].env.push({
    name: 'ENCRYPTION_KEY',
    valueFrom: { secretKeyRef: { name: 'ostiary', key: 'ENCRYPTION_KEY' } },
  });
  const secrets = secretsOf(specsOf(gateway));
  const given = givenTo(podOf(gateway)).known.map(({ variable }) => variable);
  expect(given.filter((name) => !secrets.includes(name))).toEqual(['ENCRYPTION_KEY']);
});
