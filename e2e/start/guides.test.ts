import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { buildSchema, isInputObjectType, parse } from 'graphql';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { agentActs } from './acting-agent.ts';
import { previewsClaims } from './claims-guide.ts';
import { type CodeBlock, codeBlocksOf } from './code-blocks.ts';
import { notRun } from './not-run.ts';
import { adapted, installationFolder, shell as shellIn } from './pasting.ts';
import { closed, protects } from './protected-api.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const demo = runningDemo();

/** Tenant with the name `acme` in the guides, created as in the first guide. */
const tenant = unique('acme').slice(0, 60);
const issuer = `${demo.origin}/t/${tenant}`;

const blocks = codeBlocksOf('{start,guides}/*.md');
const ran = new Set<CodeBlock>();

/** Returns the code blocks of a page in one language, adapted to this tenant and system. */
function codeOf(page: string, language: string): string[] {
  const own = blocks.filter((block) => block.page === page && block.language === language);
  for (const block of own) ran.add(block);
  return own.map(({ text }) => adapted(text, demo, tenant));
}

let folder: string;
let token: string;
/** The client that the first guide creates, for the CLI. */
let client: { id: string; secret: string };

const commandLine = (): Record<string, string> => ({
  HOME: folder,
  OSTIARY_SERVER: demo.origin,
  OSTIARY_TENANT: tenant,
  OSTIARY_CLIENT_ID: client.id,
  OSTIARY_CLIENT_SECRET: client.secret,
});

const shell = (script: string, env: Record<string, string> = {}) => shellIn(folder, script, env);

/** Runs a program, repeats `then` until the output matches `said`, and ends the program. */
async function heard(program: string, args: readonly string[], said: RegExp, then: () => Promise<unknown>) {
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, TOKEN: token },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  try {
    await eventually(
      async () => {
        await then();
        return output;
      },
      (text) => said.test(text),
    );
  } finally {
    child.kill();
  }
}

const createUser = async (userName = unique('guided')): Promise<string> => {
  const { data, errors } = await graph(
    demo,
    token,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } problems { message } } }',
    { input: { userName } },
  );
  expect([errors, data?.createUser?.problems]).toEqual([[], []]);
  return data.createUser.user.id as string;
};

beforeAll(async () => {
  folder = await installationFolder(['scripts', 'node_modules', 'libs']);
  const [secret = '', command = '', , , , create = ''] = codeOf('start/first-tenant.md', 'sh');
  await shell(secret + command + create);
  const created = await readFile(join(folder, `${tenant}.json`), 'utf8');
  ({ client } = JSON.parse(created) as { client: { id: string; secret: string } });
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client.id}:${client.secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  token = ((await answer.json()) as { access_token: string }).access_token;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('The first tenant and its client exist as docs/start/first-tenant.md creates them.', () => {
  expect(token).toMatch(/^ey/);
});

describe('operations of the graph', () => {
  const pages = [
    ...new Set(blocks.filter(({ language }) => language === 'graphql').map(({ page }) => page)),
  ].filter((page) => !notRun.some((exception) => exception.page === page));

  test.each(pages)('The operations of %s succeed.', async (page) => {
    const userId = await createUser();
    for (const text of codeOf(page, 'graphql')) {
      const document = parse(text.replaceAll('"…"', JSON.stringify(userId)));
      for (const { loc } of document.definitions) {
        const operation = loc?.source.body.slice(loc.start, loc.end) ?? '';
        const { data, errors } = await graph(demo, token, operation, { id: userId });
        expect([errors, JSON.stringify(data).includes('"problems":[{')]).toEqual([[], false]);
      }
    }
  });
});

test('The preview of the guide shows the claims of its API and its client for a user.', async () => {
  const [, , preview = ''] = codeOf('guides/add-claims.md', 'graphql');
  await previewsClaims(demo, token, preview, await createUser());
});

test('A policy given in the environment has settings that tenants have.', () => {
  const [line = ''] = codeOf('guides/set-tenant-policy.md', 'sh');
  const policy = JSON.parse(/^TENANT_POLICY_DEFAULTS='(.*)'$/m.exec(line)?.[1] ?? '') as object;
  const api = buildSchema(readFileSync(join(root, 'gateway/released-api.graphql'), 'utf8'), {
    assumeValidSDL: true,
  });
  const input = api.getType('UpdateTenantPolicyInput');
  const settings = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
  expect(settings).toEqual(expect.arrayContaining(Object.keys(policy)));
});

test('The variables of a key replacement are documented.', () => {
  const configuration = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
  const settings = codeOf('guides/replace-a-key.md', 'ini');
  const lines = settings.flatMap((text) => text.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    const [, name = ''] = /^([A-Z_]+)=<\w+>$/.exec(line) ?? [];
    expect([line, configuration.includes(`\`${name}\``)]).toEqual([line, true]);
  }
});

test('The commands create a stream of shared signals.', async () => {
  const [script = ''] = codeOf('guides/shared-signals.md', 'sh');
  const output = await shell(script, { TOKEN: token });
  expect(output).toContain('"configuration_endpoint"');
  expect(output).toMatch(/"stream_id":"[^"]+"/);
});

test('The receiver of shared signals rejects invalid tokens and requires the agreed authorization header.', async () => {
  const [code = ''] = codeOf('guides/shared-signals.md', 'js');
  const file = join(folder, 'receiver.mjs');
  const listening = code.replace(
    '.listen(8080)',
    ".listen(0, function () { console.log('at', this.address().port); })",
  );
  await writeFile(file, `const keep = async () => undefined;\n${listening}`);
  const child = spawn(process.execPath, [file], { cwd: folder });
  try {
    const port = await new Promise<string>((settled) => {
      child.stdout.on('data', (chunk: Buffer) => settled(/at (\d+)/.exec(chunk.toString())?.[1] ?? ''));
    });
    const push = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'no token', headers });
    expect((await push({})).status).toBe(401);
    const refused = await push({ authorization: 'Bearer secret-of-the-receiver' });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ err: 'invalid_request' }),
    ]);
  } finally {
    child.kill();
  }
});

test('The command that subscribes receives a change.', async () => {
  const [script = ''] = codeOf('guides/subscribe-to-changes.md', 'sh');
  await heard('bash', ['-c', script.replace(/^curl/, 'exec curl')], /"kind":"CREATED"/, createUser);
});

test('The programs that subscribe receive a change over server-sent events and over a WebSocket.', async () => {
  const programs = codeOf('guides/subscribe-to-changes.md', 'js');
  expect(programs).toHaveLength(2);
  const [overEvents = '', overWebSocket = ''] = programs;
  const subscribing = `client.subscribe({ query: 'subscription { userChanged { kind } }' }, {
    next: (result) => console.log(JSON.stringify(result)), error: console.error, complete() {} });`;
  for (const [index, code] of [overEvents, `${overWebSocket}\n${subscribing}`].entries()) {
    const file = join(folder, `subscriber-${index}.mjs`);
    await writeFile(file, `const token = process.env.TOKEN;\n${code}`);
    await heard(process.execPath, [file], /CREATED|guided-/, createUser);
  }
});

test('A connector of each identity source is created and accepts requests.', async () => {
  const [creating = '', checking = ''] = codeOf('guides/connect-an-identity-source.md', 'sh');
  let output = '';
  for (const command of creating.trim().split('\n')) output += await shell(command, commandLine());
  const tokens = [...output.matchAll(/^token\s+(\S+)$/gm)].map(([, bearer = '']) => bearer);
  expect(tokens).toHaveLength(3);
  expect(output).toContain(`${demo.origin}/t/${tenant}/scim/v2`);
  const [response = ''] = codeOf('guides/connect-an-identity-source.md', 'json');
  for (const bearer of tokens)
    expect(JSON.parse(await shell(checking, { SCIM_TOKEN: bearer }))).toEqual(JSON.parse(response));
});

test('The commands of ostiary define an API, register a client of it and assign its role.', async () => {
  const [script = ''] = codeOf('guides/define-an-api.md', 'sh');
  const userName = unique('alice');
  await createUser(userName);
  const output = await shell(script.replaceAll('alice', userName), commandLine());
  expect(output).toMatch(new RegExp(`^user +\\S+ +${userName} +yes$`, 'm'));
  expect(output).toMatch(/^stock:read +de +Den Bestand ansehen$/m);
});

test('An API accepts a token for its resource and rejects others, with each framework and by introspection.', async () => {
  const page = 'guides/protect-an-api.md';
  const [api, app] = await Promise.all(
    codeOf(page, 'graphql').map(async (mutation) => {
      const { data } = await graph(demo, token, mutation, {});
      const { client: registered, clientSecret } = data.registerClient;
      return { id: registered.id as string, secret: clientSecret as string };
    }),
  );
  const [requesting = '', introspecting = ''] = codeOf(page, 'sh');
  const answer = await shell(requesting, { APP_ID: app?.id ?? '', APP_SECRET: app?.secret ?? '' });
  const { access_token: own, ...others } = JSON.parse(answer) as { access_token: string };
  const [shown = ''] = codeOf(page, 'json');
  expect(JSON.parse(shown)).toEqual({ access_token: 'eyJ…', ...others });
  const [closing, ...servers] = codeOf(page, 'js').toReversed();
  expect(servers).toHaveLength(5);
  const env = { API_ID: api?.id ?? '', API_SECRET: api?.secret ?? '' };
  for (const [index, code] of servers.entries())
    await protects(join(folder, `orders-${index}.mjs`), code, env, { own, other: token });
  await writeFile(join(folder, 'closing.mjs'), closing ?? '');
  await shell(`node --input-type=module --eval "${closed}"`);
  const introspect = async (presented: string) =>
    JSON.parse(
      await shell(introspecting, {
        API_ID: api?.id ?? '',
        API_SECRET: api?.secret ?? '',
        ACCESS_TOKEN: presented,
      }),
    ) as unknown;
  expect(await introspect(own)).toMatchObject({ active: true, client_id: app?.id });
  expect(await introspect(token)).toEqual({ active: false });
  await graph(
    demo,
    token,
    'mutation ($id: ID!) { disableClient(input: { id: $id }) { problems { code } } }',
    {
      id: app?.id,
    },
  );
  expect(await introspect(own)).toEqual({ active: false });
});

test('An agent acts for a user with the exchanged token until its delegation ends.', async () => {
  const page = 'guides/let-an-agent-act.md';
  await agentActs(
    { demo, issuer, token },
    {
      operations: codeOf(page, 'graphql'),
      exchange: (env) => shell(codeOf(page, 'sh')[0] ?? '', env),
      shown: codeOf(page, 'json')[0] ?? '',
      ending: codeOf(page, 'text')[0] ?? '',
    },
  );
});

test('The command that offboards a user reports when each access path closed.', async () => {
  const [script = ''] = codeOf('guides/read-a-departure-report.md', 'sh');
  const userName = unique('alice');
  await createUser(userName);
  const output = await shell(script.replace('alice', userName), commandLine());
  expect(output).toContain('closedAt');
});

test('Every message of the troubleshooting guide is in the source code.', () => {
  const source = globSync('{services,libs,gateway}{/*,}/src/**/*.ts', {
    cwd: root,
    exclude: ['**/generated/**', '**/*.test.ts'],
  })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const page = readFileSync(join(root, 'docs/guides/troubleshoot-by-message.md'), 'utf8');
  const messages = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message);
  expect(messages.length).toBeGreaterThan(30);
  const parts = messages.flatMap((message) => message.split('…').map((part) => part.trim()));
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

test('Every command, program and operation of the guides is run here or excluded with a reason.', () => {
  const code = blocks.filter(({ language }) => ['sh', 'js', 'graphql'].includes(language));
  const excused = ({ page, text }: CodeBlock): boolean =>
    notRun.some((exception) => exception.page === page && exception.code.test(text));
  expect(code.filter((block) => !ran.has(block) && !excused(block))).toEqual([]);
  for (const { page, code: shown } of notRun) {
    expect([page, blocks.some((block) => block.page === page && shown.test(block.text))]).toEqual([
      page,
      true,
    ]);
  }
  for (const { because } of notRun) {
    for (const [path] of because.matchAll(/[\w/.-]+\.test\.ts/g))
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
  }
});
