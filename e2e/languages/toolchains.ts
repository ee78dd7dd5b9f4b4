import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SignInApp } from '../start/sign-in-app.ts';
import { buildWithGo, buildWithMaven, codeIn, isRun, missingForGo, missingForSpring } from './builds.ts';

export const codeOf = codeIn('guides/add-sign-in-other-languages.md');

const unchanged = (text: string): string => text;

export interface Toolchain {
  /** Missing prerequisite, or undefined. */
  readonly missing: string | undefined;
  /** Builds the program in a folder and starts it. */
  start(app: SignInApp, folder: string): Promise<void>;
}

const goCommands = codeOf('text', 'go mod init');

/** Builds the program with Go. @param offline whether modules come from the cache only */
export async function buildGo(folder: string, adapted = unchanged, offline = false): Promise<string> {
  const sources = { 'main.go': adapted(codeOf('go')) };
  await buildWithGo(folder, { commands: goCommands, sources }, offline);
  return join(folder, 'portal');
}

const go: Toolchain = {
  missing: missingForGo(goCommands),
  async start(app, folder) {
    await app.start(await buildGo(folder, (text) => app.adapted(text), true), [], folder);
  },
};

/** Builds the program with Maven. @param offline whether packages come from the local repository only */
export async function buildSpring(folder: string, adapted = unchanged, offline = false): Promise<string> {
  const sources = {
    'pom.xml': codeOf('xml'),
    'src/main/java/com/example/Portal.java': adapted(codeOf('java')),
    'src/main/resources/application.yml': adapted(codeOf('yaml')),
  };
  await buildWithMaven(folder, sources, offline);
  return join(folder, 'target/portal-1.jar');
}

const spring: Toolchain = {
  missing: missingForSpring(codeOf('xml'), 'spring-boot-starter-security-oauth2-client'),
  async start(app, folder) {
    const jar = await buildSpring(folder, (text) => app.adapted(text), true);
    await app.start('java', ['-jar', jar], folder);
  },
};

const interpreter = ['python3', '/usr/bin/python3'].find((program) =>
  isRun(program, '-c', 'import authlib, flask, requests'),
);

const python: Toolchain = {
  missing: interpreter === undefined ? 'no Python has Authlib and Flask (apt: python3-authlib)' : undefined,
  async start(app, folder) {
    await writeFile(join(folder, 'portal.py'), app.adapted(codeOf('python')));
    const { port } = new URL(app.origin);
    await app.start(interpreter ?? '', ['-m', 'flask', '--app', 'portal', 'run', '--port', port], folder);
  },
};

const httpd = '/usr/sbin/apache2';
const httpdModules = '/usr/lib/apache2/modules';

/** Server around the configuration of the guide. Its page shows the user as the app would see it. */
const httpdSettings = (folder: string, port: string): string => `
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile ${folder}/httpd.pid
DefaultRuntimeDir ${folder}
Mutex file:${folder}
ErrorLog ${folder}/error.log
${['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'include', 'auth_openidc']
  .map((name) => `LoadModule ${name}_module ${httpdModules}/mod_${name}.so`)
  .join('\n')}
DocumentRoot ${folder}/pages
# fetch of Node.js sends a mode that no page load has, and the module redirects page loads only.
RequestHeader unset Sec-Fetch-Mode early
DirectoryIndex index.html
<Directory ${folder}/pages>
  Options +Includes
  SetOutputFilter INCLUDES
</Directory>
`;

const apache: Toolchain = {
  missing:
    existsSync(httpd) && existsSync(`${httpdModules}/mod_auth_openidc.so`)
      ? undefined
      : 'Apache httpd with mod_auth_openidc is not installed (apt: libapache2-mod-auth-openidc)',
  async start(app, folder) {
    await mkdir(join(folder, 'pages'));
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'pages/index.html'), '{"name":"<!--#echo var="REMOTE_USER" -->"}');
    await writeFile(join(folder, 'pages/signed-out'), 'You are signed out.');
    const { port } = new URL(app.origin);
    const settings = httpdSettings(folder, port) + app.adapted(codeOf('apache'));
    await writeFile(join(folder, 'httpd.conf'), settings);
    await app.start(httpd, ['-D', 'FOREGROUND', '-f', join(folder, 'httpd.conf')], folder);
  },
};

export const toolchains = { spring, go, python, apache };
