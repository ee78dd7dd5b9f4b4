import type { AttemptLimit } from './attempts.ts';

const quarterHour = 900_000;

/** Limits of guesses at user codes (RFC 8628 §5.1). */
export const deviceCodeGuesses = {
  /** Five attempts, then a doubling delay. A guess matches one of 20^8 codes, and a code is valid for minutes. */
  session: { free: 5, firstMs: 5_000, maxMs: 60_000, forgetMs: quarterHour },
  /** An address may be shared by an office. */
  address: { free: 50, firstMs: 5_000, maxMs: 60_000, forgetMs: quarterHour },
  /** Limits guesses from many addresses without locking other users out. */
  tenant: { free: 1_000, firstMs: 250, maxMs: 2_000, forgetMs: quarterHour },
} satisfies Record<string, AttemptLimit>;

/** Limits of failed sign-ins. `failures` is the number that a tenant may have in 15 minutes. */
export const signInFailures = {
  /** Ten attempts, then a delay that doubles from five seconds to a minute. */
  account: { free: 10, firstMs: 5_000, maxMs: 60_000, forgetMs: quarterHour },
  /** Higher, because an address may be shared by an office, but at most an eighth of the tenant's limit. */
  address: (failures: number): AttemptLimit => ({
    free: Math.max(1, Math.min(300, Math.floor(failures / 8))),
    firstMs: 1_000,
    maxMs: 60_000,
    forgetMs: quarterHour,
  }),
  /** Short delays, so that an attacker cannot lock all users out. */
  tenant: (failures: number): AttemptLimit => ({
    free: failures,
    firstMs: 50,
    maxMs: 2_000,
    forgetMs: quarterHour,
  }),
};

/**
 * Wrong secrets of a platform client from one network: ten, then a delay that doubles from five seconds to a minute.
 */
export const platformSecretGuesses: AttemptLimit = {
  free: 10,
  firstMs: 5_000,
  maxMs: 60_000,
  forgetMs: quarterHour,
};

/**
 * Limits of pushed authorization requests (RFC 9126 §2.3). Each is stored for a minute, so the number of stored
 * requests is at most the number per minute. Any caller may use the name of a public client.
 */
export const pushedRequests = {
  /** Of a client without authentication, from one network. */
  unproven: (perMinute: number): AttemptLimit => ({
    free: perMinute,
    firstMs: 1_000,
    maxMs: 60_000,
    forgetMs: 60_000,
  }),
  /** Of a client with authentication, or of a client without it from all networks. */
  client: (perMinute: number): AttemptLimit => ({
    free: perMinute * 100,
    firstMs: 100,
    maxMs: 5_000,
    forgetMs: 60_000,
  }),
  /** Of all clients of a tenant, which share the memory. */
  tenant: (perMinute: number): AttemptLimit => ({
    free: perMinute * 400,
    firstMs: 100,
    maxMs: 2_000,
    forgetMs: 60_000,
  }),
};

/** Limits of registrations of clients without an initial access token, so that unused ones are kept for a while. */
export const openRegistrations = {
  /** From one network, which may be shared by an office. */
  network: { free: 20, firstMs: 1_000, maxMs: 60_000, forgetMs: 60_000 },
  tenant: { free: 600, firstMs: 1_000, maxMs: 10_000, forgetMs: 60_000 },
} satisfies Record<string, AttemptLimit>;

/**
 * Limit of clients that no administrator approved and that a user allows for the first time. A tenant keeps a limited
 * number of them, which one user must not use up.
 */
export const newUnapprovedClients = {
  free: 30,
  firstMs: 3_600_000,
  maxMs: 86_400_000,
  forgetMs: 86_400_000,
} satisfies AttemptLimit;

/**
 * Limits of fetches of request objects (`request_uri`, OpenID Connect Core §6.2) and of client metadata documents. Any
 * caller with a client id can cause a request to the server of the client's owner.
 */
export const requestDocuments = {
  /** Caused by one network, which may be shared by an office. */
  network: (perMinute: number): AttemptLimit => ({
    free: perMinute,
    firstMs: 1_000,
    maxMs: 60_000,
    forgetMs: 60_000,
  }),
  /** From the server of one client: sufficient for its users, without flooding it. */
  client: (perMinute: number): AttemptLimit => ({
    free: perMinute * 50,
    firstMs: 100,
    maxMs: 5_000,
    forgetMs: 60_000,
  }),
  /** For all clients of a tenant. */
  tenant: (perMinute: number): AttemptLimit => ({
    free: perMinute * 200,
    firstMs: 100,
    maxMs: 2_000,
    forgetMs: 60_000,
  }),
};

/**
 * Limit of open interactions of one network. Any caller can begin one, and each uses memory for 30 minutes, so that a
 * single machine could exhaust the memory for sign-ins. A tenant has no limit, because attackers could use it to lock
 * out its users.
 */
export const interactionsOf = (most: number): AttemptLimit => ({
  free: most,
  firstMs: 250,
  maxMs: 5_000,
  forgetMs: 1_800_000,
});

/**
 * Limit of sign-ins with a passkey from one address. Passkeys cannot be guessed; this limits the cost of signature
 * verification.
 */
export const passkeysOfAddress: AttemptLimit = {
  free: 300,
  firstMs: 1_000,
  maxMs: 60_000,
  forgetMs: quarterHour,
};

/** Maximum size of a pushed request in bytes, twice the maximum of a URL. */
export const maxPushedBytes = 16_384;
