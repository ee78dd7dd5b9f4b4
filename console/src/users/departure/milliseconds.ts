/** @returns how long it was from one moment to the other; never less than nothing, clocks being what they are */
export const millisecondsBetween = (from: string, to: string): number =>
  Math.max(0, Date.parse(to) - Date.parse(from));
