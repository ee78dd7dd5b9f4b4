/**
 * A start failure that the operator can correct. The message is one complete sentence: the problem, its
 * place, and the required action.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Returns the code of a system error, such as ENOENT. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const diskFull = (path: string): string =>
  `The disk that holds ${path} is full: free some space there, or choose another place with OSTIARY_HOME.`;

/** Converts a file-system error about `path` into a StartError; other errors are unchanged. */
export function fileProblem(error: unknown, path: string): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(diskFull(path));
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StartError(
      `Ostiary cannot write to ${path} (${code === 'EROFS' ? 'read-only file system' : 'permission denied'}): choose another place with OSTIARY_HOME.`,
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StartError(
      `${path} cannot be used as a folder because a file is in its way: choose another place with OSTIARY_HOME.`,
    );
  }
  return error;
}

/** Converts a failed program's output into one sentence, recognising a full disk in any message. */
export function programProblem(what: string, output: string, path: string): StartError {
  if (/No space left on device|ENOSPC|Disk quota exceeded/i.test(output))
    return new StartError(diskFull(path));
  const reason = lastTelling(output);
  return new StartError(`${what} failed${reason === undefined ? '' : `: ${reason}`}`);
}

/**
 * Returns the line of a program's output that explains its failure: the last one that looks like a failure,
 * else the last one outside a stack. Structured lines are rated by level.
 */
export function lastTelling(output: string): string | undefined {
  const lines = output.split('\n').flatMap((line) => reading(line.trim()) ?? []);
  return (lines.findLast((line) => line.failure) ?? lines.at(-1))?.text;
}

interface Reading {
  text: string;
  failure: boolean;
}

function reading(line: string): Reading | undefined {
  if (line === '' || /^(at |node:internal|Node\.js v|\^+$|\})/.test(line)) return undefined;
  const failure = /\b(FATAL|PANIC|error|failed|taken|cannot|could not|must|is not)\b/i;
  if (!line.startsWith('{')) return { text: line, failure: failure.test(line) };
  try {
    const entry = JSON.parse(line) as { level?: unknown; msg?: unknown; err?: { message?: unknown } };
    const parts = [entry.msg, entry.err?.message].filter((part) => typeof part === 'string' && part !== '');
    if (parts.length === 0) return undefined;
    const severe = entry.level === 'fatal' || entry.level === 'error' || Number(entry.level) >= 50;
    return { text: [...new Set(parts)].join(': '), failure: severe };
  } catch {
    return { text: line, failure: false };
  }
}
