import { graph } from '../support/graph.ts';
import { bindUserName } from '../support/issuer-subjects.ts';
import { adminToken } from '../support/sign-in.ts';
import type { Scene } from './scene.ts';
import type { Trigger } from './trigger.ts';

const changeAccount = ({ place, account: { id } }: Scene, change: object): Promise<void> =>
  place
    .change('updateServiceAccount', 'UpdateServiceAccountInput', { id, ...change }, 'serviceAccount { id }')
    .then();

const changeConnector = ({ place, connector: { id } }: Scene, change: object): Promise<void> =>
  place.change('updateConnector', 'UpdateConnectorInput', { id, ...change }, 'connector { id }').then();

/** The partner's subject is the user name. */
async function unbind({ place, person }: Scene): Promise<void> {
  const admin = await adminToken(place.tenant);
  const query = `query ($userId: ID!) {
    issuerSubjects(first: 100, filter: { userId: $userId }) { edges { node { id trustedIssuerId } } }
  }`;
  const { data } = await graph(place.demo, admin, query, { userId: person.id });
  for (const { node } of data.issuerSubjects.edges) {
    if (node.trustedIssuerId !== place.partner.issuerId) continue;
    await place.change('unbindIssuerSubject', 'UnbindIssuerSubjectInput', { id: node.id }, '__typename');
  }
}

/**
 * Triggers that remove permissions of a service account, an identity source or a trusted issuer. Those of clients are
 * in the other files.
 */
export const narrowing: readonly Trigger[] = [
  {
    name: 'scope taken from a service account',
    column: 'service account narrowed',
    fire: (scene) => changeAccount(scene, { scopes: ['groups:read'] }),
  },
  {
    name: 'service account disabled',
    column: 'service account narrowed',
    fire: (scene) => changeAccount(scene, { disabled: true }),
    comeBack: (scene) => changeAccount(scene, { disabled: false }),
  },
  {
    name: 'connector made READ_ONLY',
    column: 'connector narrowed',
    fire: (scene) => changeConnector(scene, { access: 'READ_ONLY' }),
    comeBack: (scene) => changeConnector(scene, { access: 'READ_WRITE' }),
  },
  {
    name: 'account protected from a connector',
    column: 'connector narrowed',
    fire: (scene) => changeConnector(scene, { protectedAccounts: { userIds: [scene.colleague.id] } }),
    comeBack: (scene) => changeConnector(scene, { protectedAccounts: null }),
  },
  {
    name: 'trusted issuer deleted',
    column: 'trust withdrawn',
    // Other users of the shared tenant also depend on the issuer.
    ownTenant: true,
    done: /NOT_FOUND/,
    fire: ({ place }) =>
      place
        .change(
          'deleteTrustedIssuer',
          'DeleteTrustedIssuerInput',
          { id: place.partner.issuerId },
          '__typename',
        )
        .then(),
  },
  {
    name: 'issuer’s subject unbound',
    column: 'trust withdrawn',
    fire: unbind,
    comeBack: ({ place, person }) =>
      bindUserName(place.demo, place.tenant, place.partner.issuerId, person.user.userName),
  },
];
