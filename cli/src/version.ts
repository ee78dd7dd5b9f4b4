/** Version of the release; e2e/repository/manifests.test.ts compares it with package.json. */
export const version = '0.2.0';
