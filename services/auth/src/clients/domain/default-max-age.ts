import { invalidClientMetadata } from '../../platform/index.ts';

/** One year in seconds, longer than any session. */
const longestMaxAge = 31_536_000;

/**
 * Checks the default maximum age of a sign-in (OpenID Connect Registration §2).
 * @throws OAuthError invalid_client_metadata
 */
export function checkDefaultMaxAge(seconds: number | undefined): { default_max_age?: number } {
  if (seconds === undefined) return {};
  if (!Number.isSafeInteger(seconds) || seconds < 0 || seconds > longestMaxAge) {
    throw invalidClientMetadata(`default_max_age must be 0 to ${longestMaxAge} seconds.`);
  }
  return { default_max_age: seconds };
}
