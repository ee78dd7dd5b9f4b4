/**
 * Returns the comparison key of a group name, with the mappings of Nickname (RFC 8266 §2.3 and §2.4): runs of
 * any spaces become one, none at the ends, no case, NFKC.
 */
export function groupNameKey(displayName: string): string {
  let key = displayName;
  for (let time = 0; time < 4; time += 1) {
    const next = key
      .replace(/\p{Zs}+/gu, ' ')
      .replace(/^ | $/g, '')
      .toLowerCase()
      .normalize('NFKC');
    if (next === key) break;
    key = next;
  }
  return key;
}
