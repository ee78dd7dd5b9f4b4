/** Of the release: what package.json says. Written by scripts/release.ts. */
export const version = '0.2.0';
