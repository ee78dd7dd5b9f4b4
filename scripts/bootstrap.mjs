/**
 * Runs before `npm start`, `npm test`, `npm run bench` and other commands, on the installed Node (20 or newer) without
 * dependencies: provides a recent Node, the dependencies and the build, then starts the command.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const neededMajor = 24;
const begun = Date.now();
const dependencyStamp = join(root, 'node_modules', '.ostiary-dependencies');
const buildStamp = join(root, 'node_modules', '.ostiary-build');

const [command, ...flags] = process.argv.slice(2);
const programs = {
  start: 'scripts/start.ts',
  test: 'scripts/test.ts',
  jest: 'node_modules/jest/bin/jest.js',
  bench: 'bench/run.ts',
  chaos: 'e2e/chaos/main.ts',
  'upgrade-test': 'e2e/upgrade/main.ts',
  'audit:invariants': 'scripts/audit-invariants.ts',
  'reapply-departures': 'scripts/reapply-departures.ts',
  images: 'e2e/images/main.ts',
  release: 'scripts/release.ts',
  libraries: 'e2e/languages/fetch-libraries.ts',
  docs: 'node_modules/vitepress/bin/vitepress.js',
  'lint:layers': 'scripts/layers.ts',
  'lint:prose': 'scripts/prose.ts',
};
/** Commands that read the sources and need no build. */
const readsSources = ['docs', 'libraries', 'lint:layers', 'lint:prose'];
if (!Object.hasOwn(programs, command ?? '')) {
  refuse(`Usage: node scripts/bootstrap.mjs ${Object.keys(programs).join('|')} [flags]`);
}

let child;
let stopping = false;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    stopping = true;
    child?.kill(name);
  });
}
watchNpm();

const node = await recentNode();
const env = {
  ...process.env,
  PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  OSTIARY_BEGUN: String(begun),
};
await dependencies();
if (!readsSources.includes(command)) await build();
await handOver();

function say(message) {
  process.stdout.write(`${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${message}\n`);
}

function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** Exits when npm ends: a killed npm cannot forward a signal, but this process or its shell gets another parent. */
function watchNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const lineage = () => {
    const stat = read(`/proc/${process.ppid}/stat`);
    return `${process.ppid} ${stat?.slice(stat.lastIndexOf(')')).split(' ')[2]}`;
  };
  const born = lineage();
  setInterval(() => {
    if (lineage() === born) return;
    stopping = true;
    child?.kill('SIGTERM');
  }, 1_000).unref();
}

/** Returns this Node if it is recent enough, otherwise one from the npm registry, installed once. */
async function recentNode() {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath;
  const folder = join(root, '.ostiary', 'runtime');
  const inside = [
    join(folder, 'node_modules', 'node', 'bin', 'node'),
    join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node'),
  ];
  const usable = () =>
    inside.find((path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0);
  const present = usable();
  if (present !== undefined) return present;
  say(`Downloading Node ${neededMajor} from the npm registry (found ${process.versions.node})`);
  makeFolder(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  let output = '';
  // The second package is the one that the install script of the first downloads, for machines without install scripts.
  for (const name of [`node@${neededMajor}`, `node-${process.platform}-${process.arch}@${neededMajor}`]) {
    const result = await npm(
      process.execPath,
      ['install', '--prefix', folder, '--no-save', name],
      process.env,
      folder,
    );
    output = result.output;
    const fetched = usable();
    if (fetched !== undefined) return fetched;
  }
  return refuse(
    `Node ${neededMajor} is required and could not be downloaded from the npm registry (${reason(output)}). Install it from https://nodejs.org and try again.`,
  );
}

/** Installs the versions of package-lock.json, unless they are installed. */
async function dependencies() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256')
    .update(lock)
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');
  if (read(dependencyStamp) === wanted) return;
  if (!alreadyInstalled(JSON.parse(lock.toString()))) {
    say('Installing dependencies (npm ci)');
    const include = ['--include=dev', '--include=optional', '--prefer-offline'];
    let result = await npm(node, ['ci', ...include], env, root);
    // npm ci rejects a lock file without the optional binaries of other platforms. npm install accepts it and installs
    // the same locked versions for this platform.
    if (result.code !== 0 && /can only install packages when your package\.json/.test(result.output)) {
      result = await npm(node, ['install', '--no-save', ...include], env, root);
    }
    if (result.code !== 0) refuse(`Installing the dependencies failed: ${reason(result.output)}`);
  }
  remember(dependencyStamp, wanted);
}

/** Compares npm's lock file of node_modules, which also covers a manual installation. */
function alreadyInstalled(lock) {
  const hidden = read(join(root, 'node_modules', '.package-lock.json'));
  if (hidden === undefined) return false;
  const installed = JSON.parse(hidden).packages;
  return Object.entries(lock.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.link === entry.link && existsSync(join(root, path));
  });
}

/** Builds changed packages. Without a changed source, the build tool is not started. */
async function build() {
  const wanted = sourcesDigest();
  if (read(buildStamp) === wanted && outputsExist()) return;
  say('Building');
  removeStaleSchemas();
  const turbo = join(root, 'node_modules', '.bin', 'turbo');
  const result = await run(turbo, ['run', 'build', '--output-logs=errors-only', '--no-update-notifier'], {
    cwd: root,
    env: { ...env, TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' },
    every: 'still building',
  });
  if (stopping) process.exit(130);
  if (result.code !== 0) {
    process.stdout.write(result.output);
    refuse('The build failed. The errors are printed above.');
  }
  remember(buildStamp, wanted);
}

/**
 * Deletes schemas in dist without a source. Turbo's cache restores a build without deleting old files, and a service
 * reads every schema in the folder.
 */
function removeStaleSchemas() {
  for (const path of packages()) {
    const dist = join(root, path, 'dist');
    if (!existsSync(dist)) continue;
    for (const file of readdirSync(dist, { recursive: true })) {
      if (file.endsWith('.graphql') && !existsSync(join(root, path, 'src', file))) rmSync(join(dist, file));
    }
  }
}

function packages() {
  const inside = (folder) =>
    existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => join(folder, name)) : [];
  return [...inside('libs'), ...inside('services'), 'console', 'gateway', 'cli'].filter((path) =>
    existsSync(join(root, path, 'package.json')),
  );
}

/** Returns a digest of path, size and time of every input of a build, which takes milliseconds. */
function sourcesDigest() {
  const digest = createHash('sha256');
  const add = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort())
        if (name !== 'generated') add(join(path, name));
    } else if (stat !== undefined) digest.update(`${path} ${stat.size} ${stat.mtimeMs}\n`);
  };
  const shared = ['package-lock.json', 'tsconfig.base.json', 'turbo.json'];
  for (const name of [...shared, 'scripts/copy-assets.mjs', 'scripts/bundle.mjs', 'scripts/bundle'])
    add(name);
  for (const path of packages()) {
    for (const name of [
      'src',
      'index.html',
      'vite.config.ts',
      'prisma',
      'package.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'prisma.config.ts',
      'supergraph.graphql',
    ]) {
      add(join(path, name));
    }
  }
  return digest.digest('hex');
}

function outputsExist() {
  return packages().every((path) => existsSync(join(root, path, 'dist')));
}

/** Runs the program in a child process on the recent Node, and exits with its exit code. */
async function handOver() {
  if (stopping) process.exit(130);
  const nodeFlags = ['--disable-warning=ExperimentalWarning'];
  child = spawn(node, [...nodeFlags, join(root, programs[command]), ...flags], {
    cwd: command === 'jest' ? process.cwd() : root,
    env,
    // The channel closes when this process ends, even by SIGKILL, which the child detects.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.once('error', (error) => refuse(`${node} could not be started: ${error.message}`));
  child.once('exit', (code) => process.exit(code ?? 1));
}

function npm(runtime, args, environment, cwd) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--no-progress'];
  const script = process.env.npm_execpath;
  const viaScript = script !== undefined && /\.c?js$/.test(script) && existsSync(script);
  return run(viaScript ? runtime : 'npm', [...(viaScript ? [script] : []), ...args, ...quiet], {
    cwd,
    // npm's settings of the outer command (a workspace, a prefix) must not affect this one.
    env: Object.fromEntries(
      Object.entries(environment).filter(
        ([name]) =>
          !/^npm_(config_(local_prefix|prefix|workspace|workspaces|global)|package_|lifecycle_)/.test(name),
      ),
    ),
    every: 'still installing',
  });
}

/** Runs a program with a progress message every few seconds, and returns its exit code and output. */
function run(program, args, { cwd, env: environment, every }) {
  return new Promise((resolve) => {
    let output = '';
    child = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const collect = (chunk) => {
      output = (output + chunk).slice(-200_000);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const heartbeat = setInterval(() => say(`... ${every}`), 10_000);
    const settle = (code) => {
      clearInterval(heartbeat);
      child = undefined;
      if (stopping) process.exit(130);
      resolve({ code, output });
    };
    child.once('error', (error) => {
      output += error.message;
      settle(1);
    });
    child.once('close', settle);
  });
}

/** Returns the line of npm's output with the error. */
function reason(output) {
  if (/ENOSPC|no space left/i.test(output)) return `the disk that holds ${root} is full`;
  const lines = output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
    .filter((line) => line !== '' && !/^(code|errno|syscall|path) |A complete log|^npm warn/.test(line));
  return lines[0]?.replace(/\.$/, '') ?? 'unknown reason';
}

function makeFolder(path) {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    refuse(`Cannot create the folder ${path} (${error.code}).`);
  }
}

/** Errors are ignored, because the file only saves time in the next run. */
function remember(path, text) {
  try {
    writeFileSync(path, text);
  } catch {}
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
