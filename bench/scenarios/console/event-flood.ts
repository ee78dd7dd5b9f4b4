import type { BrowserContext, Page } from 'playwright-core';

/** State of the flood in the page. */
interface Flood {
  perSecond: number;
  /** Ids of the users whose changes are sent. */
  ids: string[];
  sent: number;
  version: number;
}

interface FloodedWindow {
  flood: Flood;
}

/** Fields of the list that are the same in each event. */
const changedUser = {
  __typename: 'User',
  userName: 'changed@example.com',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  title: 'Engineer',
  userType: null,
  name: { __typename: 'Name', givenName: 'Changed', familyName: 'User' },
  emails: [],
  employment: null,
};

/**
 * Replaces the answer to the subscription of the list of users by a stream of events, because no installation on two
 * cores changes a thousand users per second beside a browser. Everything behind `fetch` is the console.
 */
export async function installFlood(context: BrowserContext): Promise<void> {
  await context.addInitScript((changed) => {
    const flood: Flood = { perSecond: 0, ids: [], sent: 0, version: 1_000 };
    (window as unknown as FloodedWindow).flood = flood;
    const original = window.fetch.bind(window);
    const stepMs = 10;
    const eventOf = (id: string, n: number) => ({
      id: `event-${n}`,
      // One event in a hundred changes the list itself.
      kind: n % 100 === 0 ? 'CREATED' : 'UPDATED',
      version: flood.version,
      __typename: 'UserChange',
      user: { ...changed, id, version: flood.version, displayName: `Changed ${n}`, active: n % 2 === 0 },
    });
    const stream = () => {
      const encoder = new TextEncoder();
      let timer: ReturnType<typeof setInterval>;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(encoder.encode(':\n\n'));
          let due = 0;
          timer = setInterval(() => {
            due += (flood.perSecond * stepMs) / 1_000;
            let text = '';
            for (; due >= 1; due -= 1) {
              const id = flood.ids[flood.sent % flood.ids.length];
              if (id === undefined) break;
              flood.sent += 1;
              flood.version += 1;
              const data = {
                data: { userChanged: eventOf(id, flood.sent) },
                extensions: { eventId: String(flood.sent) },
              };
              text += `event: next\ndata: ${JSON.stringify(data)}\n\n`;
            }
            if (text !== '') controller.enqueue(encoder.encode(text));
          }, stepMs);
        },
        cancel: () => clearInterval(timer),
      });
    };
    window.fetch = async (input, init) => {
      const body = typeof init?.body === 'string' ? init.body : '';
      if (!body.includes('UserListChanges')) return original(input, init);
      return new Response(stream(), { headers: { 'content-type': 'text/event-stream' } });
    };
  }, changedUser);
}

export interface Smoothness {
  /** Events that were sent. */
  sent: number;
  /** Frames that were not drawn in their turn, in percent of all. */
  missedPercent: number;
  /** Longest time between two frames in milliseconds. */
  longestMs: number;
}

/** Sends events for some seconds and measures the frames. */
export function floodFor(
  page: Page,
  o: { ids: readonly string[]; perSecond: number; seconds: number },
): Promise<Smoothness> {
  return page.evaluate(
    ({ ids, perSecond, seconds }) =>
      new Promise<Smoothness>((resolve) => {
        const { flood } = window as unknown as FloodedWindow;
        Object.assign(flood, { ids: [...ids], perSecond });
        const [sentBefore, began] = [flood.sent, performance.now()];
        const frameMs = 1_000 / 60;
        let [last, missed, drawn, longestMs] = [began, 0, 0, 0];
        const frame = (now: number) => {
          const took = now - last;
          last = now;
          drawn += 1;
          missed += Math.max(0, Math.round(took / frameMs) - 1);
          longestMs = Math.max(longestMs, took);
          if (now - began < seconds * 1_000) {
            requestAnimationFrame(frame);
            return;
          }
          flood.perSecond = 0;
          resolve({
            sent: flood.sent - sentBefore,
            missedPercent: Math.round((missed / (missed + drawn)) * 1_000) / 10,
            longestMs: Math.round(longestMs),
          });
        };
        requestAnimationFrame(frame);
      }),
    { ...o, ids: [...o.ids] },
  );
}

/** Returns the used heap of the page in bytes, after a collection. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  } finally {
    await session.detach();
  }
}
