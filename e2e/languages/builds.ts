import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { codeBlocksOf } from '../start/code-blocks.ts';

const run = promisify(execFile);

/** Returns a function for the only code block of a guide in a language that contains `part`. */
export function codeIn(page: string): (language: string, part?: string) => string {
  const blocks = codeBlocksOf(page);
  return (language, part = '') => {
    const found = blocks.filter((block) => block.language === language && block.text.includes(part));
    if (found.length !== 1) throw new Error(`${found.length} blocks of ${language} contain ${part}`);
    return found[0]?.text ?? '';
  };
}

export const isRun = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** Source files by path. */
type Sources = Readonly<Record<string, string>>;

async function written(folder: string, sources: Sources): Promise<void> {
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

export interface GoProgram {
  /** Commands of the guide that create the module and build the program. */
  commands: string;
  sources: Sources;
}

/** Builds a program with Go. @param offline whether modules come from the cache only */
export async function buildWithGo(
  folder: string,
  { commands, sources }: GoProgram,
  offline: boolean,
): Promise<void> {
  await written(folder, sources);
  const cache = offline ? { GOPROXY: 'off', GOSUMDB: 'off' } : {};
  await run('bash', ['-euc', commands], {
    cwd: folder,
    env: { ...process.env, GOFLAGS: '-mod=mod', ...cache },
  });
}

/** Returns the missing prerequisite of a build with Go. */
export function missingForGo(commands: string): string | undefined {
  if (!isRun('go', 'version')) return 'go is not on the PATH';
  const cache = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).stdout.trim();
  const modules = [...commands.matchAll(/(\S+)@(v\S+)/g)];
  const absent = modules.find(
    ([, name = '', version]) => !existsSync(join(cache, 'cache/download', name, `@v/${version}.zip`)),
  );
  return absent && `${absent[0]} is not in Go's cache (npm run libraries)`;
}

/** Builds a program with Maven. @param offline whether packages come from the local repository only */
export async function buildWithMaven(folder: string, sources: Sources, offline: boolean): Promise<void> {
  await written(folder, sources);
  await run('mvn', ['-q', '-B', ...(offline ? ['-o'] : []), 'package'], { cwd: folder });
}

/** Returns the missing prerequisite of a build with Maven and a starter of Spring Boot. */
export function missingForSpring(pom: string, starter: string): string | undefined {
  if (!isRun('mvn', '--version')) return 'mvn is not on the PATH';
  const version = /<version>([\d.]+)</.exec(pom)?.[1] ?? '';
  const jar = join('org/springframework/boot', starter, version, `${starter}-${version}.jar`);
  if (existsSync(join(homedir(), '.m2/repository', jar))) return undefined;
  return `${starter} ${version} is not in Maven's repository (npm run libraries)`;
}
