import { createHash } from 'node:crypto';
import { html } from 'ghtml';
import { layout, type Markup } from './layout.ts';
import { words } from './words.ts';

/** Submits the only form of the page. The content security policy contains its hash. */
export const formPostScript = 'document.forms[0].submit()';

export const formPostScriptHash = `'sha256-${createHash('sha256').update(formPostScript).digest('base64')}'`;

/**
 * Returns a page that posts a response to the client (OAuth 2.0 Form Post Response Mode §2), with a button if scripts
 * are disabled.
 * @param action the redirect URI
 */
export function formPostPage(action: string, fields: Readonly<Record<string, string>>): Markup {
  const { formPost } = words;
  return layout({
    title: formPost.title,
    body: html`<h1>${formPost.title}</h1>
<p class="lead">${formPost.lead}</p>
<form method="post" action="${action}">
!${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">${formPost.submit}</button>
</form>
<script>!${formPostScript}</script>`,
  });
}
