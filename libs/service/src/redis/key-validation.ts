/**
 * What scripts do with a key that isn't what they would have made: another type, a number that is none, a time that lies too far
 * ahead. Nothing rests on such keys, so it begins anew; left as it is, it would keep a door shut for good.
 *
 * Begins a script. `only(key, type)` takes away what is of another type; `upwards(key)` counts one up, from the beginning where
 * there is no number to count on from; `lasts(key, ms)` takes away what would stay for longer than that.
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

/** Whether Redis says that a key is none of ours: of another type, or a stream that has come to the end of its ids. */
export const isMalformedKey = (error: unknown): boolean =>
  error instanceof Error && /WRONGTYPE|exhausted the last possible ID/.test(error.message);

/** A read that takes what is of another type for nothing. @param read a command that only reads */
export async function readValid<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (isMalformedKey(error)) return null;
    throw error;
  }
}
