import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { protectionNames } from '@ostiary/access';
import { recordSkip } from '@ostiary/service/testing';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { type Answer, ask } from './answers.ts';
import { conversations, deviceRequestsPerMinute, type Ways } from './conversations.ts';
import { Nginx, nginxPath, why } from './nginx.ts';
import { type Attack, attacks } from './protections.ts';
import { perimeterWorld } from './world.ts';

if (nginxPath === undefined) recordSkip(why);
const describeWithNginx = nginxPath === undefined ? describe.skip : describe;

/** nginx rejects many requests itself, with other statuses and texts, so rejections are compared as one value. */
const asRefused = ({ status }: Pick<Answer, 'status'>): number | 'refused' =>
  status === 0 || status === 501 || (status >= 400 && status < 500) ? 'refused' : status;

describeWithNginx('the routes of the overlay, by nginx as ingress-nginx sets it up', () => {
  let own: OwnSystem;
  let nginx: Nginx;
  let ways: Ways;

  beforeAll(async () => {
    own = await ownSystem({ of: { auth: { DEVICE_REQUESTS_PER_MINUTE: String(deviceRequestsPerMinute) } } });
    nginx = await Nginx.start(own.system.urls);
    const world = await perimeterWorld(own.demo);
    const gateway = Number(new URL(own.system.urls.gateway).port);
    ways = { own, world, host: new URL(own.demo.origin).host, gateway, ingress: nginx.port };
  });
  afterAll(async () => {
    await nginx?.stop();
    await own?.stop();
  });

  async function launch(attack: Attack): Promise<void> {
    const { what, says = {} } = attack;
    const answer = await ask(nginx.port, ways.host, attack);
    expect([what, asRefused(answer)]).toEqual([what, asRefused(attack)]);
    expect([what, answer.besides]).toEqual([what, []]);
    for (const [name, value] of Object.entries(says)) {
      expect([what, name, answer.headers[name]]).toEqual([what, name, value]);
    }
  }

  const attacked = protectionNames.filter((name) => attacks[name] !== undefined);
  test.each(attacked)('The protection "%s" is effective behind nginx.', async (name) => {
    for (const attack of attacks[name]?.(ways.world) ?? []) await launch(attack);
  });

  test.each([
    '/t/demo/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/t/demo',
    '/.well-known/oauth-protected-resource/t/demo/scim/v2',
    '/t/demo/jwks',
    '/readyz',
  ])('The route of nginx for %s leads to the same service as that of the gateway.', async (path) => {
    const line = `GET ${path} HTTP/1.1`;
    const [through, past] = await Promise.all(
      [ways.gateway, nginx.port].map((port) => ask(port, ways.host, { what: path, line, status: 200 })),
    );
    expect([past?.status, past?.body]).toEqual([200, through?.body]);
  });

  const held = (['Order of responses', 'Body limits', 'Rate limits'] as const).flatMap((name) =>
    (conversations[name] ?? []).map((conversation) => [conversation.what, conversation] as const),
  );
  test.each(held)(
    'A conversation has the same result behind nginx as through the gateway: %s.',
    async (_what, { hold }) => {
      const { through, past, expected } = await hold(ways);
      expect({ through, past }).toEqual({ through: expected, past: expected });
    },
  );
});
