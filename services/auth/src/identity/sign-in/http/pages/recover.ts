import { html } from 'ghtml';
import { field } from '../../../../platform/pages/http/field.ts';
import { errorSummary, layout, type Markup, type Problem } from '../../../../platform/pages/http/layout.ts';
import { hidden } from '../../../../platform/pages/http/passkey.ts';
import { words } from '../../../../platform/pages/http/words.ts';

export interface RecoverPage {
  tenantName: string;
  action: string;
  /** Path of the sign-in page. */
  back: string;
  fields: Readonly<Record<string, string>>;
  userName: string;
  problems: readonly Problem[];
}

export const recoverFields = { userName: 'username', code: 'code' } as const;

/** Returns the page for a recovery code, for users with a lost passkey. */
export function recoverPage(page: RecoverPage): Markup {
  const { recover, signIn } = words;
  return layout({
    title: recover.title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`<h1>${recover.title}</h1>
<p class="lead">${recover.lead}</p>
!${errorSummary(page.problems)}
<form method="post" action="${page.action}">
!${hidden(page.fields)}
!${field(
      {
        name: recoverFields.userName,
        label: signIn.userName,
        value: page.userName,
        autocomplete: 'username',
        maxlength: 1_024,
        autofocus: page.userName === '',
      },
      page.problems,
    )}
!${field(
      {
        name: recoverFields.code,
        label: recover.code,
        hint: recover.codeHint,
        autocomplete: 'one-time-code',
        maxlength: 64,
        autofocus: page.userName !== '',
      },
      page.problems,
    )}
<button type="submit">${recover.submit}</button>
<a class="button quiet" href="${page.back}">${recover.back}</a>
</form>
<p class="hint">${recover.help}</p>`,
  });
}
