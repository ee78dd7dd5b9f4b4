import { randomBytes } from 'node:crypto';
import { signIn } from '../../e2e/story/sign-in.ts';
import { percentile } from '../measure.ts';
import type { BenchContext, Row, Scenario } from '../scenario.ts';

const people = 200;

interface Employee {
  id: string;
  token: string;
}

async function employ({ demo }: BenchContext, connector: Record<string, string>): Promise<Employee> {
  const user = {
    userName: `leaver-${randomBytes(8).toString('hex')}`,
    password: randomBytes(16).toString('hex'),
  };
  const tenant = demo.tenants.demo;
  const created = await fetch(`${tenant.scim}/Users`, {
    method: 'POST',
    headers: connector,
    body: JSON.stringify({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...user }),
  });
  const { id } = (await created.json()) as { id: string };
  const { tokens } = await signIn(demo, tenant, user);
  return { id, token: tokens.access_token };
}

/**
 * Time from the SCIM answer to `active: false` until the graph first refuses the person's unexpired access token.
 * Asked again and again without a pause, so the figure includes one round trip to the graph.
 */
async function departure(
  { demo }: BenchContext,
  connector: Record<string, string>,
  employee: Employee,
): Promise<number> {
  const ask = () =>
    fetch(demo.graphql, {
      method: 'POST',
      headers: { authorization: `Bearer ${employee.token}`, 'content-type': 'application/json' },
      body: '{"query":"{ me { id } }"}',
    }).then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    });
  if ((await ask()) !== 200) throw new Error('the door should have been open');
  const answer = await fetch(`${demo.tenants.demo.scim}/Users/${employee.id}`, {
    method: 'PATCH',
    headers: connector,
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'active', value: false }],
    }),
  });
  const acknowledged = performance.now();
  if (answer.status !== 200) throw new Error(`deactivation answered ${answer.status}`);
  while ((await ask()) !== 401) {
    if (performance.now() - acknowledged > 10_000) throw new Error('the door stayed open for ten seconds');
  }
  return performance.now() - acknowledged;
}

export const deactivation: Scenario = {
  name: 'deactivation',
  async run(context): Promise<Row[]> {
    const connector = {
      authorization: `Bearer ${context.demo.tenants.demo.clients.scim.token}`,
      'content-type': 'application/scim+json',
    };
    const delays: number[] = [];
    for (let person = 0; person < people; person += 1) {
      delays.push(await departure(context, connector, await employ(context, connector)));
      if ((person + 1) % 50 === 0) context.log(`${person + 1} of ${people} have left`);
    }
    const ms = (value: number) => value.toFixed(1);
    return [
      {
        name: `deactivation: SCIM answer → first refusal at the graph, ${people} people, ms`,
        figures: {
          p50: ms(percentile(delays, 0.5)),
          p99: ms(percentile(delays, 0.99)),
          max: ms(Math.max(...delays)),
        },
      },
    ];
  },
};
