import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isConfidential, migrationEnv } from '@ostiary/service';
import { parseAllDocuments } from 'yaml';
import { env as gateway } from '../../../gateway/src/env.ts';
import { env as auth } from '../../../services/auth/src/env.ts';
import { env as directory } from '../../../services/directory/src/env.ts';
import { env as guard } from '../../../services/guard/src/env.ts';
import { env as provisioning } from '../../../services/provisioning/src/env.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: unknown;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

interface SecretItems {
  name: string;
  optional?: boolean;
  items: { key: string; path: string }[];
}

interface Reference {
  name: string;
  key: string;
  optional?: boolean;
}

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}

export interface Container {
  name: string;
  image: string;
  command?: string[];
  env: { name: string; value?: string; valueFrom?: { secretKeyRef: Reference } }[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: Record<string, unknown>;
  resources: { requests?: Record<string, string>; limits?: Record<string, string> };
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  startupProbe?: Probe;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}

export interface Pod {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    serviceAccountName: string;
    securityContext: Record<string, unknown>;
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds?: number;
    topologySpreadConstraints?: {
      topologyKey: string;
      labelSelector: { matchLabels: Record<string, string> };
    }[];
    containers: [Container];
    volumes: { name: string; projected?: { sources: { secret: SecretItems }[] } }[];
  };
}

export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);

/** Returns the manifests of a folder of k8s/. */
export const manifestsOf = (folder: string): Manifest[] =>
  globSync('*.yaml', { cwd: join(root, 'k8s', folder) })
    .filter((file) => !['kustomization.yaml', 'values.yaml'].includes(file))
    .sort()
    .flatMap((file) => manifestsIn(readFileSync(join(root, 'k8s', folder, file), 'utf8')));

export const ofKind = (manifests: readonly Manifest[], ...kinds: string[]): Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));

export function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
}

export const podOf = ({ spec }: Manifest): Pod => (spec as { template: Pod }).template;

export const workloadsIn = (manifests: readonly Manifest[]): Manifest[] =>
  ofKind(manifests, 'Deployment', 'Job');

export const processes = ['auth', 'directory', 'provisioning', 'gateway'] as const;
export type ProcessName = (typeof processes)[number] | 'guard';

/** Returns the processes of a variant, with the guard if it is deployed. */
export const processesOf = (manifests: readonly Manifest[]): readonly ProcessName[] =>
  manifests.some(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'guard')
    ? [...processes, 'guard']
    : processes;

/** Returns the environment that a workload gets from its ConfigMap. */
export function configOf(manifests: readonly Manifest[], workload: Manifest): Record<string, string> {
  const [from] = podOf(workload).spec.containers[0].envFrom ?? [];
  return from === undefined ? {} : (find(manifests, 'ConfigMap', from.configMapRef.name).data ?? {});
}

type Specs = Readonly<Record<string, object>>;

/** Returns the variables that a workload's program reads, from its own specification. */
export function specsOf({ kind, metadata }: Pick<Manifest, 'kind' | 'metadata'>): Specs {
  const own: Record<ProcessName, Specs> = { auth, directory, provisioning, gateway, guard };
  return kind === 'Job' ? migrationEnv : own[metadata.name as ProcessName];
}

export const secretsOf = (specs: Specs): string[] =>
  Object.keys(specs).filter((name) => isConfidential(specs[name]));

export const requiredOf = (specs: Specs): string[] =>
  Object.keys(specs).filter((name) => !('default' in (specs[name] as object)));

/** Secret of a container: name of the variable or file, and reference. */
export interface Given {
  variable: string;
  from: Reference;
}

const mountedAt = '/run/secrets/ostiary/';

/** Returns every entry of a Secret that reaches a container as an environment variable or file, with its name there. */
export function givenTo({ spec }: Pod): { known: Given[]; unreadFiles: string[]; missingFiles: string[] } {
  const [container] = spec.containers;
  const known = container.env.flatMap(({ name, valueFrom }): Given[] =>
    valueFrom ? [{ variable: name, from: valueFrom.secretKeyRef }] : [],
  );
  const files = spec.volumes.flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ secret: { name, optional, items } }) =>
      items.map(({ key, path }) => ({ path, from: { name, key, ...(optional && { optional }) } })),
    ),
  );
  const named = container.env.flatMap(({ name, value }) =>
    value?.startsWith(mountedAt)
      ? [{ variable: name.replace(/_FILE$/, ''), path: value.slice(mountedAt.length) }]
      : [],
  );
  for (const { variable, path } of named) {
    const file = files.find((one) => one.path === path);
    if (file) known.push({ variable, from: file.from });
  }
  return {
    known,
    unreadFiles: files.filter(({ path }) => !named.some((one) => one.path === path)).map(({ path }) => path),
    missingFiles: named.filter(({ path }) => !files.some((one) => one.path === path)).map(({ path }) => path),
  };
}
