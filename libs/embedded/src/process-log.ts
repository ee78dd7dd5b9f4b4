import { type FileHandle, open, rename, stat } from 'node:fs/promises';

const keepBytes = 20 * 1024 * 1024;

/** Opens a process's log for appending, first rotating a large one to `<path>.1`. */
export async function openLog(path: string): Promise<FileHandle> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > keepBytes) await rename(path, `${path}.1`);
  return open(path, 'a', 0o600);
}

/** Returns the text of a log from a byte position on, at most the last 64 KiB. */
export async function readTail(path: string, from = 0): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - 65_536);
    if (size <= start) return '';
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - start), position: start });
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

const levels: Record<string, number> = { warn: 40, error: 50, fatal: 60 };

/** Returns the message of a structured log line at level warn or above; undefined for other lines. */
export function warningOf(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line) as { level?: number | string; msg?: string; err?: { message?: string } };
    const level = typeof entry.level === 'string' ? (levels[entry.level] ?? 0) : (entry.level ?? 0);
    if (level < 40) return undefined;
    return [entry.msg, entry.err?.message].filter(Boolean).join(': ') || undefined;
  } catch {
    return undefined;
  }
}

/**
 * Follows a log of other processes and reports its warnings, at most one of a kind per minute. Reading the
 * file instead of a pipe keeps the writers independent of this process.
 */
export class LogFollower {
  readonly #path: string;
  readonly #onWarning: (message: string) => void;
  readonly #told = new Map<string, number>();
  #position: number;
  #rest = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, from: number, onWarning: (message: string) => void) {
    this.#path = path;
    this.#position = from;
    this.#onWarning = onWarning;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#read(), 500);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #read(): Promise<void> {
    const size = await stat(this.#path).then(
      (found) => found.size,
      () => 0,
    );
    if (size <= this.#position) return;
    const from = this.#position;
    this.#position = size;
    const lines = (this.#rest + (await readTail(this.#path, from))).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = warningOf(line);
      if (message === undefined) continue;
      const now = performance.now();
      if (now - (this.#told.get(message) ?? Number.NEGATIVE_INFINITY) < 60_000) continue;
      if (this.#told.size > 200) this.#told.clear();
      this.#told.set(message, now);
      this.#onWarning(message);
    }
  }
}
