/** Reads the metrics of processes from `/metrics` in the Prometheus text format. */

export interface Sample {
  name: string;
  /** Labels as in the text between the braces, plus `instance`. */
  labels: string;
  value: number;
  /** Reports whether the sample is a counter or part of a histogram, both of which reset at a restart. */
  isCounter: boolean;
}

/** Samples by name and labels. */
export type Snapshot = ReadonlyMap<string, Sample>;

export interface Target {
  /** Value of the label `instance`. */
  instance: string;
  url: string;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
/** Scrape timeout, shorter than that of production. A process that hangs has no samples. */
const timeoutMs = 4_000;

async function textOf(url: string): Promise<string> {
  try {
    return await (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).text();
  } catch {
    return '';
  }
}

/** Returns the samples of all targets. A target that does not respond has none. */
export async function collect(targets: readonly Target[]): Promise<Snapshot> {
  const texts = await Promise.all(
    targets.map(async ({ instance, url }) => ({ instance, text: await textOf(url) })),
  );
  return new Map(texts.flatMap(({ instance, text }) => samplesIn(text, instance)));
}

export function samplesIn(text: string, instance: string): [string, Sample][] {
  const counters = new Set(
    [...text.matchAll(/^# TYPE (\S+) (?:counter|histogram)$/gm)].map(([, name = '']) => name),
  );
  return text.split('\n').flatMap((one) => {
    const [, name = '', given = '', value = ''] = line.exec(one) ?? [];
    if (name === '' || !Number.isFinite(Number(value))) return [];
    const labels = [given, `instance="${instance}"`].filter((part) => part !== '').join(',');
    const whole = name.replace(/_(?:bucket|count|sum)$/, '');
    const isCounter = counters.has(name) || counters.has(whole);
    return [[`${name}{${labels}}`, { name, labels, value: Number(value), isCounter }]] as [string, Sample][];
  });
}

/** Returns the sum of the series whose labels contain all of `labels`, or undefined if there is none. */
export function sampled(
  snapshot: Snapshot,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const parts = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  const found = [...snapshot.values()].filter(
    (sample) => sample.name === name && parts.every((part) => sample.labels.includes(part)),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
