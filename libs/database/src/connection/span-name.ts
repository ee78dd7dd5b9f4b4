/** Name of a statement in traces: few distinct values without data. */
export interface StatementName {
  /** `SELECT directory.users` */
  summary: string;
  operation: string;
  collection?: string;
}

const remembered = new Map<string, StatementName>();
const rememberAtMost = 1000;

const tableAfter: Record<string, RegExp> = {
  SELECT: /\bfrom\s+(?:only\s+)?([\w."]+)/i,
  INSERT: /\binto\s+([\w."]+)/i,
  UPDATE: /\bupdate\s+(?:only\s+)?([\w."]+)/i,
  DELETE: /\bfrom\s+(?:only\s+)?([\w."]+)/i,
};

/**
 * Names a statement by its verb and first table. A WITH statement is named after its final statement, or, if
 * that only selects the result of a data-modifying expression, after that expression.
 */
export function statementName(text: string): StatementName {
  const known = remembered.get(text);
  if (known) return known;
  const name = parse(text);
  if (remembered.size >= rememberAtMost) remembered.clear();
  remembered.set(text, name);
  return name;
}

function parse(text: string): StatementName {
  const first = /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const end = first === 'WITH' ? mainStatement(text) : text;
  const main = first === 'WITH' ? (changeReadBy(end, text) ?? end) : end;
  const operation = first === 'WITH' ? (/^\w+/.exec(main)?.[0].toUpperCase() ?? first) : first;
  const collection = tableAfter[operation]?.exec(main)?.[1]?.replaceAll('"', '');
  return collection
    ? { summary: `${operation} ${collection}`, operation, collection }
    : { summary: operation, operation };
}

/**
 * Returns the statement to which the common table expressions belong: from the first verb outside
 * parentheses.
 */
function mainStatement(text: string): string {
  let depth = 0;
  for (const token of text.matchAll(/[()]|\b(?:select|insert|update|delete)\b/gi)) {
    if (token[0] === '(') depth += 1;
    else if (token[0] === ')') depth -= 1;
    else if (depth === 0) return text.slice(token.index);
  }
  return '';
}

/** Returns the data-modifying expression that a statement's final SELECT reads, from its verb on. */
function changeReadBy(end: string, text: string): string | undefined {
  const read = /^select\b[^()]*?\bfrom\s+(\w+)\s*$/i.exec(end.trim())?.[1];
  if (read === undefined) return undefined;
  const change = new RegExp(`\\b${read}\\s+AS\\s*\\(\\s*(?=INSERT|UPDATE|DELETE)`, 'i').exec(text);
  return change ? text.slice(change.index + change[0].length) : undefined;
}
