import type { Current, Present } from './current.ts';
import type { Item, Plain } from './document.ts';
import { type Change, described, onlyIn } from './order.ts';
import type { Difference } from './plan.ts';

/** Returns the effects of changes beyond the objects that they name. */
export const warningsOf = (differences: readonly Difference[], current: Current): string[] =>
  differences.flatMap((each) => {
    // A trusted issuer has no update.
    if (each.section === 'trustedIssuers' && each.action === 'change')
      return `${each.key} is deleted and created again: the bindings of its subjects to users are deleted.`;
    if (each.section === 'apis') return ofApi(each);
    return each.section === 'clientDocumentPolicy' ? ofPolicy(each, differences, current) : [];
  });

function ofApi(each: Difference): string[] {
  if (each.action === 'delete')
    return [`The API ${each.key} is deleted with its scopes and roles. ${revoked}`];
  if (each.action === 'create' || !('present' in each)) return [];
  const removed = removedBy(each);
  return removed.length === 0
    ? []
    : [`The API ${each.key}, and all clients, users and groups, lose ${removed.join(', ')}. ${revoked}`];
}

const revoked = 'Access tokens of its clients are revoked.';

const removedBy = ({ fields, item, present }: Change): string[] =>
  described
    .filter((field) => fields.includes(field))
    .flatMap((field) => onlyIn(present.item[field], item[field]).map(({ name }) => name));

/** Default of each member (`updateClientDocumentPolicy`), which null restores. */
const defaults: Item = {
  hosts: [],
  registration: 'TOKEN',
  redirectHosts: [],
  scopes: ['openid', 'profile', 'email', 'offline_access'],
  apis: [],
};

const policyOf = (item: Item): Item =>
  Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, item[name] ?? value]));

const texts = (value: Plain | undefined): readonly string[] => (value ?? []) as readonly string[];

/** Maximum number of clients that a warning names. */
const mostNamed = 10;

function ofPolicy(
  { fields, ...each }: Difference,
  differences: readonly Difference[],
  current: Current,
): string[] {
  if (each.action !== 'change') return [];
  const before = policyOf(current.settings.clientDocumentPolicy.item);
  const after = policyOf({ ...before, ...each.item });
  const pruned = new Set(differences.flatMap((one) => (one.action === 'delete' ? one.present.id : [])));
  const clients = current.lists.clients.filter(({ id }) => isUnapproved(id) && !pruned.has(id));
  const deleted = clients.filter((client) => !isAllowed(client, after)).map(({ key }) => key);
  const lost = ['scopes', 'apis']
    .filter((name) => fields.includes(name))
    .flatMap((name) => texts(before[name]).filter((one) => !texts(after[name]).includes(one)));
  return [
    ...(deleted.length === 0
      ? []
      : [
          `Clients that clientDocumentPolicy no longer allows are deleted with everything issued to them (${deleted.length}): ${shortened(deleted)}.`,
        ]),
    ...(lost.length === 0 || deleted.length === clients.length
      ? []
      : [
          `Clients with a metadata document or an open registration lose ${lost.join(', ')}. Their access tokens are revoked.`,
        ]),
  ];
}

const shortened = (names: readonly string[]): string =>
  [...names.slice(0, mostNamed), ...(names.length > mostNamed ? ['…'] : [])].join(', ');

/** Such ids are those of clients that no administrator registered. */
const isUnapproved = (id: string): boolean => isOfDocument(id) || /^open-[0-9a-f-]{36}$/.test(id);

const isOfDocument = (id: string): boolean => id.startsWith('https://') && URL.canParse(id);

/** Reports whether a policy allows a client, by the rules of the server (docs/concepts/client-metadata-documents.md). */
function isAllowed({ id, raw }: Present, { hosts, registration, redirectHosts }: Item): boolean {
  if (isOfDocument(id)) return isAmong(texts(hosts), new URL(id).host);
  return (
    registration === 'OPEN' &&
    texts(raw.redirectUris).every((uri) => {
      if (!URL.canParse(uri)) return false;
      const { protocol, host } = new URL(uri);
      // Open registration accepts http at loopback addresses only.
      return protocol === 'http:' || isAmong(texts(redirectHosts), host);
    })
  );
}

const isAmong = (hosts: readonly string[], host: string): boolean =>
  hosts.includes('*') || hosts.includes(host);
