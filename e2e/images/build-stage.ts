/** Runs the steps of the build stage on the files that `docker build` would receive, without its image. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, matchesGlob, relative } from 'node:path';
import { builtHere, type Sources } from './assemble.ts';
import { type Instruction, lineageOf, type Stage } from './dockerfile.ts';

/**
 * Runs the steps of the stage `build` with this machine's Node and network. @param folder target; must not exist
 * @returns the function that maps paths of the stage
 */
export function buildFromContext(root: string, stages: readonly Stage[], folder: string): Sources['pathIn'] {
  const ignored = ignoredBy(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const env: Record<string, string> = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: process.env.HOME ?? folder,
  };
  let workdir = folder;
  for (const { keyword, words, text, ...rest } of lineageOf(stages, 'build').flatMap(
    ({ instructions }) => instructions,
  )) {
    if (keyword === 'WORKDIR') {
      workdir = join(folder, text);
      mkdirSync(workdir, { recursive: true });
    } else if (keyword === 'ENV')
      for (const word of words) env[word.split('=')[0] ?? ''] = word.slice(word.indexOf('=') + 1);
    else if (keyword === 'COPY') copyFromContext(root, workdir, { keyword, words, text, ...rest }, ignored);
    else if (keyword === 'RUN')
      execFileSync('sh', ['-c', text], { cwd: workdir, env, stdio: ['ignore', 2, 2] });
    else throw new Error(`the stage that is built in has ${keyword} ${text}`);
  }
  const here = builtHere(root);
  return (stage, path) =>
    path.startsWith('/app/') && stage === 'build' ? join(folder, path) : here(stage, path);
}

function copyFromContext(
  root: string,
  workdir: string,
  { words }: Instruction,
  ignored: (path: string) => boolean,
): void {
  const target = words.at(-1) ?? '';
  for (const word of words.slice(0, -1)) {
    const source = join(root, word);
    const into = target.endsWith('/') && !statSync(source).isDirectory();
    cpSync(source, join(workdir, target, into ? basename(source) : ''), {
      recursive: true,
      filter: (path) => !ignored(relative(root, path)),
    });
  }
}

/** A pattern of a folder applies to its contents. */
function ignoredBy(text: string): (path: string) => boolean {
  const patterns = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => patterns.some((pattern) => matchesGlob(path, pattern));
}
