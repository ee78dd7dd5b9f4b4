import { html } from 'ghtml';
import {
  errorSummary,
  field,
  hidden,
  layout,
  type Markup,
  type Problem,
  passkeyForm,
  passkeyScriptElement,
  sentence,
  words,
} from '../../../pages/http/index.ts';

export interface SecondFactorPage {
  tenantName: string;
  userName: string;
  action: string;
  fields: Readonly<Record<string, string>>;
  /** Whether there is an authenticator app; recovery codes always count. */
  totp: boolean;
  /** What the browser is asked, when there are passkeys. */
  passkeyOptions: string | undefined;
  problems: readonly Problem[];
}

export const codeField = 'code';

/** Asks for the second factor after the password was right. */
export function secondFactorPage(page: SecondFactorPage): Markup {
  const { secondFactor, signIn } = words;
  // What people use most comes first: the app's code, or the passkey when recovery codes are all there is beside it.
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
