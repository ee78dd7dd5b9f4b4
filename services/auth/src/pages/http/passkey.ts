import { createHash } from 'node:crypto';
import { html } from 'ghtml';
import type { Markup } from './layout.ts';
import { words } from './words.ts';

/**
 * The one script, sent inside the pages that use passkeys or passwords and named by its hash in their policy. It asks the browser and
 * puts the answer into the form, which then goes the way of every form: no request is made by the script itself. Where
 * there is no script, or the browser knows no passkeys, the forms stay hidden. Buttons that show a password stay hidden without it, too.
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

/** What the Content-Security-Policy calls the script. */
export const passkeyScriptHash = `'sha256-${createHash('sha256').update(passkeyScript).digest('base64')}'`;

/** Goes once, after the last form. */
export const passkeyScriptElement = (): Markup => html`<script>!${passkeyScript}</script>`;

export interface PasskeyForm {
  kind: 'create' | 'get';
  /** JSON for the browser. */
  options: string;
  /** Also offered while the user name is being typed. */
  conditional?: boolean;
  action: string;
  fields: Readonly<Record<string, string>>;
  button: string;
  /** Not the page's main way. */
  quiet?: boolean;
  /** Fields people fill in. */
  visible?: Markup;
  /** Text that separates the form from the one before. */
  divider?: string;
}

/** A form that is sent with the browser's answer in `credential`. */
export function passkeyForm(form: PasskeyForm): Markup {
  return html`<form method="post" action="${form.action}" class="passkey" hidden data-passkey="${form.kind}" data-options="${form.options}"!${form.conditional ? ' data-conditional' : ''}>
!${hidden({ ...form.fields, credential: '' })}
!${form.divider === undefined ? '' : html`<p class="or">${form.divider}</p>`}
!${form.visible ?? ''}
<button type="submit"!${form.quiet ? ' class="quiet"' : ''}>${form.button}</button>
<p class="problem" role="status" data-failed="${words.passkey.failed}"></p>
</form>`;
}

/** Hidden fields of a form. */
export const hidden = (fields: Readonly<Record<string, string>>): Markup =>
  Object.entries(fields)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
    .join('\n');
