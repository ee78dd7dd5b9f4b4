import { html } from 'ghtml';
import { errorSummary, layout, type Markup } from '../../../platform/pages/http/layout.ts';
import { words } from '../../../platform/pages/http/words.ts';

export interface DevicePage {
  tenantName: string;
  action: string;
  csrf: string;
  /** Value from a link or a previous attempt. */
  userCode: string;
  problem: string | undefined;
}

/** Name and id of the field for the code. */
export const userCodeField = 'user_code';

/** Returns the page for the user code. */
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

/** Returns the part of the consent page that identifies the device and warns of remote phishing (RFC 8628 §5.4). */
export function deviceNotice(userCode: string): Markup {
  const { device } = words;
  return html`<p class="lead">${device.compare}</p>
<p class="user-code"><strong>${userCode}</strong></p>
<p class="hint">${device.warning}</p>`;
}

/** Returns the final page in the browser; the device continues independently. */
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
