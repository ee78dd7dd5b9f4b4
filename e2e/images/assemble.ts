/** Builds the file systems of images from a Dockerfile, without a container engine. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { baseEnvironment, baseImage } from './base-image.ts';
import { type Instruction, lineageOf, type Stage } from './dockerfile.ts';

export interface Image {
  name: string;
  /** Root folder of the file system. */
  folder: string;
  env: Record<string, string>;
  user: string;
  workdir: string;
  /** Entrypoint and command. */
  command: string[];
}

export interface Sources {
  stages: readonly Stage[];
  /** Folder of an unpacked base image. */
  base: string;
  /** Returns the local path of a path in another stage. */
  pathIn(stage: string, path: string): string;
}

/**
 * Builds the image of a stage. @param folder target; must not exist
 * @throws Error if a source of a step is missing, or a step needs a shell in the image
 */
export function assemble(name: string, folder: string, sources: Sources): Image {
  const image: Image = { name, folder, env: { ...baseEnvironment }, user: 'root', workdir: '/', command: [] };
  const lineage = lineageOf(sources.stages, name);
  if (lineage[0]?.from !== baseImage)
    throw new Error(`${name} is made from ${lineage[0]?.from}, not ${baseImage}`);
  // Hard links: the files are only read.
  execFileSync('cp', ['--archive', '--link', sources.base, folder]);
  let entrypoint: readonly string[] = [];
  let command: readonly string[] = [];
  for (const instruction of lineage.flatMap(({ instructions }) => instructions)) {
    const { keyword, words, text } = instruction;
    if (keyword === 'COPY') copy(image, instruction, sources);
    else if (keyword === 'ENV') Object.assign(image.env, settings(words));
    else if (keyword === 'WORKDIR') image.workdir = join(image.workdir, text);
    else if (keyword === 'USER') image.user = text;
    else if (keyword === 'ENTRYPOINT') entrypoint = words;
    else if (keyword === 'CMD') command = words;
    else if (keyword === 'RUN') throw new Error(`${name} has no shell that could run: ${text}`);
  }
  mkdirSync(join(folder, image.workdir), { recursive: true });
  image.command = [...entrypoint, ...command];
  return image;
}

/**
 * Copies like COPY: several sources, or a target with a trailing slash, go into a folder; of a folder its contents are
 * copied.
 */
function copy({ folder, workdir }: Image, { flags, words }: Instruction, sources: Sources): void {
  const { from } = flags;
  if (from === undefined) throw new Error(`${words.join(' ')} is copied from the context into an image`);
  const target = words.at(-1) ?? '';
  const place = join(folder, target.startsWith('/') ? '/' : workdir, target);
  const given = words.slice(0, -1).flatMap((word) => {
    const found = globSync(sources.pathIn(from, word)).toSorted();
    if (found.length === 0) throw new Error(`COPY finds nothing: ${word} of ${from}`);
    return found;
  });
  if (given.length > 1 && !target.endsWith('/')) throw new Error(`COPY of several files to ${target}`);
  for (const path of given) {
    const intoFolder = target.endsWith('/') && !statSync(path).isDirectory();
    const to = intoFolder ? join(place, basename(path)) : place;
    mkdirSync(intoFolder ? place : join(place, '..'), { recursive: true });
    cpSync(path, to, { recursive: true, dereference: true, preserveTimestamps: true });
  }
}

const settings = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );

/** Maps the stage `build` to this machine: the built repository, and the Node that built it. */
export function builtHere(root: string): Sources['pathIn'] {
  return (stage, path) => {
    if (stage !== 'build') throw new Error(`${stage} isn't a stage that images are copied from`);
    if (path === '/usr/local/bin/node') return process.execPath;
    if (path === '/usr/local/LICENSE') return licenseOfNode(root);
    if (!path.startsWith('/app/')) throw new Error(`${path} isn't known of the image that is built in`);
    return join(root, path.slice('/app/'.length));
  };
}

/** Path of the license of Node. Distributions have it beside the program, the npm package in a separate folder. */
function licenseOfNode(root: string): string {
  const home = join(process.execPath, '../..');
  const found = [
    join(home, 'LICENSE'),
    ...globSync(join(home, 'node_modules/node-*/LICENSE')),
    ...globSync(join(home, '../node-*/LICENSE')),
    join(home, 'share/doc/nodejs/LICENSE'),
    join(home, 'share/doc/nodejs/copyright'),
  ].find((path) => existsSync(path));
  // If Node has no license file, any text: only its path is tested.
  return found ?? join(root, 'LICENSE');
}
