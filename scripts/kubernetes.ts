// Renders k8s/ from chart/, for use without Helm: each folder from its values.yaml.
//   node scripts/kubernetes.ts            needs Helm on the PATH or in HELM_PATH:
//                                         go install helm.sh/helm/v3/cmd/helm@v3.19.0
//   node scripts/kubernetes.ts --check    only reports whether it is current; without Helm by the digests
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const folders = ['base', 'overlays/production', 'overlays/development', 'overlays/direct'] as const;
const record = 'k8s/rendered.json';
/** Minimum Kubernetes version of the chart. */
const kubeVersion = '1.30.0';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns the path of Helm; undefined without it. */
export function helmPath(): string | undefined {
  const path = process.env.HELM_PATH || 'helm';
  return spawnSync(path, ['version', '--short']).status === 0 ? path : undefined;
}

/** Renders the chart with Helm. @throws Error with Helm's message */
export function helm(args: readonly string[], path = helmPath()): string {
  if (path === undefined)
    throw new Error('Helm is missing: go install helm.sh/helm/v3/cmd/helm@v3.19.0, or set HELM_PATH.');
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr.trim());
  return stdout;
}

export const template = (args: readonly string[]): string =>
  helm(['template', 'ostiary', 'chart', '--namespace', 'ostiary', '--kube-version', kubeVersion, ...args]);

/** Returns the files of one folder by name: one for each template of the chart, and the input of kustomize. */
function rendered(folder: string): Map<string, string> {
  const parts = new Map<string, string[]>();
  for (const document of template(['--values', `k8s/${folder}/values.yaml`]).split(/^---$/m)) {
    const name = /^# Source: ostiary\/templates\/(\S+)$/m.exec(document)?.[1];
    const lines = document.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('# Source: '));
    if (name === undefined || lines.every((line) => line.startsWith('#'))) continue;
    parts.set(name, [...(parts.get(name) ?? []), lines.map((line) => line.trimEnd()).join('\n')]);
  }
  const files = new Map(
    [...parts].map(([name, documents]) => [
      name,
      `# Made from chart/templates/${name} by node scripts/kubernetes.ts\n${documents.join('\n---\n')}\n`,
    ]),
  );
  files.set(
    'kustomization.yaml',
    [
      '# Made by node scripts/kubernetes.ts. What is yours goes into an overlay on top: images, addresses, patches.',
      'apiVersion: kustomize.config.k8s.io/v1beta1',
      'kind: Kustomization',
      'namespace: ostiary',
      'resources:',
      ...[...files.keys()].sort().map((name) => `  - ${name}`),
      '',
    ].join('\n'),
  );
  return files;
}

const digestOf = (paths: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const path of [...paths].sort()) hash.update(`${path}\0${read(path)}\0`);
  return hash.digest('hex');
};

const sources = (): string[] => globSync(['chart/**/*.*', 'k8s/**/values.yaml'], { cwd: root });
const outcomes = (): string[] => globSync('k8s/**/*.yaml', { cwd: root, exclude: ['**/values.yaml'] });

/** Returns the digests of input and output. */
const recordNow = (): string =>
  `${JSON.stringify({ from: digestOf(sources()), to: digestOf(outcomes()) }, null, 2)}\n`;

/** Returns the copied parts of the chart: the alerts, and the version of the release. */
function copies(): Map<string, string> {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  return new Map([
    ['chart/files/alerts.yaml', read('docs/monitoring/alerts.yaml')],
    ['chart/Chart.yaml', read('chart/Chart.yaml').replace(/^(version|appVersion): .*$/gm, `$1: ${version}`)],
  ]);
}

/** Returns a sentence for each outdated file. */
export function outdated(): string[] {
  const wrong = [...copies()].filter(([path, text]) => read(path) !== text).map(([path]) => path);
  if (read(record) !== recordNow()) wrong.push(record);
  if (helmPath() === undefined) return wrong;
  for (const folder of folders) {
    for (const [name, text] of rendered(folder)) {
      const path = `k8s/${folder}/${name}`;
      if (!outcomes().includes(path) || read(path) !== text) wrong.push(path);
    }
  }
  return wrong;
}

function write(): void {
  for (const [path, text] of copies()) writeFileSync(join(root, path), text);
  const files = folders.map((folder) => [folder, rendered(folder)] as const);
  for (const path of outcomes()) rmSync(join(root, path));
  for (const [folder, contents] of files) {
    for (const [name, text] of contents) {
      const path = join(root, 'k8s', folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  writeFileSync(join(root, record), recordNow());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const wrong = outdated();
    if (wrong.length > 0) {
      console.error(`${wrong.join(', ')}: not what chart/ says; run node scripts/kubernetes.ts`);
      process.exit(1);
    }
  } else write();
}
