import { html } from 'ghtml';
import { type App, appLinks, appLogo } from '../../../../platform/pages/http/app.ts';
import {
  errorSummary,
  layout,
  type Markup,
  type Problem,
  sentence,
} from '../../../../platform/pages/http/layout.ts';
import { passkeyForm, passkeyScriptElement } from '../../../../platform/pages/http/passkey.ts';
import { words } from '../../../../platform/pages/http/words.ts';

export interface SignInPage {
  tenantName: string;
  app: App;
  action: string;
  interaction: string;
  csrf: string;
  userName: string;
  problems: readonly Problem[];
  /** Options for signing in with a passkey; undefined if passkeys are not available. */
  passkeyOptions?: string | undefined;
  /** Path of the recovery page. */
  recover: string;
}

/** Ids of the fields, to which problems refer. */
export const signInFields = { userName: 'username', password: 'password' } as const;

export function signInPage(page: SignInPage): Markup {
  const { signIn } = words;
  return layout({
    title: signIn.title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`!${appLogo(page.app)}<h1>${signIn.title}</h1>
<p class="lead">!${sentence(signIn.lead(page.app.name))}</p>
!${errorSummary(page.problems)}
<form id="sign-in" method="post" action="${page.action}">
<input type="hidden" name="i" value="${page.interaction}">
<input type="hidden" name="csrf" value="${page.csrf}">
<div class="field">
<label for="username">${signIn.userName}</label>
<input id="username" name="username" type="text" value="${page.userName}" autocomplete="username webauthn" autocapitalize="none" autocorrect="off" spellcheck="false" maxlength="1024" required!${state(page, 'username', page.userName === '')}>
!${problemOf(page, 'username')}
</div>
<div class="field shown">
<label for="password">${signIn.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" required!${state(page, 'password', page.userName !== '')}>
<button type="button" hidden data-shows="password" data-show="${signIn.showPassword}" data-hide="${signIn.hidePassword}">${signIn.showPassword}</button>
!${problemOf(page, 'password')}
</div>
<button type="submit" name="action" value="sign-in">${signIn.submit}</button>
</form>
!${passkeyPart(page)}
<button type="submit" form="sign-in" name="action" value="cancel" class="link" formnovalidate>${signIn.cancel}</button>
!${appLinks(page.app)}
!${passkeyScriptElement()}`,
  });
}

/** Returns the attributes of a field: focus on the next field, and the problem of an invalid one. */
function state(page: SignInPage, field: string, next: boolean): Markup {
  const invalid = page.problems.some((problem) => problem.field === field);
  return `${invalid ? ` aria-invalid="true" aria-describedby="${field}-problem"` : ''}${next ? ' autofocus' : ''}`;
}

function problemOf(page: SignInPage, field: string): Markup {
  const problem = page.problems.find((candidate) => candidate.field === field);
  return problem ? html`<p class="problem" id="${field}-problem">${problem.message}</p>` : '';
}

/** Returns the form for passkeys, which browsers also offer in the user name field. */
function passkeyPart(page: SignInPage): Markup {
  if (page.passkeyOptions === undefined) return '';
  return html`!${passkeyForm({
    kind: 'get',
    divider: words.passkey.or,
    options: page.passkeyOptions,
    conditional: true,
    action: `${page.action}/passkey`,
    fields: { i: page.interaction, csrf: page.csrf },
    button: words.passkey.signIn,
    quiet: true,
  })}
<p class="hint"><a href="${page.recover}">${words.recover.link}</a></p>`;
}
