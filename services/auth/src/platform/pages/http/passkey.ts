import { createHash } from 'node:crypto';
import { html } from 'ghtml';
import type { Markup } from './layout.ts';
import { words } from './words.ts';

/**
 * The only script of pages with passkeys or passwords, inline and permitted by its hash. It passes the browser's
 * response into a form and makes no requests. Without scripts or support for passkeys, the forms and the buttons that
 * display a password stay hidden.
 */
export const passkeyScript = `
(() => {
  for (const button of document.querySelectorAll('button[data-shows]')) {
    const field = document.getElementById(button.dataset.shows);
    button.hidden = false;
    button.addEventListener('click', () => {
      const isShown = field.type === 'text';
      field.type = isShown ? 'password' : 'text';
      button.textContent = isShown ? button.dataset.show : button.dataset.hide;
      field.focus();
    });
    field.form.addEventListener('submit', () => { field.type = 'password'; });
  }
  const kind = window.PublicKeyCredential;
  if (!kind || !kind.parseRequestOptionsFromJSON || !kind.parseCreationOptionsFromJSON) return;
  let waiting;
  const send = (form, credential) => {
    form.elements.credential.value = JSON.stringify(credential);
    form.submit();
  };
  const ask = (form, more) => {
    const options = JSON.parse(form.dataset.options);
    return form.dataset.passkey === 'create'
      ? navigator.credentials.create({ publicKey: kind.parseCreationOptionsFromJSON(options), ...more })
      : navigator.credentials.get({ publicKey: kind.parseRequestOptionsFromJSON(options), ...more });
  };
  for (const element of document.querySelectorAll('[data-no-passkeys]')) element.hidden = true;
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    const problem = form.querySelector('[role=status]');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (waiting) waiting.abort();
      problem.textContent = '';
      try {
        send(form, await ask(form));
      } catch {
        problem.textContent = problem.dataset.failed;
      }
    });
    if (form.dataset.conditional === undefined || !kind.isConditionalMediationAvailable) continue;
    kind.isConditionalMediationAvailable().then((available) => {
      if (!available) return;
      waiting = new AbortController();
      ask(form, { mediation: 'conditional', signal: waiting.signal }).then((credential) => send(form, credential), () => {});
    });
  }
})();
`;

/** Hash of the script for the content security policy. */
export const passkeyScriptHash = `'sha256-${createHash('sha256').update(passkeyScript).digest('base64')}'`;

/** Returns the script element, to be placed once after the last form. */
export const passkeyScriptElement = (): Markup => html`<script>!${passkeyScript}</script>`;

export interface PasskeyForm {
  kind: 'create' | 'get';
  /** Options as JSON for the browser. */
  options: string;
  /** Also offered in the user name field. */
  conditional?: boolean;
  action: string;
  fields: Readonly<Record<string, string>>;
  button: string;
  /** Secondary style. */
  quiet?: boolean;
  /** Visible fields. */
  visible?: Markup;
  /** Text between this form and the previous one. */
  divider?: string;
}

/** Returns a form that is sent with the browser's response in `credential`. */
export function passkeyForm(form: PasskeyForm): Markup {
  return html`<form method="post" action="${form.action}" class="passkey" hidden data-passkey="${form.kind}" data-options="${form.options}"!${form.conditional ? ' data-conditional' : ''}>
!${hidden({ ...form.fields, credential: '' })}
!${form.divider === undefined ? '' : html`<p class="or">${form.divider}</p>`}
!${form.visible ?? ''}
<button type="submit"!${form.quiet ? ' class="quiet"' : ''}>${form.button}</button>
<p class="problem" role="status" data-failed="${words.passkey.failed}"></p>
</form>`;
}

/** Returns hidden fields of a form. */
export const hidden = (fields: Readonly<Record<string, string>>): Markup =>
  Object.entries(fields)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
    .join('\n');
