import { html } from 'ghtml';
import { layout, type Markup, sentence } from '../../../../platform/pages/http/layout.ts';
import { words } from '../../../../platform/pages/http/words.ts';

export interface SelectAccountPage {
  tenantName: string;
  clientName: string;
  action: string;
  interaction: string;
  csrf: string;
  userName: string;
  displayName: string | undefined;
}

/** Returns the page on which the user confirms or changes the account of the session. */
export function selectAccountPage(page: SelectAccountPage): Markup {
  const { selectAccount } = words;
  const name = page.displayName ?? page.userName;
  return layout({
    title: selectAccount.title,
    tenantName: page.tenantName,
    body: html`<h1>${selectAccount.title}</h1>
<p class="lead">!${sentence(words.signIn.lead(page.clientName))}</p>
<section class="account" aria-label="${words.consent.account}">
<span class="initial" aria-hidden="true">${(Array.from(name.trim())[0] ?? '?').toUpperCase()}</span>
<div>
<p><strong>${name}</strong></p>
!${name === page.userName ? '' : html`<p class="hint">${page.userName}</p>`}
</div>
</section>
<form method="post" action="${page.action}">
<input type="hidden" name="i" value="${page.interaction}">
<input type="hidden" name="csrf" value="${page.csrf}">
<button type="submit" name="action" value="continue">${selectAccount.continue(name)}</button>
<button type="submit" name="action" value="other" class="quiet">${words.consent.switch}</button>
</form>`,
  });
}
