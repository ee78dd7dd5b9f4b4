import type { Demo } from '../support/demo.ts';

/** What attackers hold: their own credentials, and those of others that are good elsewhere. */
export interface PerimeterWorld {
  /** A connector's token for the SCIM surface of `demo`. */
  connector: string;
  /** The Authorization header of a client of `demo`. */
  client: string;
  rivalClient: string;
  rivalToken: string;
}

export const basicOf = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

export async function perimeterWorld({ tenants: { demo, rival } }: Demo): Promise<PerimeterWorld> {
  const rivalClient = basicOf(rival.clients.admin.client_id, rival.clients.admin.client_secret);
  const response = await fetch(`${rival.issuer}/token`, {
    method: 'POST',
    headers: { authorization: rivalClient },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: rivalToken } = (await response.json()) as { access_token: string };
  return {
    connector: demo.clients.scim.token,
    client: basicOf(demo.clients.admin.client_id, demo.clients.admin.client_secret),
    rivalClient,
    rivalToken,
  };
}
