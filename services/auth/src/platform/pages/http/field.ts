import { html } from 'ghtml';
import type { Markup, Problem } from './layout.ts';

export interface Field {
  /** Also its id, to which problems refer. */
  name: string;
  label: string;
  type?: 'text' | 'password';
  value?: string;
  hint?: string;
  autocomplete: string;
  /** Keyboard type on phones. */
  inputmode?: 'text' | 'numeric';
  maxlength: number;
  autofocus?: boolean;
}

/** Returns a labelled field with its hint and problem. */
export function field(o: Field, problems: readonly Problem[]): Markup {
  const problem = problems.find((candidate) => candidate.field === o.name);
  const described = [
    ...(o.hint === undefined ? [] : [`${o.name}-hint`]),
    ...(problem ? [`${o.name}-problem`] : []),
  ];
  return html`<div class="field">
<label for="${o.name}">${o.label}</label>
<input id="${o.name}" name="${o.name}" type="${o.type ?? 'text'}" value="${o.value ?? ''}" autocomplete="${o.autocomplete}" autocapitalize="none" autocorrect="off" spellcheck="false" inputmode="${o.inputmode ?? 'text'}" maxlength="${String(o.maxlength)}" required!${problem ? ' aria-invalid="true"' : ''}!${described.length === 0 ? '' : html` aria-describedby="${described.join(' ')}"`}!${o.autofocus ? ' autofocus' : ''}>
!${o.hint === undefined ? '' : html`<p class="hint" id="${o.name}-hint">${o.hint}</p>`}
!${problem ? html`<p class="problem" id="${o.name}-problem">${problem.message}</p>` : ''}
</div>`;
}
