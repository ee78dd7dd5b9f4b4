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

interface AccountForm {
  tenantName: string;
  action: string;
  /** `/t/{tenant}/account` */
  back: string;
  csrf: string;
  problems: readonly Problem[];
}

export const passwordFields = { present: 'present', next: 'password', repeated: 'repeated' } as const;

const cancel = (back: string, text = words.changePassword.cancel): Markup =>
  html`<a class="button quiet" href="${back}">${text}</a>`;

/** Returns two fields for the new password, because without JavaScript users cannot display it. */
function newPassword(minLength: number, problems: readonly Problem[], autofocus: boolean): Markup {
  const { changePassword } = words;
  return html`!${field(
    {
      name: passwordFields.next,
      label: changePassword.next,
      type: 'password',
      hint: changePassword.hint(minLength),
      autocomplete: 'new-password',
      maxlength: 1_024,
      autofocus,
    },
    problems,
  )}
!${field(
    {
      name: passwordFields.repeated,
      label: changePassword.repeated,
      type: 'password',
      autocomplete: 'new-password',
      maxlength: 1_024,
    },
    problems,
  )}`;
}

/** Returns the user name for password managers. */
const whose = (userName: string): Markup =>
  html`<input type="text" name="username" value="${userName}" autocomplete="username" readonly hidden>`;

export function changePasswordPage(
  page: AccountForm & { userName: string; present: boolean; minLength: number },
): Markup {
  const { changePassword } = words;
  const title = page.present ? changePassword.title : changePassword.setTitle;
  return layout({
    title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`<h1>${title}</h1>
<p class="lead">${changePassword.lead}</p>
!${errorSummary(page.problems)}
<form method="post" action="${page.action}">
!${hidden({ csrf: page.csrf })}
!${whose(page.userName)}
!${
      page.present
        ? field(
            {
              name: passwordFields.present,
              label: changePassword.present,
              type: 'password',
              autocomplete: 'current-password',
              maxlength: 1_024,
              autofocus: true,
            },
            page.problems,
          )
        : ''
    }
!${newPassword(page.minLength, page.problems, !page.present)}
<button type="submit">${changePassword.submit}</button>
!${cancel(page.back)}
</form>`,
  });
}

export const totpFields = { code: 'code', offer: 'offer' } as const;

export function totpPage(page: AccountForm & { svg: Markup; typed: string; offer: string }): Markup {
  const { totpSetUp } = words;
  return layout({
    title: totpSetUp.title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`<h1>${totpSetUp.title}</h1>
!${errorSummary(page.problems)}
<p class="lead">${totpSetUp.scan}</p>
<div class="qr" role="img" aria-label="${totpSetUp.picture}">!${page.svg}</div>
<p class="hint">${totpSetUp.typed}</p>
<p><code class="typed">${page.typed}</code></p>
<form method="post" action="${page.action}" autocomplete="off">
!${hidden({ csrf: page.csrf, [totpFields.offer]: page.offer })}
!${field(
      {
        name: totpFields.code,
        label: totpSetUp.code,
        hint: totpSetUp.hint,
        autocomplete: 'one-time-code',
        inputmode: 'numeric',
        maxlength: 12,
      },
      page.problems,
    )}
<button type="submit">${totpSetUp.submit}</button>
!${cancel(page.back)}
</form>`,
  });
}

/**
 * @param codes undefined if they were shown before
 * @param alone whether one of them is sufficient, because there is no password
 */
export function recoveryCodesPage(
  page: Omit<AccountForm, 'problems'> & { codes: readonly string[] | undefined; alone: boolean },
): Markup {
  const { recoveryCodes } = words;
  if (!page.codes) {
    return layout({
      title: recoveryCodes.makeTitle,
      tenantName: page.tenantName,
      body: html`<h1>${recoveryCodes.makeTitle}</h1>
<p class="lead">${recoveryCodes.gone} ${recoveryCodes.makeLead}</p>
<form method="post" action="${page.action}">
!${hidden({ csrf: page.csrf })}
<button type="submit">${recoveryCodes.make}</button>
!${cancel(page.back)}
</form>`,
    });
  }
  return layout({
    title: recoveryCodes.title,
    tenantName: page.tenantName,
    body: html`<h1>${recoveryCodes.title}</h1>
<p class="lead">${recoveryCodes.lead} <strong>${recoveryCodes.once}</strong></p>
!${page.alone ? html`<p class="note">${recoveryCodes.alone}</p>` : ''}
<ol class="codes">!${page.codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<a class="button" href="${page.back}">${recoveryCodes.kept}</a>`,
  });
}

export const passkeyFields = { name: 'name', credential: 'credential' } as const;

export function newPasskeyPage(page: AccountForm & { options: string }): Markup {
  const { newPasskey } = words;
  return layout({
    title: newPasskey.title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`<h1>${newPasskey.title}</h1>
<p class="lead">${newPasskey.lead}</p>
!${errorSummary(page.problems)}
<p class="note" data-no-passkeys>${newPasskey.noScript}</p>
!${passkeyForm({
      kind: 'create',
      options: page.options,
      action: page.action,
      fields: { csrf: page.csrf },
      button: newPasskey.submit,
      visible: field(
        {
          name: passkeyFields.name,
          label: newPasskey.name,
          value: newPasskey.standard,
          hint: newPasskey.hint,
          autocomplete: 'off',
          maxlength: 60,
        },
        page.problems,
      ),
    })}
!${cancel(page.back)}
!${passkeyScriptElement()}`,
  });
}

export const tokenFields = { name: 'name', scope: 'scope', days: 'days' } as const;

export function newTokenPage(
  page: AccountForm & {
    name: string;
    scopes: readonly { name: string; description: string; chosen: boolean }[];
    days: readonly number[];
    chosenDays: number;
  },
): Markup {
  const { newToken } = words;
  return layout({
    title: newToken.title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`<h1>${newToken.title}</h1>
<p class="lead">${newToken.lead}</p>
!${errorSummary(page.problems)}
<form method="post" action="${page.action}">
!${hidden({ csrf: page.csrf })}
!${field(
      {
        name: tokenFields.name,
        label: newToken.name,
        value: page.name,
        hint: newToken.hint,
        autocomplete: 'off',
        maxlength: 100,
        autofocus: true,
      },
      page.problems,
    )}
<fieldset class="field" id="${tokenFields.scope}">
<legend>${newToken.scopes}</legend>
!${page.scopes.map(
      (scope) =>
        html`<label class="choice"><input type="checkbox" name="${tokenFields.scope}" value="${scope.name}"!${scope.chosen ? ' checked' : ''}><span>${scope.description}</span></label>`,
    )}
</fieldset>
<div class="field">
<label for="${tokenFields.days}">${newToken.days}</label>
<select id="${tokenFields.days}" name="${tokenFields.days}">!${page.days.map(
      (days) =>
        html`<option value="${String(days)}"!${days === page.chosenDays ? ' selected' : ''}>${newToken.daysOf(days)}</option>`,
    )}</select>
</div>
<button type="submit">${newToken.submit}</button>
!${cancel(page.back)}
</form>`,
  });
}

/** @param token undefined if it was shown before */
export function madeTokenPage(page: { tenantName: string; back: string; token: string | undefined }): Markup {
  const { newToken } = words;
  return layout({
    title: newToken.made,
    tenantName: page.tenantName,
    body: page.token
      ? html`<h1>${newToken.made}</h1>
<p class="lead">${newToken.once}</p>
<p><code class="typed">${page.token}</code></p>
<a class="button" href="${page.back}">${newToken.kept}</a>`
      : html`<h1>${newToken.made}</h1>
<p class="lead">${newToken.gone}</p>
<a class="button" href="${page.back}">${words.account.back}</a>`,
  });
}

export function invitationPage(page: {
  tenantName: string;
  action: string;
  fields: Readonly<Record<string, string>>;
  name: string;
  userName: string;
  minLength: number;
  /** It replaces existing credentials. */
  resets: boolean;
  passkeyOptions: string | undefined;
  problems: readonly Problem[];
}): Markup {
  const { invitation } = words;
  const title = page.resets ? invitation.resetTitle(page.name) : invitation.title(page.name);
  const lead = page.resets ? invitation.resetLead : invitation.lead;
  return layout({
    title,
    tenantName: page.tenantName,
    failed: page.problems.length > 0,
    body: html`<h1>${title}</h1>
<p class="lead">!${sentence(lead(page.tenantName))}.</p>
!${errorSummary(page.problems)}
!${page.resets ? html`<p class="note">${invitation.resetNote}</p>` : ''}
<p class="hint">${invitation.userName}: <strong>${page.userName}</strong></p>
<form method="post" action="${page.action}">
!${hidden(page.fields)}
!${whose(page.userName)}
!${newPassword(page.minLength, page.problems, true)}
<button type="submit">${invitation.submit}</button>
</form>
!${
      page.passkeyOptions === undefined
        ? ''
        : html`!${passkeyForm({
            kind: 'create',
            options: page.passkeyOptions,
            action: page.action,
            fields: page.fields,
            button: invitation.passkey,
            quiet: true,
          })}
!${passkeyScriptElement()}`
    }`,
  });
}

export function closedInvitationPage(tenantName: string): Markup {
  const { invitation } = words;
  return layout({
    title: invitation.closed,
    tenantName,
    body: html`<h1>${invitation.closed}</h1>
<p class="lead">${invitation.closedText}</p>`,
  });
}
