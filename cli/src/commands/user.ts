import { randomUUID } from 'node:crypto';
import { Failure } from '../failure.ts';
import { DeactivateUser, DeleteUser, FindUsers } from '../graph/generated/users.ts';
import { made } from '../graph/graph.ts';
import { type Cell, listing, shown, table } from '../output/text.ts';
import type { Context } from './context.ts';
import type { Arguments, GroupDefinition } from './definition.ts';
import {
  allClosed,
  type Closed,
  type Departure,
  departuresOf,
  type KnownSecret,
  type SecretOwner,
} from './offboarding.ts';
import {
  type AccessPathsOf,
  accessPathNames,
  accessPathsOf,
  type FoundUser,
  isUserId,
  type OpenDoors,
  openOf,
  userNamed,
} from './users.ts';
import { wholeNumber } from './values.ts';

async function find(context: Context, given: Arguments): Promise<void> {
  const text = given.at(0);
  const most = wholeNumber(given, 'limit', { from: 1, to: 100_000 });
  const graph = await context.graph();
  const contains = { contains: text };
  const where = {
    or: [
      { userName: contains },
      { displayName: contains },
      { email: { startsWith: text } },
      { externalId: { equals: text } },
    ],
    ...(given.flag('active') ? { active: true } : {}),
  };
  const found: FoundUser[] = [];
  const pages = graph.all(FindUsers, { where, first: Math.min(100, most + 1) }, ({ users }) => users);
  let isCut = false;
  for await (const user of pages) {
    isCut = found.length === most;
    if (isCut) break;
    found.push(user);
    if (found.length % 1_000 === 0) context.terminal.progress(`${found.length} found`);
    context.mayGoOn();
  }
  context.terminal.result(
    found.map((user) => ({ ...user, emails: user.emails.map(({ value }) => value) })),
    () =>
      found.length === 0
        ? ['No user matches.']
        : table(['id', 'user name', 'name', 'active', 'email'], found.map(rowOf)),
  );
  if (isCut) context.terminal.warn(`More than ${most} users match: --limit sets how many are shown.`);
}

const rowOf = ({ id, userName, displayName, active, emails }: FoundUser): Cell[] => [
  id,
  userName,
  displayName,
  active,
  (emails.find(({ primary }) => primary) ?? emails[0])?.value,
];

async function doors(context: Context, given: Arguments): Promise<void> {
  const graph = await context.graph();
  const name = given.at(0);
  // A deleted user keeps the id, and departures under it.
  const id = isUserId(name) ? name.toLowerCase() : (await userNamed(graph, name)).id;
  const [{ person, open }, departures] = await Promise.all([openOf(graph, id), departuresOf(graph, id)]);
  if (person === null && departures.length === 0)
    throw new Failure('notFound', `There is no user with the id ${id}.`);
  const of = person ?? { user: null, roles: [], signInWays: [], open };
  context.terminal.result({ ...of, departures }, () => [
    ...(person === null ? listing({ person: `deleted (${id})` }) : heading(person)),
    '',
    ...openLines(open),
    ...departures.flatMap((departure) => ['', ...offboardingLines(departure)]),
  ]);
}

const heading = ({ user, roles, signInWays }: AccessPathsOf): string[] =>
  listing({
    person: `${user.userName} (${user.id})`,
    name: user.displayName,
    active: user.active,
    roles,
    'signs in with': user.active ? signInWays : ['nothing'],
  });

const openLines = (open: OpenDoors): string[] =>
  table(
    ['open', 'count'],
    Object.entries(accessPathNames).map(([name, text]) => [text, open[name as keyof OpenDoors]]),
  );

function offboardingLines(departure: Departure): string[] {
  return [
    `Offboarded ${departure.leftAt ?? 'at an unknown time'}, all access revoked ${departure.closedAt}`,
    ...table(
      ['closed', 'count', 'at'],
      departure.doors.map(({ name, count, closedAt }) => [
        name.toLowerCase().replaceAll('_', ' '),
        count,
        closedAt,
      ]),
    ),
    ...(departure.secrets.length === 0 ? [] : ['', ...secretLines(departure)]),
    ...(departure.deliveries.length === 0 ? [] : ['', ...deliveryLines(departure)]),
  ];
}

const secretLines = ({ secrets, userId }: Departure): string[] =>
  table(
    ['known secret', 'name', 'revoked', 'notify'],
    secrets.map((secret) => [
      secret.kind.toLowerCase().replaceAll('_', ' '),
      secret.name ?? secret.credentialId,
      endOf(secret),
      secret.owner && (secret.owner.id === userId ? '–, owned by the user' : notifiedOf(secret.owner)),
    ]),
  );

const endOf = ({ ended, endsAt }: KnownSecret): string =>
  ended ? 'immediately' : endsAt === null ? 'no: rotate it' : `valid until ${endsAt}`;

const notifiedOf = ({ kind, name }: SecretOwner): string => (kind === 'user' ? name : `${name} (group)`);

const deliveryLines = ({ deliveries }: Departure): string[] =>
  table(
    ['told', 'how', 'state', 'delivered at', 'last error'],
    deliveries.map((delivery) => [
      delivery.receiverName ?? delivery.receiverId,
      delivery.kind,
      delivery.state,
      delivery.deliveredAt,
      delivery.lastError,
    ]),
  );

async function offboard(context: Context, given: Arguments): Promise<void> {
  const { terminal, signal } = context;
  const timeoutMs = wholeNumber(given, 'timeout', { from: 1, to: 3_600 }) * 1000;
  const graph = await context.graph();
  const { id } = await userNamed(graph, given.at(0));
  const [before, known] = await Promise.all([accessPathsOf(graph, id), departuresOf(graph, id)]);
  const { active, userName, version } = before.user;
  const isDeletion = given.flag('delete');
  const waiting = { timeoutMs, signal, onWaiting: (text: string) => terminal.progress(text) };
  if (!active && !isDeletion) {
    terminal.note(`${userName} was deactivated before; no changes were necessary.`);
    return reported(context, before, await allClosed(graph, id, { ...waiting, known: undefined }), undefined);
  }
  for (const line of [...heading(before), '', ...openLines(before.open)]) terminal.progressLine(line);
  await terminal.confirm(
    `${isDeletion ? 'Delete' : 'Deactivate'} ${userName}, and revoke all of this access?`,
  );
  context.mayGoOn();
  const begun = Date.now();
  const input = { id, version, idempotencyKey: randomUUID() };
  if (isDeletion) made((await graph.ask(DeleteUser, { input })).deleteUser);
  else made((await graph.ask(DeactivateUser, { input })).deactivateUser);
  terminal.progress(`${isDeletion ? 'Deleted' : 'Deactivated'}; checking all access paths`);
  const closed = await allClosed(graph, id, { ...waiting, known: active ? known : undefined });
  reported(context, before, closed, begun);
}

/** @param begun time of the request, if this command made it */
function reported(
  context: Context,
  before: AccessPathsOf,
  { person, after, departure, waitedMs }: Closed,
  begun: number | undefined,
): void {
  const tookMs = departure?.leftAt ? Date.parse(departure.closedAt) - Date.parse(departure.leftAt) : null;
  context.terminal.result(
    {
      user: person?.user ?? { ...before.user, active: false },
      deleted: person === null,
      askedAt: begun === undefined ? null : new Date(begun).toISOString(),
      before: before.open,
      after,
      departure,
      closedAfterMs: tookMs,
      seenClosedAfterMs: waitedMs,
    },
    () => [
      `${shown(before.user.userName)} ${person === null ? 'is deleted' : 'is offboarded'}${tookMs === null ? '' : `; all access revoked within ${tookMs} ms`}.`,
      '',
      ...table(
        ['access path', 'before', 'after'],
        Object.entries(accessPathNames).map(([name, text]) => [
          text,
          before.open[name as keyof OpenDoors],
          after[name as keyof OpenDoors],
        ]),
      ),
      ...(departure === null ? [] : ['', ...offboardingLines(departure)]),
    ],
  );
}

export const userCommands: GroupDefinition = {
  name: 'user',
  summary: 'Finds and offboards users.',
  commands: [
    {
      usage: 'find <text>',
      summary: 'Lists users whose user name or name contains a text, or whose email address begins with it.',
      options: [
        { flags: '--active', description: 'active users only' },
        { flags: '--limit <number>', description: 'maximum number of users', default: '100' },
      ],
      examples: ['ostiary user find archer', 'ostiary user find alice@acme.example --json'],
      run: find,
    },
    {
      usage: 'doors <user>',
      summary: 'Shows the open access paths of a user, or the report of their offboarding.',
      details: 'Accepts user name, email address or id; for deleted users the id only.',
      examples: ['ostiary user doors alice', 'ostiary user doors alice --json | jq .open.sessions'],
      run: doors,
    },
    {
      usage: 'offboard <user>',
      summary: 'Deactivates a user and waits until every access path is closed.',
      details:
        'Shows open access paths, asks for confirmation, and reports the time at which each closed. The command is idempotent. Exits with 1 if an access path is still open after the timeout.',
      options: [
        { flags: '--delete', description: 'delete the user' },
        { flags: '--timeout <seconds>', description: 'timeout', default: '60' },
      ],
      examples: ['ostiary user offboard alice', 'ostiary user offboard alice@acme.example --yes --json'],
      run: offboard,
    },
  ],
};
