import { html } from 'ghtml';
import { layout, type Markup } from './layout.ts';
import { type ErrorPageKind, words } from './words.ts';

export function errorPage(page: {
  kind: ErrorPageKind;
  tenantName?: string | undefined;
  reference: string;
}): Markup {
  const { heading, text } = words.error[page.kind];
  return layout({
    title: heading,
    tenantName: page.tenantName,
    failed: true,
    body: html`<h1>${heading}</h1>
<p>${text}</p>
<p class="hint">${words.error.reference} <code>${page.reference}</code></p>`,
  });
}
