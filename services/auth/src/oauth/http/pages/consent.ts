import { html } from 'ghtml';
import { type App, appLinks, appLogo } from '../../../platform/pages/http/app.ts';
import { layout, type Markup, sentence } from '../../../platform/pages/http/layout.ts';
import { words } from '../../../platform/pages/http/words.ts';
import { deviceNotice } from './device.ts';

export interface ConsentPage {
  tenantName: string;
  app: App;
  /**
   * Of an app that no administrator approved: host of its metadata document, undefined if it registered itself; whether
   * its redirect URI is on the device.
   */
  publisher: { host: string | undefined; onDevice: boolean } | undefined;
  /** Host or scheme of the redirect URI. */
  destination: string;
  action: string;
  /** Address of the sign-in page, to use another account. */
  switchAccount: string;
  interaction: string;
  csrf: string;
  /** Scopes about the user, without `openid`, and scopes of the tenant's API. */
  scopes: readonly string[];
  apiScopes: readonly string[];
  /** Defined APIs with their requested scopes. */
  apis: readonly { name: string; scopes: readonly string[] }[];
  /** Every displayed scope, separated by spaces. The form returns exactly these. */
  shown: string;
  /** Editions of the displayed APIs, separated by spaces. The form returns exactly these. */
  shownApis: string;
  /**
   * The token also permits access to the tenant's own API, where a user's token reads and revokes the user's own
   * objects.
   */
  ownAccount: boolean;
  userName: string;
  displayName: string | undefined;
  /** Code of the requesting device, if any. The page then names no destination. */
  userCode: string | undefined;
}

const tick: Markup = `<svg viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m4.5 10.5 3.5 3.5 7.5-8"/></svg>`;

export function consentPage(page: ConsentPage): Markup {
  const { consent } = words;
  const name = page.displayName ?? page.userName;
  return layout({
    title: consent.title(page.app.name),
    tenantName: page.tenantName,
    body: html`!${appLogo(page.app)}<h1>!${sentence(consent.heading(page.app.name))}</h1>
!${page.userCode === undefined ? '' : deviceNotice(page.userCode)}
<section class="account" aria-label="${consent.account}">
<span class="initial" aria-hidden="true">${initial(name)}</span>
<div>
<p><strong>${name}</strong></p>
!${name === page.userName ? '' : html`<p class="hint">${page.userName}</p>`}
<p class="hint"><a href="${page.switchAccount}">${consent.switch}</a></p>
</div>
</section>
!${publisherNotice(page.publisher)}
!${asked(page)}
<form method="post" action="${page.action}">
<input type="hidden" name="i" value="${page.interaction}">
<input type="hidden" name="csrf" value="${page.csrf}">
<input type="hidden" name="scope" value="${page.shown}">
<input type="hidden" name="apis" value="${page.shownApis}">
<button type="submit" name="action" value="allow">${consent.allow}</button>
<button type="submit" name="action" value="deny" class="quiet">${consent.deny}</button>
</form>
!${page.userCode === undefined ? html`<p class="hint">!${sentence(consent.destination(page.destination))}.${page.publisher ? '' : ` ${consent.remembered}`}</p>` : ''}
!${appLinks(page.app)}`,
  });
}

/** The name of the app is only its own claim, so the host of a document is shown (RFC 9700 §4.14). */
function publisherNotice(publisher: ConsentPage['publisher']): Markup {
  if (publisher === undefined) return '';
  const { consent } = words;
  const { host } = publisher;
  return html`<p class="note">!${host === undefined ? html`${consent.selfRegistered}` : sentence(consent.publisher(host))}</p>
!${publisher.onDevice ? html`<p class="note">${consent.onDevice}</p>` : ''}`;
}

/**
 * Lists the requested permissions. Signing in (`openid`) is not a permission: it has a sentence only if nothing else
 * is requested.
 */
function asked(page: ConsentPage): Markup {
  const { consent } = words;
  const own = [...page.scopes, ...(page.ownAccount ? [consent.ownAccount] : [])];
  const apis = [
    { heading: consent.api(page.tenantName), scopes: page.apiScopes },
    ...page.apis.map(({ name, scopes }) => ({ heading: consent.definedApi(name), scopes })),
  ].filter(({ scopes }) => scopes.length > 0);
  if (own.length === 0 && apis.length === 0) return html`<p class="lead">${consent.identityOnly}</p>`;
  return html`<p class="lead" id="asked">${consent.lead}</p>
!${own.length === 0 ? '' : listed(own, 'asked')}
!${apis.map(({ heading, scopes }, index) => {
    const id = index === 0 ? 'asked-of-api' : `asked-of-api-${index}`;
    return html`<p class="lead" id="${id}">!${sentence(heading)}</p>
!${listed(scopes, `asked ${id}`)}`;
  })}`;
}

const listed = (descriptions: readonly string[], labels: string): Markup =>
  html`<ul class="scopes" aria-labelledby="${labels}">
!${descriptions.map((description) => html`<li>!${tick}<span>${description}</span></li>`)}
</ul>`;

const initial = (name: string): string => (Array.from(name.trim())[0] ?? '?').toUpperCase();
