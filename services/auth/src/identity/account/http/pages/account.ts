import { html } from 'ghtml';
import { layout, type Markup } from '../../../../platform/pages/http/layout.ts';
import { hidden } from '../../../../platform/pages/http/passkey.ts';
import { words } from '../../../../platform/pages/http/words.ts';

export interface AccountPage {
  tenantName: string;
  /** `/t/{tenant}/account`, the prefix of all addresses of the page. */
  base: string;
  signOut: string;
  csrf: string;
  userName: string;
  displayName: string | undefined;
  /** A change was just made. */
  done: boolean;
  /** The user has roles that count only after a sign-in with a second factor. */
  rolesNeedFactor: boolean;
  /** The user has roles that the credential of the sign-in does not carry. */
  rolesNeedRenewal: boolean;
  password: boolean;
  totp: boolean;
  recoveryCodes: number;
  passkeys: readonly { id: string; name: string; added: Markup; lastUsed: Markup | undefined }[];
  passkeysAvailable: boolean;
  sessions: readonly {
    id: string;
    browser: string;
    address: string | null;
    lastSeen: Markup;
    current: boolean;
  }[];
  apps: readonly {
    clientId: string;
    name: string | null;
    agent: boolean;
    scopes: readonly string[];
    since: Markup;
  }[];
  tokens: readonly { id: string; name: string; hint: string; until: Markup; lastUsed: Markup }[];
}

/** Returns the account page. Changes that need more than a click have pages of their own. */
export function accountPage(page: AccountPage): Markup {
  const { account } = words;
  const name = page.displayName ?? page.userName;
  return layout({
    title: account.title,
    tenantName: page.tenantName,
    wide: true,
    body: html`<h1>${account.title}</h1>
!${page.done ? html`<p class="note" role="status">${account.done}</p>` : ''}
!${page.rolesNeedFactor ? html`<p class="note">${account.rolesNeedFactor}</p>` : ''}
!${page.rolesNeedRenewal ? html`<p class="note">${account.rolesNeedRenewal}</p>` : ''}
<section class="account" aria-label="${words.consent.account}">
<span class="initial" aria-hidden="true">${(Array.from(name.trim())[0] ?? '?').toUpperCase()}</span>
<div>
<p><strong>${name}</strong></p>
!${name === page.userName ? '' : html`<p class="hint">${page.userName}</p>`}
</div>
<a class="small quiet" href="${page.signOut}">${account.signOut}</a>
</section>
!${signInSection(page)}
!${sessionsSection(page)}
!${appsSection(page)}
!${tokensSection(page)}`,
  });
}

function signInSection(page: AccountPage): Markup {
  const { account } = words;
  const factor = page.totp || page.passkeys.length > 0;
  const rows = [
    row(
      account.password,
      page.password ? account.passwordSet : account.passwordNone,
      link(page, 'password', page.password ? account.change : account.set, account.password),
    ),
    row(
      account.totp,
      page.totp ? account.totpOn : account.totpOff,
      page.totp
        ? button(page, 'totp/remove', {}, account.turnOff, account.totp)
        : link(page, 'totp', account.setUp, account.totp),
    ),
    ...(factor
      ? [
          row(
            account.recoveryCodes,
            account.codesLeft(page.recoveryCodes),
            link(page, 'recovery-codes', account.newCodes, account.recoveryCodes),
          ),
        ]
      : []),
    ...(page.passkeysAvailable
      ? [
          row(
            account.passkeys,
            page.passkeys.length === 0 ? account.passkeysNone : '',
            link(page, 'passkeys', account.addPasskey),
          ),
        ]
      : []),
    ...page.passkeys.map((passkey) =>
      row(
        passkey.name,
        html`!${passkey.added}!${passkey.lastUsed === undefined ? '' : html` &middot; !${passkey.lastUsed}`}`,
        button(page, 'passkeys/remove', { id: passkey.id }, account.remove, passkey.name),
        true,
      ),
    ),
  ];
  return section('sign-in', account.signInHeading, html`<ul class="rows">!${rows}</ul>`);
}

function sessionsSection(page: AccountPage): Markup {
  const { account } = words;
  const rows = page.sessions.map((session) =>
    row(
      session.browser,
      html`!${session.current ? html`<strong>${account.thisBrowser}</strong> &middot; ` : ''}!${session.lastSeen}!${session.address === null ? '' : html` &middot; ${session.address}`}`,
      session.current ? '' : button(page, 'sessions/end', { id: session.id }, account.end, session.browser),
      true,
    ),
  );
  const others = page.sessions.some((session) => !session.current);
  return section(
    'sessions',
    account.sessions,
    html`<ul class="rows">!${rows}</ul>!${others ? button(page, 'sessions/end-others', {}, account.endOthers) : ''}`,
  );
}

function appsSection(page: AccountPage): Markup {
  const { account } = words;
  if (page.apps.length === 0)
    return section('apps', account.apps, html`<p class="hint">${account.appsNone}</p>`);
  const rows = page.apps.map((app) => {
    const name = app.name ?? account.appGone;
    const lines = app.agent ? [account.agent, ...app.scopes] : app.scopes;
    return row(
      name,
      html`!${lines.map((line) => html`<span class="line">${line}</span>`)}!${app.since}`,
      button(page, 'apps/withdraw', { client: app.clientId }, account.withdraw, name),
      true,
    );
  });
  return section('apps', account.apps, html`<ul class="rows">!${rows}</ul>`);
}

function tokensSection(page: AccountPage): Markup {
  const { account } = words;
  const rows = page.tokens.map((token) =>
    row(
      token.name,
      html`<code>&hellip;${token.hint}</code> &middot; !${token.until} &middot; !${token.lastUsed}`,
      button(page, 'tokens/revoke', { id: token.id }, account.revoke, token.name),
      true,
    ),
  );
  return section(
    'tokens',
    account.tokens,
    html`!${rows.length === 0 ? html`<p class="hint">${account.tokensNone}</p>` : html`<ul class="rows">!${rows}</ul>`}
<p>!${link(page, 'tokens', account.newToken)}</p>`,
  );
}

const section = (id: string, heading: string, body: Markup): Markup =>
  html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>!${body}</section>`;

/** @param marked whether `text` is markup */
const row = (name: string, text: string, action: Markup, marked = false): Markup =>
  html`<li><div><p><strong>${name}</strong></p>!${text === '' ? '' : marked ? html`<p class="hint">!${text}</p>` : html`<p class="hint">${text}</p>`}</div>!${action}</li>`;

/** Returns the label for screen readers, because several links on the page have the same text. */
const label = (action: string, about: string | undefined): Markup =>
  about === undefined ? '' : html` aria-label="${words.account.of(action, about)}"`;

const link = (page: AccountPage, path: string, text: string, about?: string): Markup =>
  html`<a class="small quiet" href="${page.base}/${path}"!${label(text, about)}>${text}</a>`;

const button = (
  page: AccountPage,
  path: string,
  fields: Readonly<Record<string, string>>,
  text: string,
  about?: string,
): Markup =>
  html`<form method="post" action="${page.base}/${path}">!${hidden({ csrf: page.csrf, ...fields })}<button type="submit" class="small quiet"!${label(text, about)}>${text}</button></form>`;
