import { describe, expect, test } from '@jest/globals';
import { type SnippetContext, snippetsOf } from '../../console/src/applications/snippets/index.ts';
import { csvCell } from '../../console/src/logs/csv-cell.ts';

describe('text that is copied or exported from the console', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['x;=HYPERLINK("https://evil.example")', `"x;'=HYPERLINK(""https://evil.example"")"`],
    ['a\n@SUM(1)', `"a\n'@SUM(1)"`],
    ['; -2', ";' -2"],
    ['Grace Hopper', 'Grace Hopper'],
    ['a-b=c', 'a-b=c'],
    [-2, '-2'],
    [null, ''],
  ])('The CSV cell of %j is not a formula.', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  const context: SnippetContext = {
    issuer: 'https://id.example/t/acme',
    clientId: 'app',
    redirectUri: 'https://app.example/callback',
    scope: 'openid',
    isConfidential: true,
    authMethod: 'CLIENT_SECRET_BASIC',
    resource: 'https://mcp.example/files',
    tokenEndpoint: 'https://id.example/t/acme/token',
    deviceEndpoint: 'https://id.example/t/acme/device_authorization',
  };
  const texts = (of: SnippetContext) =>
    (['WEB', 'SINGLE_PAGE', 'NATIVE', 'MACHINE', 'DEVICE', 'MCP'] as const)
      .flatMap((kind) => snippetsOf(kind, of))
      .map(({ text }) => text)
      .join('\n');

  test('Snippets contain the registered addresses.', () => {
    expect(texts(context)).toContain('https://app.example/callback');
    expect(texts(context)).toContain('https://mcp.example/files');
  });

  test.each([
    'https://mcp.example/;id|sh',
    'https://mcp.example/$(id)',
    'https://mcp.example/`id`',
    "https://a.example/'x",
  ])('No snippet contains the address %s, which would be more than an argument in a shell.', (address) => {
    const text = texts({ ...context, redirectUri: address, resource: address });
    expect(text).not.toMatch(/;id\|sh|\$\(id\)|`id`|'x/);
  });
});
