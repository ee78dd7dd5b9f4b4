/** Number of hash slots of a Redis cluster. */
export const slotCount = 16_384;

/**
 * Returns the hash slot of a key: CRC-16/XMODEM of the content of its first braces, or of the whole key if
 * there is none.
 */
export function keySlot(key: string): number {
  const opens = key.indexOf('{');
  const closes = opens < 0 ? -1 : key.indexOf('}', opens + 1);
  const hashed = closes > opens + 1 ? key.slice(opens + 1, closes) : key;
  let crc = 0;
  for (const byte of Buffer.from(hashed)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc % slotCount;
}
