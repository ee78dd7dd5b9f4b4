import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

let own: OwnSystem;
beforeAll(async () => {
  own = await ownSystem({ of: { auth: deliversHere } });
});
afterAll(async () => {
  // Deletes the webhooks, whose receivers no longer exist.
  for (const end of ended) await end();
  await own?.stop();
});

const ended: (() => Promise<unknown>)[] = [];
const deletion = 'mutation($input: WebhookInput!) { deleteWebhook(input: $input) { __typename } }';

/** Sends a message that is signed with another secret. */
const sendForged = (url: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    },
    body: '{"type":"user.deleted","data":{"subject":{"id":"forged"}}}',
  });

/** @returns the secret */
async function webhookTo(endpoint: string, token: string): Promise<string> {
  const { data } = await graph(
    own.demo,
    token,
    `mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } secret problems { message } } }`,
    { input: { name: 'example', endpoint, types: ['USER_CREATED', 'USER_DEACTIVATED', 'GROUP_CREATED'] } },
  );
  const { webhook, secret, problems } = data.createWebhook;
  expect(problems).toEqual([]);
  ended.push(() => graph(own.demo, token, deletion, { input: { id: webhook.id } }));
  return secret;
}

test('The receiver from the documentation is notified by a webhook when a user is created and offboarded over SCIM.', async () => {
  const { demo } = own;
  const token = await adminToken(demo.tenants.demo);
  const port = await freePort();
  const secret = await webhookTo(`http://127.0.0.1:${port}/hook`, token);
  const example = fileURLToPath(new URL('../../docs/examples/webhook-receiver.mjs', import.meta.url));
  const receiver = spawn(process.execPath, [example], {
    env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let said = '';
    receiver.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const heard = (line: string) => eventually(async () => said.split('\n').includes(line));
    await heard('listening');
    const scim = new ScimClient(demo.tenants.demo, demo.tenants.demo.clients.scim.token);
    const userName = unique('hooked');
    const { id } = await scim.createUser({ userName, displayName: 'Hooked' });
    await heard(`user.created ${id}`);
    await scim.call('PATCH', `/Users/${id}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', value: { active: false } }],
    });
    await heard(`user.deactivated ${id}`);
    // A message with a wrong signature is rejected.
    const forged = await sendForged(`http://127.0.0.1:${port}/hook`);
    expect(forged.status).toBe(401);
    // The delivery is recorded after the receiver's response.
    const deliveries = await eventually(
      () =>
        graph(
          demo,
          token,
          `query($id: ID!) { deliveries(filter: { subjectId: $id }) { edges { node { type state user { userName } } } } }`,
          { id },
        ),
      ({ data }) => data.deliveries.edges.at(-1)?.node.state === 'DELIVERED',
    );
    expect(deliveries.data.deliveries.edges.map(({ node }: { node: object }) => node)).toMatchObject([
      { type: 'user.deactivated', user: { userName } },
      { type: 'user.created', state: 'DELIVERED', user: { userName } },
    ]);
    expect(said).not.toContain('forged');
  } finally {
    receiver.kill();
  }
});
