/**
 * Inputs with which a mutation that is allowed fails all the same, and changes nothing. A mutation that isn't here gets one made
 * from its type: an id that nothing has, empty texts and lists, nothing that may be left out. That is refused nearly
 * everywhere; the matrix complains about each mutation that succeeded with it.
 */
export const harmlessInputs: Readonly<Record<string, string>> = {
  'Mutation.createPersonalAccessToken': 'input: { name: "" }',
  'Mutation.revokeAllSessions': 'input: { userId: "01900000-0000-7000-8000-000000000000" }',
  'Mutation.rotateSigningKeys': 'input: { algorithms: [] }',
  'Mutation.updateTenant': 'input: { name: "" }',
  'Mutation.updateTenantPolicy': 'input: { webOrigins: ["nowhere"] }',
  'Mutation.updateTenantBranding': 'input: { color: "no colour" }',
  'Mutation.registerClient': 'input: { name: "", scopes: [] }',
};
