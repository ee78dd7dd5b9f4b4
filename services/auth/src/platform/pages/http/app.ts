import { html } from 'ghtml';
import type { Markup } from './layout.ts';
import { words } from './words.ts';

/** The requesting app, from its registration (OpenID Connect Registration §2). */
export interface App {
  name: string;
  /** Address of the stored copy of its `logo_uri`, on this origin. */
  logo: string | undefined;
  /** `policy_uri` */
  policy: string | undefined;
  /** `tos_uri` */
  terms: string | undefined;
}

/** Returns the logo of the app. Its alternative text is empty, because the name is beside it. */
export const appLogo = ({ logo }: App): Markup =>
  logo === undefined ? '' : html`<img class="app" src="${logo}" alt="">`;

/**
 * Returns links to the privacy policy and terms, which open in a new window, because the form here is not complete.
 */
export function appLinks({ name, policy, terms }: App): Markup {
  const links = [
    { href: policy, text: words.app.privacy(name) },
    { href: terms, text: words.app.terms(name) },
  ].map(({ href, text }) =>
    isWebAddress(href) ? html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>` : '',
  );
  return links.join('') === '' ? '' : html`<p class="hint app-links">!${links}</p>`;
}

/** Registration checks it too; a script URI would run on this page. */
const isWebAddress = (uri: string | undefined): uri is string =>
  uri !== undefined && URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol);
