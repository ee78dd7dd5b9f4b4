import { html } from 'ghtml';
import { reader } from './reader.ts';
import { stylesheet } from './stylesheet.ts';
import { words } from './words.ts';

/** Finished HTML that was built with `html`, which escapes all input. */
export type Markup = string;

export interface Page {
  /** Title of the window, followed by the tenant's name. */
  title: string;
  /** Name of the tenant; default the product's name. */
  tenantName?: string | undefined;
  /** Adds an error prefix to the title, which screen readers read first. */
  failed?: boolean;
  /** Wider layout for lists. */
  wide?: boolean;
  body: Markup;
}

const doorway: Markup = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linejoin="round" aria-hidden="true"><path d="M5 21V10a7 7 0 0 1 14 0v11"/><path d="M3 21h18" stroke-linecap="round"/><path d="M9 21v-9a3 3 0 0 1 6 0v9"/><circle cx="13.1" cy="16" r=".6" fill="currentColor"/></svg>`;

/** Returns the complete page: header, main and footer landmarks, with one heading. */
export function layout(page: Page): Markup {
  const { look } = reader();
  const name = page.tenantName ?? look.name ?? words.product;
  const title = `${page.failed ? `${words.errorPrefix}: ` : ''}${page.title} – ${name}`;
  return html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>!${stylesheet}</style>!${
    look.style
      ? html`
<style>!${look.style.css}</style>`
      : ''
  }
</head>
<body!${page.wide ? ' class="wide"' : ''}>
<header>!${look.logo === undefined ? doorway : html`<img src="${look.logo}" alt="">`}<span>${name}</span></header>
<main>
!${page.body}
</main>
<footer>${words.footer}</footer>
</body>
</html>
`;
}

/** Returns a sentence with an emphasized name. `[before, name, after?]` */
export const sentence = (parts: readonly [string, string, string?]): Markup =>
  html`${parts[0]}<strong>${parts[1]}</strong>${parts[2] ?? ''}`;

export interface Problem {
  message: string;
  /** Id of the field; absent if the problem concerns the whole form. */
  field?: string;
}

/** Returns the summary of problems with links to their fields. */
export function errorSummary(problems: readonly Problem[]): Markup {
  const [first] = problems;
  if (first === undefined) return '';
  if (problems.length === 1 && first.field === undefined)
    return html`<div class="summary" role="alert" tabindex="-1"><p>${first.message}</p></div>`;
  return html`<div class="summary" role="alert" aria-labelledby="summary-title" tabindex="-1">
<h2 id="summary-title">${words.errorSummary}</h2>
<ul>!${problems.map(({ message, field }) =>
    field === undefined ? html`<li>${message}</li>` : html`<li><a href="#${field}">${message}</a></li>`,
  )}</ul>
</div>`;
}
