import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { parse } from 'yaml';
import { parseDockerfile } from '../images/dockerfile.ts';
import { workflowParser } from './workflow-parser.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const paths = globSync(join(root, '.github/workflows/*.yml')).toSorted();
const names = paths.map((path) => basename(path));
const textOf = (name: string): string => readFileSync(join(root, '.github/workflows', name), 'utf8');

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  'runs-on': string;
  container?: { image: string; options: string };
  'timeout-minutes'?: number;
  permissions?: Record<string, string>;
  needs?: string | string[];
  strategy?: { matrix: Record<string, string[]> };
  steps: Step[];
}

interface Workflow {
  on: Record<string, unknown>;
  permissions?: Record<string, string>;
  concurrency?: { group: string };
  jobs: Record<string, Job>;
}

const workflowOf = (name: string): Workflow => parse(textOf(name)) as Workflow;
const jobsOf = (name: string): [string, Job][] => Object.entries(workflowOf(name).jobs);
const stepsOf = (name: string): Step[] => jobsOf(name).flatMap(([, job]) => job.steps);
const release = workflowOf('release.yml');

let folder: string;
let errorsOf: (name: string, content: string) => Promise<string[]>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ostiary-workflows-'));
  errorsOf = await workflowParser(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('The repository has workflows for tests, images and releases.', () => {
  expect(names).toEqual(['images.yml', 'release.yml', 'test.yml']);
});

describe('workflows', () => {
  test.each(names)("The workflow %s is valid by GitHub's parser.", async (name) => {
    expect(await errorsOf(name, textOf(name))).toEqual([]);
  });

  test.each([
    ['a permission that there is none of', /contents: read/, 'contnts: read'],
    ['a key that steps don’t have', /- run: npm ci/, '- run: npm ci\n        shel: bash'],
    ['a context that there is none of', /github\.ref/, 'githb.ref'],
    ['no machine to run on', /runs-on: .*/, 'run-on: ubuntu-24.04'],
  ])('The validation rejects a workflow with %s.', async (_what, right, wrong) => {
    expect(await errorsOf('test.yml', textOf('test.yml').replace(right, wrong))).not.toEqual([]);
  });

  const actionlint = spawnSync('actionlint', ['-version']).status === 0;
  if (!actionlint) recordSkip('actionlint is not on the PATH');
  (actionlint ? test : test.skip)('The workflows have no mistakes that actionlint finds.', () => {
    expect(execFileSync('actionlint', paths, { encoding: 'utf8' })).toBe('');
  });

  test.each(names)('The workflow %s pins actions to commits, with the version in a comment.', (name) => {
    const used = [...textOf(name).matchAll(/uses: (.*)$/gm)].map(([, use]) => use);
    expect(used.length).toBeGreaterThan(0);
    for (const use of used) expect(use).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('All uses of an action are pinned to the same commit.', () => {
    const used = new Set(names.flatMap((name) => stepsOf(name).flatMap(({ uses }) => uses ?? [])));
    expect(new Set([...used].map((use) => use.split('@')[0])).size).toBe(used.size);
  });

  test.each(names)(
    'The workflow %s has read permissions only, except in jobs that declare write permissions.',
    (name) => {
      const { permissions } = workflowOf(name);
      expect([{}, { contents: 'read' }]).toContainEqual(permissions);
      if (name !== 'release.yml') for (const [, job] of jobsOf(name)) expect(job.permissions).toBeUndefined();
    },
  );

  test('A release writes packages in one job and the release in another.', () => {
    const writes = (job: string) =>
      Object.entries(release.jobs[job]?.permissions ?? {})
        .filter(([, may]) => may === 'write')
        .map(([what]) => what)
        .sort();
    expect(release.permissions).toEqual({});
    expect(Object.fromEntries(Object.keys(release.jobs).map((job) => [job, writes(job)]))).toEqual({
      test: [],
      upgrade: [],
      image: ['attestations', 'id-token', 'packages'],
      publish: ['attestations', 'contents', 'id-token'],
      package: [],
      npm: ['id-token'],
    });
  });

  test('No third-party package runs in a job that may write or sign.', () => {
    const privileged = Object.values(release.jobs).filter(({ permissions }) =>
      Object.values(permissions ?? {}).includes('write'),
    );
    expect(privileged).toHaveLength(3);
    // A publication of a packed file without its scripts runs no code of a package.
    const publication = /^ *npm publish \.\/\S+\.tgz .*--ignore-scripts.*$/m;
    for (const run of privileged.flatMap(({ steps }) => steps.map((step) => step.run ?? '')))
      expect(run.replace(publication, '')).not.toMatch(/\b(npm|npx|corepack|yarn|pnpm) /);
  });

  test.each(names)('The workflow %s limits duration and concurrency.', (name) => {
    expect(workflowOf(name).concurrency?.group).toContain('github.ref');
    for (const [, job] of jobsOf(name)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60);
  });

  test.each(names)('The workflow %s stores no credentials and puts no expression into a script.', (name) => {
    for (const { uses, run, with: given, env } of stepsOf(name)) {
      if (uses?.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false);
      if (uses?.startsWith('actions/setup-node@')) expect(given?.['package-manager-cache']).toBe(false);
      expect(run ?? '').not.toContain('${{');
      // A secret on a command line is visible to other programs and in the shell's trace.
      expect(run ?? '').not.toMatch(/--password[ =]|set -x/);
      for (const value of Object.values(env ?? {}))
        expect([value, /secrets\.(?!GITHUB_TOKEN)/.test(value)]).toEqual([value, false]);
    }
    expect(workflowOf(name).on).not.toHaveProperty('pull_request_target');
  });

  test.each(names)('The workflow %s runs only existing scripts and files.', (name) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const { run = '' } of stepsOf(name)) {
      for (const [, script = ''] of run.matchAll(/npm run ([\w:-]+)/g))
        expect(Object.keys(scripts)).toContain(script);
      for (const [file] of run.matchAll(/(?<![\w/.-])(scripts\/[\w./-]+|\.ci\/run)/g))
        expect([file, existsSync(join(root, file))]).toEqual([file, true]);
    }
  });

  test('The test workflow runs the tests of the project, and a release runs them before it publishes.', () => {
    expect(stepsOf('test.yml').some(({ run }) => run === '.ci/run')).toBe(true);
    expect(release.jobs.test?.steps.some(({ run }) => run === '.ci/run')).toBe(true);
    expect([release.jobs.image?.needs, release.jobs.publish?.needs]).toEqual([['test', 'upgrade'], 'image']);
  });

  test('A release tests the upgrade from the previous one with the whole history, and fails if that is skipped.', () => {
    const steps = release.jobs.upgrade?.steps ?? [];
    expect(steps[0]?.with?.['fetch-depth']).toBe(0);
    expect(steps.at(-1)?.run).toBe('npm run upgrade-test -- --orders 1 --required');
  });
});

describe('prerequisites of the tests', () => {
  test.each(['test.yml', 'release.yml'])(
    'The workflow %s runs the tests as root on Debian 12, whose packages they need, and requires them.',
    (name) => {
      const job = workflowOf(name).jobs.test;
      expect(job?.container).toEqual({ image: 'node:24-bookworm', options: '--privileged --init' });
      const run = job?.steps.find((step) => step.run === '.ci/run');
      const required = run?.env?.OSTIARY_REQUIRED_TESTS?.split(' ') ?? [];
      expect(required).toEqual(
        expect.arrayContaining(['e2e/engines/', 'e2e/alerts/', 'e2e/images/', 'e2e/start/']),
      );
      for (const beginning of required)
        expect([beginning, globSync(`${beginning}**/*.test.ts`, { cwd: root }).length > 0]).toEqual([
          beginning,
          true,
        ]);
    },
  );

  /** Runs .ci/run with programs that only record their arguments, as the user with this id. */
  const installing = (user: string, programs: readonly string[]): { output: string; calls: string[] } => {
    const bin = mkdtempSync(join(folder, 'bin-'));
    const needed = 'bash dirname mktemp tee grep tail rm env timeout';
    const paths = execFileSync('which', needed.split(' '), { encoding: 'utf8' }).trim();
    for (const path of paths.split('\n')) symlinkSync(path, join(bin, basename(path)));
    const calls = join(bin, 'calls');
    const write = (program: string, text: string) =>
      writeFileSync(join(bin, program), `#!${join(bin, 'bash')}\n${text}\n`, { mode: 0o755 });
    write('id', `echo ${user}`);
    write('npm', "echo '1 passed, 0 failed'");
    write('apt-get', `echo "\${SUDO_USER:-root} apt-get $*" >> ${calls}`);
    if (programs.includes('sudo')) write('sudo', '[ "$1" = -n ] || exit 1; shift; SUDO_USER=sudo exec "$@"');
    const { stdout } = spawnSync(join(bin, 'bash'), ['.ci/run'], {
      cwd: root,
      env: { PATH: bin },
      encoding: 'utf8',
    });
    return { output: stdout, calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [] };
  };

  test('.ci/run installs the packages as root, or with sudo as another user.', () => {
    const root = installing('0', []);
    expect(root.calls).toEqual([
      expect.stringMatching(/^root apt-get install -y .*\bredis-server\b.*\bpgbouncer\b/),
    ]);
    expect(root.output).toMatch(/1 passed, 0 failed\n$/);
    expect(installing('1000', ['sudo']).calls).toEqual([
      expect.stringMatching(/^sudo apt-get install -y .*\bredis-server\b/),
    ]);
  });

  test('Without root and sudo .ci/run reports the packages and runs the tests.', () => {
    const { calls, output } = installing('1000', []);
    expect(calls).toEqual([]);
    expect(output).toMatch(/redis-server .*could not be installed[\s\S]*1 passed, 0 failed\n$/);
  });
});

describe('releases', () => {
  const targets = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
    .filter(({ from }) => from === 'runtime')
    .map(({ name }) => name)
    .sort();
  const runs = (job: string): string =>
    (release.jobs[job]?.steps ?? []).map(({ run }) => run ?? '').join('\n');

  test('A release has every image of the Dockerfile, and the image workflow builds every image.', () => {
    expect([...(release.jobs.image?.strategy?.matrix.name ?? [])].sort()).toEqual(targets);
    const [, looped = ''] = /for target in (.*); do/.exec(textOf('images.yml')) ?? [];
    expect(looped.split(' ').sort()).toEqual(targets);
    const [, gathered = ''] = /for name in (.*); do/.exec(runs('publish')) ?? [];
    expect(gathered.split(' ').sort()).toEqual(targets);
  });

  test('The image workflow runs when a file changes that the Dockerfile copies.', () => {
    const copied = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
      .filter(({ name }) => name === 'source')
      .flatMap(({ instructions }) => instructions.filter(({ keyword }) => keyword === 'COPY'))
      .flatMap(({ words }) => words.slice(0, -1))
      .map((path) => (statSync(join(root, path)).isDirectory() ? `${path}/**` : path));
    expect(copied).toEqual(expect.arrayContaining(['services/**', 'package-lock.json', '.npmrc']));
    const { push, pull_request: pull } = workflowOf('images.yml').on as Record<string, { paths: string[] }>;
    const own = ['Dockerfile', '.dockerignore', '.github/workflows/images.yml'];
    expect(push?.paths.toSorted()).toEqual([...own, ...copied].sort());
    expect(pull?.paths).toEqual(push?.paths);
  });

  test('A release and the image workflow measure each image, with the limit of the tests, before it is signed.', () => {
    const measured = 'test "$bytes" -le 220000000';
    expect(textOf('images.yml')).toContain(measured);
    const steps = release.jobs.image?.steps ?? [];
    const at = (part: string) => steps.findIndex(({ run }) => run?.includes(part));
    expect([at(measured) > at('buildx build'), at(measured) < at('cosign sign')]).toEqual([true, true]);
    expect(steps[at(measured)]?.run).toContain('for platform in linux/arm64 linux/amd64');
  });

  test('A release checks its tag, signs the pushed images by digest, and publishes the notes of the changelog.', () => {
    expect(runs('test')).toContain('release.ts --check "$GITHUB_REF_NAME"');
    expect(runs('image')).toMatch(/--provenance=mode=max --attest "type=sbom,/);
    expect(runs('image')).toContain('cosign sign --yes --recursive "$IMAGE"');
    expect(release.jobs.image?.steps.find(({ run }) => run?.includes('cosign sign'))?.env?.IMAGE).toContain(
      '.digest',
    );
    expect(runs('publish')).toContain('release.ts --notes "$GITHUB_REF_NAME"');
  });

  test('A release publishes the verifier last, from a file that a job without rights packed, with provenance and without a token.', () => {
    const { package: packing, npm } = release.jobs;
    expect([packing?.needs, npm?.needs]).toEqual([
      ['test', 'upgrade'],
      ['package', 'publish'],
    ]);
    expect([packing?.permissions, npm?.permissions]).toEqual([{ contents: 'read' }, { 'id-token': 'write' }]);
    const [uploaded] = (packing?.steps ?? []).slice(-1);
    const downloaded = npm?.steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
    expect([uploaded?.with?.name, downloaded?.with?.name]).toEqual(['verifier', 'verifier']);
    expect(runs('npm')).toMatch(/npm publish \.\/ostiary-verifier-\*\.tgz --provenance --access public /);
    expect(runs('npm')).toMatch(/\*-\*\) tag=next ;; \*\) tag=latest ;;[\s\S]*--tag "\$tag"/);
    expect(npm?.steps.flatMap(({ env }) => Object.keys(env ?? {}))).toEqual([]);
  });

  test('The builder and the SBOM generator are pinned by digest, and no Dockerfile frontend is downloaded.', () => {
    const build = release.jobs.image?.steps.find(({ run }) => run?.includes('docker buildx create'));
    expect(build?.run).toContain('docker buildx create --use --driver-opt "image=$BUILDKIT"');
    expect(build?.run).toContain('generator=$SBOM_GENERATOR');
    for (const name of ['BUILDKIT', 'SBOM_GENERATOR'])
      expect(build?.env?.[name]).toMatch(/^[\w/-]+:v?\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
    // BuildKit's built-in frontend is used: another would be an image with a tag.
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).not.toMatch(/^#\s*syntax\s*=/m);
  });

  test('The check of a tag rejects one that is not the version of the tree.', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const check = (tag: string) =>
      spawnSync(process.execPath, ['scripts/release.ts', '--check', tag], { cwd: root, encoding: 'utf8' });
    expect(check(`v${version}`).status).toBe(0);
    const refused = check('v99.0.0');
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('a version other than 99.0.0'),
    ]);
    const notes = spawnSync(process.execPath, ['scripts/release.ts', '--notes', `v${version}`], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(notes.stdout).toContain('### Upgrading');
  });
});
