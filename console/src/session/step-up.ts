import { authorizationAddress, complete, type Demand } from './authorization.ts';
import type { Session } from './session.ts';

/** The page that comes back in the other window says so here: it can't reach this one otherwise. */
const channelOf = (state: string): string => `ostiary-console-step-up:${state}`;

/** The target of a sign-in in another window. */
export const elsewhere = 'step-up';

/**
 * Lets the person sign in anew in another window, as strongly and recently as an operation takes, and takes over its tokens. Called by a
 * click, or the browser opens no window. That the window was closed can't be seen from here: whoever calls has a way to give up.
 * @throws Error when no window could be opened, or somebody else signed in; DOMException when given up
 */
export async function stepUp(session: Session, demand: Demand, signal: AbortSignal): Promise<void> {
  // First of all: after a wait it would count as unasked for.
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

/** Called by the page that comes back in the other window, which then has nothing more to do. */
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
