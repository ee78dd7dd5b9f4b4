import type {
  OverviewExpiringQuery,
  OverviewNamesQuery,
  OverviewOwnerlessQuery,
  OverviewPolicyQuery,
  OverviewReceiversQuery,
} from './generated/attention.ts';
import type { OverviewFailedRequestsQuery, OverviewSourcesQuery } from './generated/figures.ts';
import { type Offboarded, openAccessPathsOf } from './offboarded.ts';

export type AttentionKind =
  | 'openDoors'
  | 'failing'
  | 'receiverOff'
  | 'dead'
  | 'lag'
  | 'sourceOff'
  | 'sourceSilent'
  | 'sourceUnused'
  | 'tokenExpires'
  | 'failedRequests'
  | 'keyExpires'
  | 'apiKeys'
  | 'personalTokens'
  | 'ownerless'
  | 'sameUsers'
  | 'sameGroups'
  | 'noSecondFactor'
  | 'partly';

/** A finding that needs attention, with the page that resolves it. */
export interface Attention {
  id: string;
  kind: AttentionKind;
  tone: 'bad' | 'warn' | undefined;
  name?: string;
  count?: number;
  at?: string;
  path: string;
  search?: Readonly<Record<string, string>>;
}

export interface Findings {
  departures: readonly Offboarded[] | undefined;
  receivers: OverviewReceiversQuery | undefined;
  sources: OverviewSourcesQuery['connectors'] | undefined;
  failedRequests: OverviewFailedRequestsQuery['provisioningLog'] | undefined;
  expiring: OverviewExpiringQuery | undefined;
  ownerless: OverviewOwnerlessQuery | undefined;
  names: OverviewNamesQuery | undefined;
  policy: OverviewPolicyQuery['tenantPolicy'] | undefined;
  now: number;
}

export const soonMs = 14 * 86_400_000;
const silentMs = 3 * 86_400_000;
const lagMs = 5 * 60_000;
/** Number of entries of each list that are checked. */
const lookedAt = 100;

export const attentionOf = (findings: Findings): Attention[] => [
  ...ofOffboardings(findings),
  ...ofReceivers(findings),
  ...ofSources(findings),
  ...ofExpiring(findings),
  ...ofTenant(findings),
];

function ofOffboardings({ departures }: Findings): Attention[] {
  const count = departures ? openAccessPathsOf(departures).count : 0;
  const first = departures?.find(({ isBack, open }) => !isBack && (open ?? 0) > 0);
  return first
    ? [{ id: 'openDoors', kind: 'openDoors', tone: 'bad', count, path: `users/${first.userId}` }]
    : [];
}

function ofReceivers({ receivers, now }: Findings): Attention[] {
  const webhooks = (receivers?.webhooks?.edges ?? []).flatMap(({ node }) =>
    node ? [{ ...node, path: `webhooks/${node.id}` }] : [],
  );
  const streams = (receivers?.signalStreams?.edges ?? []).flatMap(({ node }) =>
    node ? [{ ...node, name: node.client?.name ?? node.id, path: `signals/${node.id}` }] : [],
  );
  const found: Attention[] = [...webhooks, ...streams].flatMap(
    ({ id, name, path, status, failingSince }): Attention[] =>
      status !== 'ENABLED'
        ? [{ id, kind: 'receiverOff', tone: 'warn', name, path }]
        : failingSince !== null
          ? [{ id, kind: 'failing', tone: 'bad', name, at: failingSince, path }]
          : [],
  );
  const dead = receivers?.dead?.totalCount ?? 0;
  if (dead > 0)
    found.push({
      id: 'dead',
      kind: 'dead',
      tone: 'bad',
      count: dead,
      path: 'deliveries',
      search: { state: 'DEAD' },
    });
  const oldest = receivers?.pending?.edges[0]?.node;
  if (oldest && now - Date.parse(oldest.createdAt) > lagMs)
    found.push({
      id: 'lag',
      kind: 'lag',
      tone: 'warn',
      count: receivers?.pending?.totalCount ?? 0,
      at: oldest.createdAt,
      path: 'deliveries',
      search: { state: 'PENDING' },
    });
  return found;
}

function ofSources({ sources, failedRequests, now }: Findings): Attention[] {
  const found: Attention[] = [];
  for (const { node } of sources?.edges ?? []) {
    const { id, name, status, tokens, owner, clientId, createdAt } = node;
    const at = { id: `source-${id}`, name, path: `sources/${id}` };
    if (status === 'DISABLED') found.push({ ...at, kind: 'sourceOff', tone: 'warn' });
    if (owner === null) found.push({ ...at, id: `${at.id}-owner`, kind: 'ownerless', tone: 'warn' });
    const [current] = tokens ?? [];
    if (current?.expiresAt && Date.parse(current.expiresAt) - now < soonMs)
      found.push({ ...at, id: `${at.id}-token`, kind: 'tokenExpires', tone: 'warn', at: current.expiresAt });
    // Activity of an OAuth client of the source is not recorded at the tokens.
    if (status === 'DISABLED' || clientId !== null || !tokens) continue;
    const last = tokens
      .flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]))
      .sort()
      .at(-1);
    if (last === undefined) {
      if (now - Date.parse(createdAt) > silentMs) found.push({ ...at, kind: 'sourceUnused', tone: 'warn' });
    } else if (now - Date.parse(last) > silentMs)
      found.push({ ...at, kind: 'sourceSilent', tone: 'warn', at: last });
  }
  const failed = failedRequests?.totalCount ?? 0;
  if (failed > 0)
    found.push({
      id: 'failedRequests',
      kind: 'failedRequests',
      tone: undefined,
      count: failed,
      path: 'logs',
      search: { logs: 'request', failed: 'yes' },
    });
  return found;
}

function ofExpiring({ expiring, sources, now }: Findings): Attention[] {
  const found: Attention[] = [];
  const apiKeys = expiring?.apiKeys?.totalCount ?? 0;
  const [first] = expiring?.apiKeys?.edges ?? [];
  if (apiKeys > 0)
    found.push({
      id: 'apiKeys',
      kind: 'apiKeys',
      tone: 'warn',
      count: apiKeys,
      path:
        apiKeys === 1 && first?.node ? `service-accounts/${first.node.serviceAccountId}` : 'service-accounts',
    });
  const tokens = expiring?.personalAccessTokens?.totalCount ?? 0;
  if (tokens > 0)
    found.push({
      id: 'personalTokens',
      kind: 'personalTokens',
      tone: undefined,
      count: tokens,
      path: 'users',
    });
  for (const { node } of expiring?.serviceAccounts?.edges ?? []) {
    const end = node?.publicKeys
      ?.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt]))
      .sort()[0];
    if (node && !node.disabled && end !== undefined && Date.parse(end) - now < soonMs)
      found.push({
        id: `key-${node.id}`,
        kind: 'keyExpires',
        tone: 'warn',
        name: node.name,
        at: end,
        path: `service-accounts/${node.id}`,
      });
  }
  const isPartly =
    (expiring?.serviceAccounts?.totalCount ?? 0) > lookedAt || (sources?.totalCount ?? 0) > lookedAt;
  if (isPartly)
    found.push({ id: 'partly', kind: 'partly', tone: undefined, count: lookedAt, path: 'service-accounts' });
  return found;
}

function ofTenant({ ownerless, names, policy }: Findings): Attention[] {
  const found: Attention[] = [];
  const nobodys: [string, number, string][] = [
    ['clients', ownerless?.clients?.totalCount ?? 0, 'applications'],
    ['accounts', ownerless?.serviceAccounts?.totalCount ?? 0, 'service-accounts'],
    ['keys', ownerless?.apiKeys?.totalCount ?? 0, 'service-accounts'],
  ];
  for (const [id, count, path] of nobodys)
    if (count > 0)
      found.push({ id: `ownerless-${id}`, kind: 'ownerless', tone: undefined, name: id, count, path });
  const users = names?.usersSharingNames?.totalCount ?? 0;
  const groups = names?.groupsSharingNames?.totalCount ?? 0;
  if (users > 0)
    found.push({ id: 'sameUsers', kind: 'sameUsers', tone: 'warn', count: users, path: 'users' });
  if (groups > 0)
    found.push({ id: 'sameGroups', kind: 'sameGroups', tone: undefined, count: groups, path: 'groups' });
  if (policy && !policy.requireSecondFactorForAdministrators)
    found.push({ id: 'noSecondFactor', kind: 'noSecondFactor', tone: undefined, path: 'tenant' });
  return found;
}
