import { html } from 'ghtml';
import { field } from '../../../../platform/pages/http/field.ts';
import {
  errorSummary,
  layout,
  type Markup,
  type Problem,
  sentence,
} from '../../../../platform/pages/http/layout.ts';
import { hidden, passkeyForm, passkeyScriptElement } from '../../../../platform/pages/http/passkey.ts';
import { words } from '../../../../platform/pages/http/words.ts';

export interface SecondFactorPage {
  tenantName: string;
  userName: string;
  action: string;
  fields: Readonly<Record<string, string>>;
  /** Whether the user has an authenticator app. Recovery codes are always accepted. */
  totp: boolean;
  /** Options for verifying a passkey, if the user has any. */
  passkeyOptions: string | undefined;
  problems: readonly Problem[];
}

export const codeField = 'code';

/** Returns the page for the second factor. */
export function secondFactorPage(page: SecondFactorPage): Markup {
  const { secondFactor, signIn } = words;
  // The usual factor first: the app's code, or the passkey if there are only recovery codes besides.
  const passkey =
    page.passkeyOptions === undefined
      ? ''
      : passkeyForm({
          kind: 'get',
          options: page.passkeyOptions,
          action: page.action,
          fields: page.fields,
          button: secondFactor.passkey,
          quiet: page.totp,
        });
  return layout({
    title: secondFactor.title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`<h1>${secondFactor.title}</h1>
<p class="lead">!${sentence(secondFactor.lead(page.userName))}.</p>
!${errorSummary(page.problems)}
!${page.totp ? '' : passkey}
<form method="post" action="${page.action}">
!${hidden(page.fields)}
!${field(
      {
        name: codeField,
        label: secondFactor.code,
        hint: page.totp ? secondFactor.codeHint : secondFactor.recoveryHint,
        autocomplete: 'one-time-code',
        maxlength: 64,
        autofocus: page.totp || passkey === '',
      },
      page.problems,
    )}
<button type="submit" name="action" value="continue"!${page.totp || passkey === '' ? '' : ' class="quiet"'}>${secondFactor.submit}</button>
<button type="submit" name="action" value="cancel" class="quiet" formnovalidate>${signIn.cancel}</button>
</form>
!${page.totp ? passkey : ''}
!${page.passkeyOptions === undefined ? '' : passkeyScriptElement()}`,
  });
}
