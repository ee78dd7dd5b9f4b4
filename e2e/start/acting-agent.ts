import { expect } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import { type Demo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';

/** Tenant of the guides, with a token of its administration client. */
interface Guided {
  demo: Demo;
  issuer: string;
  token: string;
}

/** Code of the guide. */
interface AgentGuide {
  /** Registrations of the app and of the agent, and the list of delegations. */
  operations: readonly string[];
  exchange(env: Record<string, string>): Promise<string>;
  /** Answer that the guide shows. */
  shown: string;
  ending: string;
}

interface Exchanged {
  access_token: string;
  expires_in: number;
}

/** Creates a user with a password and signs the user in to an app. @returns the access token */
async function tokenOfUser({ demo, issuer, token }: Guided, clientId: string): Promise<string> {
  const create = 'mutation { createConnector(input: { name: "People" }) { token } }';
  const { data } = await graph(demo, token, create, {});
  const example = demo.tenants.demo;
  const place = {
    ...example,
    issuer,
    scim: `${issuer}/scim/v2`,
    clients: { ...example.clients, web: { client_id: clientId, redirect_uris: [] } },
  };
  const user = { userName: unique('principal'), password: unique('correct horse battery') };
  await new ScimClient(place, data.createConnector.token).createUser(user);
  return (await signIn(demo, place, user, { scope: 'openid profile email' })).tokens.access_token;
}

/** Follows the guide: registers an app and an agent, exchanges a token, lists the delegation and ends it. */
export async function agentActs(guided: Guided, guide: AgentGuide): Promise<void> {
  const { demo, issuer, token } = guided;
  const [ofApp = '', ofAgent = '', listing = ''] = guide.operations;
  const made = async (mutation: string) => {
    const { data } = await graph(demo, token, mutation, {});
    return data.registerClient as { client: { id: string }; clientSecret: string };
  };
  const app = await made(ofApp);
  const agent = await made(ofAgent.replace('…', app.client.id));
  const userToken = await tokenOfUser(guided, app.client.id);
  const { sub: id = '' } = decodeJwt(userToken);
  const answer = JSON.parse(
    await guide.exchange({
      AGENT_ID: agent.client.id,
      AGENT_SECRET: agent.clientSecret,
      ACCESS_TOKEN: userToken,
    }),
  ) as Exchanged;
  const { expires_in, ...others } = JSON.parse(guide.shown) as Exchanged;
  expect({ ...answer, access_token: 'eyJ…' }).toEqual({ ...others, expires_in: expect.any(Number) });
  expect(answer.expires_in).toBeLessThanOrEqual(expires_in);
  expect(decodeJwt(answer.access_token)).toMatchObject({ sub: id, act: { sub: agent.client.id } });
  const userinfo = async () =>
    (await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${answer.access_token}` } }))
      .status;
  expect(await userinfo()).toBe(200);
  const { data } = await graph(demo, token, listing, { id });
  const [delegation] = data.user.delegations.edges;
  expect(delegation.node).toMatchObject({ clientName: 'Assistant', scopes: ['email', 'openid'] });
  const ending = guide.ending.replace('<delegation id>', delegation.node.id);
  const ended = await graph(demo, token, ending, {});
  expect(ended.data.endDelegation).toEqual({ id: delegation.node.id, problems: [] });
  await eventually(userinfo, (status) => status === 401);
}
