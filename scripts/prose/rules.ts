/** The words and beginnings that the writing rules in CONTRIBUTING.md advise against. */

export interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  /** The replacement. */
  readonly instead: string;
}

const rule = (name: string, pattern: RegExp, instead: string): Rule => ({ name, pattern, instead });

/** Each match counts as one marker. */
export const rules: readonly Rule[] = [
  rule('free relative', /\bwhat(?:ever)?\b(?![^.!?]*\?)/gi, 'the noun: "the changes that …"'),
  rule(
    'indefinite person',
    /\b(?:some|any|every|no)(?:body|one)\b|\b(?:no one|who(?:m|so)?ever|whichever|they who|those who|(?:for|to|by|of|from|with) whom)\b/gi,
    'user, client, administrator, caller, tenant, receiver or process',
  ),
  rule('person', /\b(?:persons?|people)\b/gi, 'user'),
  rule(
    'software as a person',
    /\b(?:is|are|was|were|be|been|being|gets?|not) told\b|\btold (?:of|about|to|that|it|them|who)\b|\bhears? (?:of|about)\b|\bheard (?:of|about)\b/gi,
    'is notified, receives, returns, stores',
  ),
  rule(
    'phrase',
    /\b(?:tak(?:es?|en|ing)|took) back\b|\bhand(?:s|ed|ing)? over\b|\b(?:goes|go|going|went) on\b|\bholds? good\b|\bcomes? to (?:be|nothing)\b|\bin one's\b|\b(?:is|are) worth nothing\b|\bmend(?:s|ed|ing)?\b|\bfor good\b|\bcome of\b|\bwith its effect\b/gi,
    'create, update, delete, revoke, expire, rotate, issue, verify, reject, retry, deliver',
  ),
  rule(
    'adverb',
    /\b(?:anew|any ?more|lately|by (?:itself|themselves)|at once)\b/gi,
    'again, no longer, recently, automatically, immediately',
  ),
  rule(
    'figure of speech',
    /\b(?:doors?|furniture|neighbours?|news|witness(?:es)?|buried|burials?|stillborn|dies|died|alive|housekeeping|upkeep)\b/gi,
    'the concrete noun: session, grant, token, key',
  ),
];

/** Returns each word or phrase of a text that a rule advises against, with its replacement. */
export const markersIn = (prose: string): { rule: string; found: string; instead: string }[] =>
  rules.flatMap(({ name, pattern, instead }) =>
    [...prose.matchAll(pattern)].map(([found]) => ({ rule: name, found, instead })),
  );

/** A description or doc comment that begins with a clause instead of a verb or a noun. */
export const headless =
  /^(?:what|who|whose|whom|which|how (?:often|long|many|much|far|old|soon|late|large|big)|whatever|whoever|nobody|somebody|anybody)\b/i;

/** Names in code and quotations are not prose. */
export function proseOf(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/`[^`]*`/g, ' x ')
    .replaceAll(/\{@(?:link|code) [^}]*\}/g, ' x ')
    .replaceAll(/\{\w+\}/g, ' x ')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/<[^>\n]*>/g, ' ')
    .replaceAll(/https?:\/\/\S+/g, ' x ')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
}

export const wordsIn = (prose: string): number => prose.match(/[\p{L}][\p{L}\p{N}'’-]*/gu)?.length ?? 0;
