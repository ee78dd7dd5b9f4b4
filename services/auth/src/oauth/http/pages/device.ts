import { html } from 'ghtml';
import { errorSummary, layout, type Markup, words } from '../../../pages/http/index.ts';

export interface DevicePage {
  tenantName: string;
  action: string;
  csrf: string;
  /** As a link or an earlier attempt filled it in. */
  userCode: string;
  problem: string | undefined;
}

/** Name and id of the field for the code. */
export const userCodeField = 'user_code';

/** Where a person types the code that their device shows. */
export function devicePage(page: DevicePage): Markup {
  const { device } = words;
  const { problem } = page;
  const invalid =
    problem === undefined
      ? ' aria-describedby="user_code-hint"'
      : ' aria-invalid="true" aria-describedby="user_code-hint user_code-problem"';
  return layout({
    title: device.title,
    tenantName: page.tenantName,
    failed: problem !== undefined,
    body: html`<h1>${device.title}</h1>
<p class="lead">${page.userCode === '' ? device.lead : device.check}</p>
!${problem === undefined ? '' : errorSummary([{ message: problem, field: userCodeField }])}
<form method="post" action="${page.action}">
<input type="hidden" name="csrf" value="${page.csrf}">
<div class="field">
<label for="user_code">${device.userCode}</label>
<input id="user_code" name="user_code" type="text" value="${page.userCode}" autocomplete="off" autocapitalize="characters" autocorrect="off" spellcheck="false" maxlength="20" required autofocus!${invalid}>
<p class="hint" id="user_code-hint">${device.hint}</p>
!${problem === undefined ? '' : html`<p class="problem" id="user_code-problem">${problem}</p>`}
</div>
<button type="submit">${device.submit}</button>
</form>`,
  });
}

/** What the confirmation says beside the scopes: which device it is, and when to say no (RFC 8628 §5.4). */
export function deviceNotice(userCode: string): Markup {
  const { device } = words;
  return html`<p class="lead">${device.compare}</p>
<p class="user-code"><strong>${userCode}</strong></p>
<p class="hint">${device.warning}</p>`;
}

/** The end of it in the browser; the device goes on by itself. */
export function deviceFinishedPage(
  tenantName: string,
  outcome: 'allowed' | 'denied' | 'expired' | 'failed',
): Markup {
  const { title, text } = words.device[outcome];
  return layout({
    title,
    tenantName,
    failed: outcome === 'expired' || outcome === 'failed',
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>`,
  });
}
