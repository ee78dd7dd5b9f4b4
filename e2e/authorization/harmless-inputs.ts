/**
 * Inputs with which a permitted mutation fails and changes nothing. Other mutations get an input made from their type:
 * an unknown id, empty strings and lists, and no optional fields. Nearly every mutation rejects that; the matrix
 * reports each one that succeeds.
 */
export const harmlessInputs: Readonly<Record<string, string>> = {
  'Mutation.createPersonalAccessToken': 'input: { name: "" }',
  'Mutation.revokeAllSessions': 'input: { userId: "01900000-0000-7000-8000-000000000000" }',
  'Mutation.rotateSigningKeys': 'input: { algorithms: [] }',
  'Mutation.updateTenant': 'input: { name: "" }',
  'Mutation.updateTenantPolicy': 'input: { webOrigins: ["nowhere"] }',
  'Mutation.updateTenantBranding': 'input: { color: "no colour" }',
  'Mutation.updateClientDocumentPolicy': 'input: { hosts: ["no host"] }',
  'Mutation.registerClient': 'input: { name: "", scopes: [] }',
};
