import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildWithGo, buildWithMaven, codeIn, isRun, missingForGo, missingForSpring } from './builds.ts';

export const codeOf = codeIn('guides/protect-an-api-other-languages.md');

const unchanged = (text: string): string => text;

export interface Command {
  program: string;
  args: readonly string[];
}

export interface ApiProgram {
  /** Missing prerequisite, or undefined. */
  readonly missing: string | undefined;
  /** Whether tokens are verified without the issuer, and by which source revocations are detected. */
  readonly method: 'feed' | 'introspection' | 'expiry';
  /** Writes and builds the program in a folder, offline. @returns the command that starts it */
  build(folder: string, adapted: (text: string) => string, port: number): Promise<Command>;
}

const goCommands = codeOf('text', 'go mod init');

/** Builds the program with Go. @param offline whether modules come from the cache only */
export const buildGoApi = (folder: string, adapted = unchanged, offline = false): Promise<void> => {
  const sources = {
    'main.go': adapted(codeOf('go', 'func main()')),
    'revocations.go': adapted(codeOf('go', 'type revocations struct')),
  };
  return buildWithGo(folder, { commands: goCommands, sources }, offline);
};

const go: ApiProgram = {
  missing: missingForGo(goCommands),
  method: 'feed',
  async build(folder, adapted) {
    await buildGoApi(folder, adapted, true);
    return { program: join(folder, 'orders'), args: [] };
  },
};

const pythonCommands = codeOf('text', 'pip install');
/** Environment of Python that `npm run libraries` creates. */
const environment = join(homedir(), '.cache/ostiary/python');

/** Installs the packages of the program in Python. */
export async function installPython(): Promise<void> {
  const run = promisify(execFile);
  const pip = join(environment, 'bin/pip');
  if (!existsSync(pip)) await run('python3', ['-m', 'venv', environment]);
  const packages = /^pip install (.*)$/m.exec(pythonCommands)?.[1]?.split(' ') ?? [];
  await run(pip, ['install', '--quiet', ...packages]);
}

const interpreter = [join(environment, 'bin/python'), 'python3', '/usr/bin/python3'].find((program) =>
  isRun(program, '-c', 'import fastapi, httpx, uvicorn'),
);

const fastapi: ApiProgram = {
  missing:
    interpreter === undefined ? 'no Python has FastAPI, httpx and uvicorn (npm run libraries)' : undefined,
  method: 'introspection',
  async build(folder, adapted, port) {
    await writeFile(join(folder, 'orders.py'), adapted(codeOf('python')));
    return { program: interpreter ?? '', args: ['-m', 'uvicorn', 'orders:app', '--port', `${port}`] };
  },
};

type SpringMethod = 'opaqueToken' | 'jwt';

/** Builds a program with Maven. @param offline whether packages come from the local repository only */
export const buildSpringApi = (
  folder: string,
  method: SpringMethod,
  adapted = unchanged,
  offline = false,
): Promise<void> => {
  const sources = {
    'pom.xml': codeOf('xml'),
    'src/main/java/com/example/Orders.java': adapted(codeOf('java', `server.${method}(`)),
  };
  return buildWithMaven(folder, sources, offline);
};

const spring = (using: SpringMethod, method: ApiProgram['method']): ApiProgram => ({
  missing: missingForSpring(codeOf('xml'), 'spring-boot-starter-security-oauth2-resource-server'),
  method,
  async build(folder, adapted, port) {
    await buildSpringApi(folder, using, adapted, true);
    const settings = [`--server.port=${port}`, '--server.address=127.0.0.1'];
    return { program: 'java', args: ['-jar', join(folder, 'target/orders-1.jar'), ...settings] };
  },
});

export const programs: Readonly<Record<string, ApiProgram>> = {
  Go: go,
  FastAPI: fastapi,
  'Spring Boot by introspection': spring('opaqueToken', 'introspection'),
  'Spring Boot without introspection': spring('jwt', 'expiry'),
};
