import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';
import { clientIdOf } from './place.ts';
import { type Scene, withdraw } from './scene.ts';
import type { Trigger } from './trigger.ts';

/** Ends the delegations of the user as an administrator. */
async function endDelegations({ place, person }: Scene): Promise<void> {
  const query = 'query ($id: ID!) { user(id: $id) { delegations(first: 100) { edges { node { id } } } } }';
  const { data } = await graph(place.demo, await adminToken(place.tenant), query, { id: person.id });
  const delegations: { node: { id: string } }[] = data.user.delegations.edges;
  if (delegations.length === 0) throw new Error('no delegation to end');
  for (const { node } of delegations)
    await place.change('endDelegation', 'EndDelegationInput', { id: node.id }, 'id');
}

/** Triggers that end the access of an agent. */
export const ofAgents: readonly Trigger[] = [
  { name: 'endDelegation in the graph', column: 'agent ended', fire: endDelegations },
  {
    name: 'agent removed by the user',
    column: 'agent ended',
    fire: (scene) => withdraw(scene, scene.apps.agent),
  },
  {
    name: 'agent disabled',
    column: 'agent ended',
    fire: ({ place, apps }) =>
      place.change('disableClient', 'ClientInput', { id: clientIdOf(apps.agent) }, 'client { id }').then(),
    comeBack: ({ place, apps }) =>
      place.change('enableClient', 'ClientInput', { id: clientIdOf(apps.agent) }, 'client { id }').then(),
  },
];
