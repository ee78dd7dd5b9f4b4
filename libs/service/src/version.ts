/** Version of the release, as in package.json. Written by scripts/release.ts. */
export const version = '0.2.0';
