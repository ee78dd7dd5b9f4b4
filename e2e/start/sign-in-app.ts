import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { Browser, type Page } from '../support/browser.ts';
import { type Demo, type DemoTenant, type DemoUser, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, walk } from '../support/sign-in.ts';
import { adapted } from './pasting.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Creates a folder in which programs find packages of the workspace `e2e`, including those that are not hoisted. */
export async function folderWith(packages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-sign-in-'));
  for (const name of packages) {
    const nested = join(root, 'e2e/node_modules', name);
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(existsSync(nested) ? nested : join(root, 'node_modules', name), link);
  }
  return folder;
}

export type Employee = DemoUser & { id: string };

/** Creates a user of a tenant by SCIM. */
export async function hired(tenant: DemoTenant): Promise<Employee> {
  const user = { userName: unique('visitor'), password: unique('nine quiet otters') };
  const emails = [{ value: `${user.userName}@example.com`, type: 'work', primary: true }];
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const { id } = await scim.createUser({ ...user, emails });
  return { ...user, id };
}

export async function offboarded(tenant: DemoTenant, user: Employee): Promise<void> {
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const operation = { op: 'replace', path: 'active', value: false };
  expect((await scim.patch(`/Users/${user.id}`, [operation])).status).toBeLessThan(300);
}

/** Registers a client with a mutation of a guide. */
export async function registeredBy(
  demo: Demo,
  tenant: DemoTenant,
  mutation: string,
): Promise<{ id: string; secret: string }> {
  const { data, errors } = await graph(demo, await adminToken(tenant), mutation);
  expect([errors, data?.registerClient?.problems]).toEqual([[], []]);
  return { id: data.registerClient.client.id, secret: data.registerClient.clientSecret ?? '' };
}

/** Adapts code of a guide to the running system, its tenant `demo`, and an app at another origin. */
export const adaptedTo = (text: string, demo: Demo, origin: string): string =>
  adapted(text, demo, 'demo')
    .replaceAll(/https:\/\/(portal|dashboard)\.example\.com/g, origin)
    // openid-client accepts an issuer without TLS only with this option.
    .replace(
      /(client\.discovery\([^;]*)\);/g,
      (_call, args: string) =>
        `${args}${args.includes('client.None()') ? '' : ', undefined'}, { execute: [client.allowInsecureRequests] });`,
    );

/** Paths of a web app, which its library determines. */
export interface AppPaths {
  redirect: string;
  backchannelLogout?: string;
  signOut?: string;
}

/** A web app of a guide: its registration and its process. */
export class SignInApp {
  readonly origin: string;
  readonly paths: Required<AppPaths>;
  readonly #demo: Demo;
  readonly #port: number;
  #client = { id: '', secret: '' };
  #process: ChildProcess | undefined;
  #output = '';

  private constructor(demo: Demo, port: number, paths: AppPaths) {
    this.#demo = demo;
    this.#port = port;
    this.origin = `http://127.0.0.1:${port}`;
    this.paths = { backchannelLogout: '/backchannel-logout', signOut: '/logout', ...paths };
  }

  static async registered(demo: Demo, mutation: string, paths: AppPaths): Promise<SignInApp> {
    const app = new SignInApp(demo, await freePort(), paths);
    const own = mutation
      .replace('example.com/callback"', `example.com${app.paths.redirect}"`)
      .replace('example.com/backchannel-logout"', `example.com${app.paths.backchannelLogout}"`);
    app.#client = await registeredBy(demo, demo.tenants.demo, app.adapted(own));
    return app;
  }

  adapted(text: string): string {
    return adaptedTo(text, this.#demo, this.origin);
  }

  /** Environment of the program: the values that the guide names. */
  get env(): Record<string, string> {
    return {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      PORT: `${this.#port}`,
      CLIENT_ID: this.#client.id,
      CLIENT_SECRET: this.#client.secret,
      SESSION_SECRET: 'c2VjcmV0LW9mLXRoZS1hcHAtZm9yLWl0cy1zZXNzaW9ucw',
    };
  }

  /** Starts the program and waits until it answers. */
  async start(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
    this.#process = spawn(command, args, {
      cwd,
      env: { ...this.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    await eventually(async () => {
      if (this.#process?.exitCode !== null) throw new Error(`the app has ended: ${this.#output}`);
      return fetch(`${this.origin}/signed-out`).then(
        () => true,
        () => false,
      );
    });
  }

  /** Writes and starts a program of Node.js. */
  async run(folder: string, name: string, code: string): Promise<void> {
    await writeFile(join(folder, name), this.adapted(code));
    await this.start(process.execPath, [name], folder);
  }

  /** Output of the process, for failed expectations. */
  get output(): string {
    return this.#output;
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}

/** A user's browser: its cookies at the app and at the issuer. */
export class Visitor {
  readonly #demo: Demo;
  readonly #app: SignInApp;
  readonly #atApp: Browser;
  readonly #atIssuer: Browser;

  constructor(demo: Demo, app: SignInApp) {
    this.#demo = demo;
    this.#app = app;
    this.#atApp = new Browser(app.origin);
    this.#atIssuer = new Browser(demo.origin);
  }

  open(address: string | URL): Promise<Page> {
    const headers = { accept: 'text/html, */*;q=0.8' };
    return this.#atApp.open(new URL(address, this.#app.origin), { headers });
  }

  /** Opens the start page and follows the app to the issuer. @returns the authorization request */
  async begin(): Promise<URL> {
    let page = await this.open('/');
    // Auth.js has a page with a form.
    if (page.url.origin === this.#app.origin) page = await this.#atApp.submit(page);
    expect([page.url.origin, this.#app.output]).toEqual([this.#demo.origin, expect.any(String)]);
    return page.url;
  }

  /** Signs in at the issuer. @returns the address of the app to which the issuer redirects */
  async toCallback(user: DemoUser): Promise<URL> {
    const request = await this.begin();
    expect(request.searchParams.get('code_challenge_method')).toBe('S256');
    const { url } = await walk(this.#atIssuer, request, user);
    expect([url.origin, url.pathname]).toEqual([this.#app.origin, this.#app.paths.redirect]);
    return url;
  }

  async signIn(user: DemoUser): Promise<void> {
    await this.open(await this.toCallback(user));
    expect([await this.name(), this.#app.output]).toEqual([user.userName, expect.any(String)]);
  }

  /** Returns the name that the start page shows, or undefined if the app asks for a sign-in. */
  async name(): Promise<string | undefined> {
    const { url, status, html } = await this.open('/');
    if (status !== 200 || url.href !== `${this.#app.origin}/` || !html.startsWith('{')) return undefined;
    return (JSON.parse(html) as { name: string }).name;
  }

  /** Signs out at the app and at the issuer. @returns the address at which the browser arrives */
  async signOut(): Promise<URL> {
    let page = await this.open(this.#app.paths.signOut);
    if (page.url.origin === this.#app.origin) page = await this.#atApp.submit(page);
    page = await this.#atIssuer.open(page.url);
    if (page.url.origin === this.#demo.origin) page = await this.#atIssuer.submit(page, {}, /sign out/i);
    return page.url;
  }

  /** Reports whether the issuer asks for the password. */
  async isAskedToSignIn(): Promise<boolean> {
    const page = await this.#atIssuer.open(await this.begin());
    return page.root.querySelector('input[type=password]') !== null;
  }
}
