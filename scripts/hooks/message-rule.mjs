/** The rule for commit messages, shared by the hook commit-msg and the check of the history in e2e/repository. */

const maxLength = 72;
const subjectForm = /^(?<scope>[a-z0-9][a-z0-9.-]*(?:(?:\/|, ?)[a-z0-9][a-z0-9.-]*)*): (?<summary>\S.*)$/;
/** Subjects that `git commit --fixup` and its like make, for `git rebase --autosquash` to replace. */
const draftSubject = /^(fixup|squash|amend)! /;
const scissors = /^# -+ >8 -+$/m;
const trailer = /^[A-Z][A-Za-z-]*: \S/;
/** Verbs that end like another form of a verb. */
const imperatives = new Set(['embed', 'shed', 'bring', 'ping', 'ring', 'string', 'swing']);

/**
 * Returns the problems of a commit message; none when it is accepted.
 * @param {string} message
 * @param {{ draft?: boolean }} [o] draft: accepts commits that a rebase will fold into another one
 * @returns {string[]}
 */
export function messageProblems(message, { draft = false } = {}) {
  const [subject = '', second, ...body] = linesOf(message);
  if (draft && (subject === '' || draftSubject.test(subject))) return [];
  const problems = subjectProblems(subject);
  if (second !== undefined && second !== '') problems.push('The second line must be blank.');
  for (const [index, line] of body.entries()) {
    if (lengthOf(line) > maxLength && canBeWrapped(line))
      problems.push(
        `Line ${index + 3} has ${lengthOf(line)} characters; the body is wrapped at ${maxLength}.`,
      );
  }
  return problems;
}

/** @returns {string[]} the lines that git keeps, without comments and the part after the scissors line */
function linesOf(message) {
  const [kept = ''] = message.split(scissors);
  return kept
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .trim()
    .split('\n')
    .map((line) => line.trimEnd());
}

function subjectProblems(subject) {
  const problems = [];
  if (lengthOf(subject) > maxLength)
    problems.push(`The subject has ${lengthOf(subject)} characters; the maximum is ${maxLength}.`);
  if (/^Merge /.test(subject)) return [...problems, 'The history is linear: rebase instead of merging.'];
  const summary = subjectForm.exec(subject)?.groups?.summary;
  if (summary === undefined)
    return [
      ...problems,
      'The subject must have the form "scope: imperative summary", with a lower-case scope.',
    ];
  const [verb = ''] = summary.split(/[^A-Za-z]/);
  if (!/^[a-z]/.test(summary)) problems.push('The summary must begin with a lower-case verb.');
  else if (!isImperative(verb))
    problems.push(`"${verb}" is not an imperative; use for example "add", "fix" or "remove".`);
  if (summary.endsWith('.')) problems.push('The subject must not end with a period.');
  return problems;
}

/** Recognizes "adds", "added" and "adding", but not "pass", "focus", "alias" and "need". */
const isImperative = (verb) => imperatives.has(verb) || !/[^sua]s$|[^e]ed$|ing$/.test(verb);

/** Trailers, indented output and a line without a space before the limit (a URL) stay as they are. */
const canBeWrapped = (line) =>
  !trailer.test(line) &&
  !/^ {4}|^\t/.test(line) &&
  /\S\s/.test(line.replace(/^\s*[-*] /, '').slice(0, maxLength));

const lengthOf = (text) => [...text].length;
