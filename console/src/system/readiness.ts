import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { useSession } from '../session/index.ts';

const dependency = v.object({
  status: v.string(),
  required: v.boolean(),
  message: v.optional(v.string()),
  impairs: v.optional(v.string()),
});

const schema = v.object({
  status: v.picklist(['ready', 'degraded', 'unavailable']),
  draining: v.boolean(),
  dependencies: v.record(v.string(), dependency),
});

export type Readiness = v.InferOutput<typeof schema>;

export interface ReadinessNow {
  readiness: Readiness | undefined;
  /** The gateway could not be reached: its state is unknown, which does not mean unavailable. */
  isUnknown: boolean;
  askedAt: string | undefined;
}

const askAgainMs = 5000;
const patienceMs = 10_000;

/** Polls the readiness of the gateway and its dependencies. The endpoint is public and the same for every tenant. */
export function useReadiness(): ReadinessNow {
  const { configuration } = useSession();
  const [now, setNow] = useState<ReadinessNow>({
    readiness: undefined,
    isUnknown: false,
    askedAt: undefined,
  });
  useEffect(() => {
    let isOver = false;
    const ask = async () => {
      const readiness = await read(new URL('/readyz', configuration.graph)).catch(() => undefined);
      if (!isOver)
        setNow({ readiness, isUnknown: readiness === undefined, askedAt: new Date().toISOString() });
    };
    void ask();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask();
    }, askAgainMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [configuration]);
  return now;
}

/** A 503 response also contains the state. */
async function read(address: URL): Promise<Readiness> {
  const response = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) });
  return v.parse(schema, await response.json());
}
