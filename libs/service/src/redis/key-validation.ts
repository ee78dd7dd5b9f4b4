/**
 * Handling of malformed keys in scripts: another type, a non-numeric number, an expiry too far ahead. Nothing
 * rests on such keys, so they are deleted; retained, they would block access permanently.
 * Prefix of a script. `only(key, type)` deletes a key of another type; `upwards(key)` increments, from the
 * start if the value is not a number; `lasts(key, ms)` deletes a key with a longer TTL.
 */
export const keyValidation = `
local function only(key, type)
  local found = redis.call('TYPE', key).ok
  if found ~= type and found ~= 'none' then redis.call('UNLINK', key) end
end
local function upwards(key)
  local n = redis.pcall('INCR', key)
  if type(n) ~= 'table' and n > 0 and n < 2 ^ 53 then return n end
  redis.call('UNLINK', key)
  return redis.call('INCR', key)
end
local function lasts(key, ms)
  local left = redis.call('PTTL', key)
  if left == -1 or left > ms then redis.call('UNLINK', key) end
end
`;

/** Reports whether an error means a malformed key: another type, or a stream whose ids are exhausted. */
export const isMalformedKey = (error: unknown): boolean =>
  error instanceof Error && /WRONGTYPE|exhausted the last possible ID/.test(error.message);

/** Returns null for a key of another type. @param read a read-only command */
export async function readValid<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (isMalformedKey(error)) return null;
    throw error;
  }
}
