import { isUuid } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from 'ghtml';
import type { ApiTokenSummary } from '../../../access/index.ts';
import { countingRoles, isKnownScope, rolesAtBest } from '../../../access/index.ts';
import { descriptionIn } from '../../../clients/index.ts';
import { parseParameters, queryOf, single } from '../../../platform/index.ts';
import type { Markup } from '../../../platform/pages/http/layout.ts';
import { PageError, sendPage } from '../../../platform/pages/http/page.ts';
import { reader } from '../../../platform/pages/http/reader.ts';
import { words, wordsForScope } from '../../../platform/pages/http/words.ts';
import { type AccountVisit, changed, visit, visitByForm } from './account-session.ts';
import type { AccountDependencies } from './dependencies.ts';
import { accountPage } from './pages/account.ts';
import { browserName } from './pages/browser-name.ts';

/** GET /t/{tenant}/account, and the forms on it without a page of their own. */
export function accountRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  app.get('/t/:tenant/account', { exposeHeadRoute: false }, async (request, reply) => {
    const visited = await visit(deps, request, reply, '');
    return visited ? showAccount(deps, request, reply, visited) : reply;
  });

  app.post('/t/:tenant/account/sessions/end', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '');
    if (!visited) return reply;
    const { tenant, session, form } = visited;
    const id = single(form, 'id') ?? '';
    // Another user's session is treated like an ended one.
    const owner = await deps.sessions.owner(tenant.id, id);
    if (owner === session.subjectId) await deps.sessions.revoke(tenant.id, id);
    return changed(reply, visited);
  });

  app.post('/t/:tenant/account/sessions/end-others', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '');
    if (!visited) return reply;
    await deps.account.endOthers(visited.tenant.id, visited.session);
    return changed(reply, visited);
  });

  app.post('/t/:tenant/account/apps/withdraw', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '');
    if (!visited) return reply;
    const client = single(visited.form, 'client');
    if (client === undefined) throw new PageError('malformed', 400);
    await deps.account.withdraw(visited.tenant.id, visited.session.subjectId, client);
    return changed(reply, visited);
  });

  app.post('/t/:tenant/account/tokens/revoke', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '');
    if (!visited) return reply;
    const { tenant, session, form } = visited;
    const id = single(form, 'id') ?? '';
    const owner = isUuid(id) ? await deps.apiTokens.personalOwner(tenant.id, id) : undefined;
    if (owner === session.subjectId) await deps.apiTokens.revoke(tenant.id, id);
    return changed(reply, visited);
  });
}

async function showAccount(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  visited: AccountVisit,
): Promise<FastifyReply> {
  const { tenant, session, base, csrf } = visited;
  const { subject, password, factors, passkeys, sessions, apps, tokens } = await heldBy(deps, visited);
  const date = dates(subject?.profile.zoneinfo);
  const roles = subject?.roles ?? [];
  const held = { roles, acr: session.acr, carriedRoles: session.carriedRoles };
  const atBest = rolesAtBest(held);
  const done = single(parseParameters(queryOf(request.url)) ?? new Map(), 'done') === '1';
  return sendPage(
    reply,
    200,
    accountPage({
      tenantName: tenant.name,
      base,
      signOut: `/t/${tenant.id}/logout`,
      csrf,
      userName: session.userName,
      displayName: session.displayName,
      done,
      rolesNeedFactor: countingRoles(tenant.policy, held).length < atBest.length,
      rolesNeedRenewal: atBest.length < roles.length,
      password,
      totp: factors.totp,
      recoveryCodes: factors.recoveryCodes,
      passkeysAvailable: deps.passkeys.available,
      passkeys: shownPasskeys(passkeys, date),
      sessions: shownSessions(sessions, session.id, date),
      apps: shownApps(apps, await descriptionsOf(deps, tenant.id, apps), date),
      tokens: shownTokens(tokens, deps.kit.clock(), date),
    }),
  );
}

/** Returns everything of a user that the page shows. */
async function heldBy(deps: AccountDependencies, { tenant, session: { subjectId } }: AccountVisit) {
  const [subject, password, factors, passkeys, sessions, apps, tokens] = await Promise.all([
    deps.subjects.find(tenant.id, subjectId),
    deps.account.hasPassword(tenant.id, subjectId),
    deps.secondFactors.count(tenant.id, subjectId),
    deps.passkeys.list(tenant.id, subjectId),
    deps.sessionList.ofSubjects(tenant.id, [subjectId]),
    deps.account.apps(tenant.id, subjectId),
    deps.apiTokens.listPersonal(tenant.id, [subjectId]),
  ]);
  return { subject, password, factors, passkeys, sessions, apps, tokens };
}

type Held = Awaited<ReturnType<typeof heldBy>>;
type DateFormat = ReturnType<typeof dates>;

function shownPasskeys(passkeys: Held['passkeys'], date: DateFormat) {
  const { account, newPasskey } = words;
  return passkeys.map((passkey) => ({
    id: passkey.id,
    name: passkey.name === '' ? newPasskey.standard : passkey.name,
    added: date(passkey.createdAt, account.added),
    lastUsed: passkey.lastUsedAt === null ? undefined : date(passkey.lastUsedAt, account.lastUsed),
  }));
}

/** The current session first. */
function shownSessions(sessions: Held['sessions'], current: string, date: DateFormat) {
  const { account } = words;
  return sessions
    .map((one) => ({
      id: one.id,
      browser: browserName(one.userAgent, account),
      address: one.ipAddress,
      lastSeen: date(one.lastSeenAt, account.lastSeen),
      current: one.id === current,
    }))
    .sort((a, b) => Number(b.current) - Number(a.current));
}

/** Returns the descriptions of the scopes of defined APIs, by name. */
async function descriptionsOf(
  { apis }: AccountDependencies,
  tenant: string,
  apps: Held['apps'],
): Promise<ReadonlyMap<string, string>> {
  const names = apps.flatMap(({ scopes }) => scopes).filter((scope) => !isKnownScope(scope));
  const defined = names.length === 0 ? [] : await apis.ofScopes(tenant, names);
  const { language } = reader();
  return new Map(
    defined.flatMap(({ scopes }) => scopes.map((scope) => [scope.name, descriptionIn(language, scope)])),
  );
}

function shownApps(apps: Held['apps'], described: ReadonlyMap<string, string>, date: DateFormat) {
  return apps.map((app) => ({
    clientId: app.clientId,
    name: app.name,
    agent: app.agent,
    scopes: app.scopes
      .filter((scope) => scope !== 'openid')
      .map((scope) => described.get(scope) ?? wordsForScope(scope)),
    since: date(app.since, words.account.allowedSince),
  }));
}

function shownTokens(tokens: readonly ApiTokenSummary[], now: number, date: DateFormat) {
  const { account } = words;
  return tokens.map((token) => ({
    id: token.id,
    name: token.name,
    hint: token.hint,
    until:
      token.expiresAt === null
        ? account.neverExpires
        : token.expiresAt.getTime() < now
          ? account.expired
          : date(token.expiresAt, account.expires),
    lastUsed: token.lastUsedAt === null ? account.neverUsed : date(token.lastUsedAt, account.lastUsed),
  }));
}

/** Returns a formatter of dates in the user's language and, if the directory has it, time zone. */
function dates(zone: string | undefined): (date: Date, sentence: (date: string) => string) => Markup {
  const format = formatIn(zone) ?? formatIn('UTC');
  return (date, sentence) => {
    // Only the date in the sentence becomes an element.
    const mark = '\u0001';
    const [before = '', after = ''] = sentence(mark).split(mark);
    return html`${before}<time datetime="${date.toISOString()}">${format?.format(date) ?? ''}</time>${after}`;
  };
}

function formatIn(zone: string | undefined): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat(words.language, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zone ?? 'UTC',
      // Shown, because the zone of most users is unknown and a time without zone would be read as local.
      timeZoneName: 'short',
    });
  } catch {
    return undefined;
  }
}
