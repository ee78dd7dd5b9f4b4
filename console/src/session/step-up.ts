import { authorizationAddress, complete, type Demand } from './authorization.ts';
import type { Session } from './session.ts';

/** Channel from the callback page in the popup to this page, which it cannot reach otherwise. */
const channelOf = (state: string): string => `ostiary-console-step-up:${state}`;

/** Target of a sign-in in a popup. */
export const elsewhere = 'step-up';

/**
 * Signs the user in again in a popup, with the authentication that an operation requires, and takes its tokens. Must be
 * called from a click, or the browser blocks the popup. A closed popup cannot be detected: the caller must be able to
 * abort.
 * @throws Error when the popup was blocked or another user signed in; DOMException after an abort
 */
export async function stepUp(session: Session, demand: Demand, signal: AbortSignal): Promise<void> {
  // Runs first: after an await, the browser would block the popup.
  const popup = window.open('about:blank', '_blank', 'popup,width=480,height=720');
  if (!popup) throw new Error('the browser opened no window');
  const { address, state } = await authorizationAddress(session.configuration, session.tenant, {
    ...demand,
    target: elsewhere,
  });
  const answer = answerOf(state, signal);
  popup.location.replace(address);
  session.take(await complete(session.configuration, await answer));
}

/** Sends the callback from the popup to the page that opened it, and closes the popup. */
export function reportBack(callback: URL): void {
  const channel = new BroadcastChannel(channelOf(callback.searchParams.get('state') ?? ''));
  channel.postMessage(callback.href);
  channel.close();
  window.close();
}

function answerOf(state: string, signal: AbortSignal): Promise<URL> {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(channelOf(state));
    signal.addEventListener('abort', () => {
      channel.close();
      reject(signal.reason);
    });
    channel.onmessage = ({ data }) => {
      channel.close();
      resolve(new URL(String(data)));
    };
  });
}
