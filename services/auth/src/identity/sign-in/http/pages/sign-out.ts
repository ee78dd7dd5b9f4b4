import { html } from 'ghtml';
import { layout, type Markup, sentence } from '../../../../platform/pages/http/layout.ts';
import { words } from '../../../../platform/pages/http/words.ts';

export interface SignOutPage {
  tenantName: string;
  action: string;
  csrf: string;
  /** Parameters of the request, returned by the form. */
  fields: readonly { name: string; value: string }[];
  /** The request is invalid and does not redirect to a client (OpenID Connect RP-Initiated Logout §4). */
  invalid: boolean;
}

/** Returns the confirmation page, because any site can link to the logout endpoint. */
export function signOutPage(page: SignOutPage): Markup {
  const { signOut } = words;
  return layout({
    title: signOut.title,
    tenantName: page.tenantName,
    body: html`<h1>${signOut.title}</h1>
!${invalidNotice(page.invalid)}
<p class="lead">!${sentence(signOut.lead(page.tenantName))}.</p>
<form method="post" action="${page.action}">
<input type="hidden" name="csrf" value="${page.csrf}">
!${page.fields.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit" name="action" value="sign-out">${signOut.submit}</button>
<button type="submit" name="action" value="stay" class="quiet">${signOut.stay}</button>
</form>`,
  });
}

const invalidNotice = (invalid: boolean): Markup =>
  invalid ? html`<p class="problem" role="alert">${words.signOut.invalid}</p>` : '';

export function signedOutPage(
  tenantName: string,
  o: { stayed: boolean; invalid: boolean; account: string },
): Markup {
  const { signOut, signedOut } = words;
  const title = o.stayed ? signOut.stayed : signedOut.title;
  return layout({
    title,
    tenantName,
    body: html`<h1>${title}</h1>
!${invalidNotice(o.invalid)}
<p class="lead">${signedOut.lead}</p>
!${o.stayed ? '' : html`<p><a class="button quiet" href="${o.account}">${signedOut.signIn}</a></p>`}`,
  });
}
