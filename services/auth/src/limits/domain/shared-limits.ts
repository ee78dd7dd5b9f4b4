import type { AttemptLimit } from './attempts.ts';

const quarterHour = 900_000;

/** Guesses at user codes (RFC 8628 §5.1). */
export const deviceCodeGuesses = {
  /** A few slips; then a wait that doubles. A guess hits one of 20^8 codes, and a code lives minutes. */
  session: { free: 5, firstMs: 5_000, longestMs: 60_000, forgetMs: quarterHour },
  /** An address may stand for an office. */
  address: { free: 50, firstMs: 5_000, longestMs: 60_000, forgetMs: quarterHour },
  /** However many addresses guess together: slow enough that it leads nowhere, and others still get through. */
  tenant: { free: 1_000, firstMs: 250, longestMs: 2_000, forgetMs: quarterHour },
} satisfies Record<string, AttemptLimit>;

/** Failed sign-ins. `failures` is what a tenant may have in a quarter of an hour. */
export const signInFailures = {
  /** Ten guesses, then a wait that doubles from five seconds to a minute. */
  account: { free: 10, firstMs: 5_000, longestMs: 60_000, forgetMs: quarterHour },
  /** An address may stand for an office, so it gets many more; but never so many that it spends what is everybody's. */
  address: (failures: number): AttemptLimit => ({
    free: Math.max(1, Math.min(300, Math.floor(failures / 8))),
    firstMs: 1_000,
    longestMs: 60_000,
    forgetMs: quarterHour,
  }),
  /** Short waits: whoever attacks must not be able to lock everybody out. */
  tenant: (failures: number): AttemptLimit => ({
    free: failures,
    firstMs: 50,
    longestMs: 2_000,
    forgetMs: quarterHour,
  }),
};

/** Wrong secrets of a client of the platform from one network: ten, then a wait that doubles from five seconds to a minute. */
export const platformSecretGuesses: AttemptLimit = {
  free: 10,
  firstMs: 5_000,
  longestMs: 60_000,
  forgetMs: quarterHour,
};

/**
 * Pushed authorization requests (RFC 9126 §2.3): each is kept for a minute, and anybody may push in the name of a public client.
 * So what waits at a time is at most what may come in a minute.
 */
export const pushedRequests = {
  /** Of a client that doesn't prove who it is, from one network. */
  unproven: (perMinute: number): AttemptLimit => ({
    free: perMinute,
    firstMs: 1_000,
    longestMs: 60_000,
    forgetMs: 60_000,
  }),
  /** Of a client that does, for all of the people who sign in with it; of one that doesn't, from all networks together. */
  client: (perMinute: number): AttemptLimit => ({
    free: perMinute * 100,
    firstMs: 100,
    longestMs: 5_000,
    forgetMs: 60_000,
  }),
  /** Of all clients of a tenant: their memory is everybody's. */
  tenant: (perMinute: number): AttemptLimit => ({
    free: perMinute * 400,
    firstMs: 100,
    longestMs: 2_000,
    forgetMs: 60_000,
  }),
};

/**
 * Documents that are fetched because a request names one (`request_uri`, OpenID Connect Core §6.2): anybody who knows a client's id can
 * have us ask its owner's server.
 */
export const requestDocuments = {
  /** Caused by one network, which may stand for an office. */
  network: (perMinute: number): AttemptLimit => ({
    free: perMinute,
    firstMs: 1_000,
    longestMs: 60_000,
    forgetMs: 60_000,
  }),
  /** From the server of one client: as many as its people may need, and no flood of it. */
  client: (perMinute: number): AttemptLimit => ({
    free: perMinute * 50,
    firstMs: 100,
    longestMs: 5_000,
    forgetMs: 60_000,
  }),
  /** For all clients of a tenant. */
  tenant: (perMinute: number): AttemptLimit => ({
    free: perMinute * 200,
    firstMs: 100,
    longestMs: 2_000,
    forgetMs: 60_000,
  }),
};

/**
 * Sign-ins of one network that were begun and not ended. Each takes memory for half an hour, and anybody can begin one: without
 * an end, a single machine could fill the memory that everybody's sign-ins need. A tenant has no bound of its own: strangers
 * together would keep its people out by it.
 */
export const interactionsOf = (most: number): AttemptLimit => ({
  free: most,
  firstMs: 250,
  longestMs: 5_000,
  forgetMs: 1_800_000,
});

/** Sign-ins with a passkey from one address. One can't be guessed; this only bounds the work of checking signatures. */
export const passkeysOfAddress: AttemptLimit = {
  free: 300,
  firstMs: 1_000,
  longestMs: 60_000,
  forgetMs: quarterHour,
};

/** Most bytes of a pushed request: what a browser could have brought in an address, twice over. */
export const mostPushedBytes = 16_384;
