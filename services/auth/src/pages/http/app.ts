import { html } from 'ghtml';
import type { Markup } from './layout.ts';
import { words } from './words.ts';

/** The app that leads somebody here, as its registration describes it (OpenID Connect Registration §2). */
export interface App {
  name: string;
  /** Address of our copy of its `logo_uri`, on our own origin. */
  logo: string | undefined;
  /** `policy_uri` */
  policy: string | undefined;
  /** `tos_uri` */
  terms: string | undefined;
}

/** Its picture. The name stands beside it, so that there is nothing to say to those who don't see it. */
export const appLogo = ({ logo }: App): Markup =>
  logo === undefined ? '' : html`<img class="app" src="${logo}" alt="">`;

/** What it says about personal data, and its terms: in a window of their own, for the form here is not done with. */
export function appLinks({ name, policy, terms }: App): Markup {
  const links = [
    { href: policy, text: words.app.privacy(name) },
    { href: terms, text: words.app.terms(name) },
  ].map(({ href, text }) =>
    isWebAddress(href) ? html`<a href="${href}" target="_blank" rel="noopener noreferrer">${text}</a>` : '',
  );
  return links.join('') === '' ? '' : html`<p class="hint app-links">!${links}</p>`;
}

/** Checked when it was registered; a link that runs something would run it here. */
const isWebAddress = (uri: string | undefined): uri is string =>
  uri !== undefined && URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol);
