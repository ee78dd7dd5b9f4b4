/**
 * The documentation as a site: `npm run docs`. Pages are the files of this folder; README.md is the start page, and each folder is a section
 * of the sidebar.
 *
 * DOCS_SOURCE_URL is the address at which the repository can be read, for example https://git.example.com/ostiary/blob/main/. Without it,
 * links to files outside this folder are shown as text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { defineConfig } from 'vitepress';

const docs = resolve(import.meta.dirname, '..');
const sourceUrl = process.env.DOCS_SOURCE_URL;
const sections = [
  { text: 'Start', folder: 'start' },
  { text: 'Guides', folder: 'guides' },
  { text: 'Concepts', folder: 'concepts' },
  { text: 'Reference', folder: 'reference' },
];

const titleOf = (page: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8'))?.[1] ?? page;

const index = readFileSync(join(docs, 'README.md'), 'utf8');
/** Pages have the order of the index. */
const placeOf = (link: string): number => index.indexOf(`(${link.slice(1)}.md)`);

const pagesOf = (folder: string): { text: string; link: string }[] =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({
      text: titleOf(posix.join(folder, name)),
      link: `/${folder}/${name.replace(/\.md$/, '')}`,
    }))
    .toSorted((a, b) => placeOf(a.link) - placeOf(b.link));

/** Path from the root of the repository of a link that leaves this folder. */
function outside(page: string, href: string): string | undefined {
  if (/^(?:[a-z]+:|#|\/)/i.test(href)) return undefined;
  const path = posix.normalize(posix.join('docs', posix.dirname(page), href));
  const isPage = path.startsWith('docs/') && /\.md(?:#.*)?$/.test(path);
  return isPage ? undefined : path;
}

export default defineConfig({
  title: 'Ostiary',
  description:
    'Identity platform: OAuth 2.1 / OpenID Connect, SCIM 2.0 and a multi-tenant directory behind one federated GraphQL graph',
  lang: 'en',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: sections.map(({ text, folder }) => ({ text, link: pagesOf(folder)[0]?.link ?? '/' })),
    sidebar: [
      {
        text: 'Overview',
        items: [
          { text: titleOf('architecture.md'), link: '/architecture' },
          { text: titleOf('glossary.md'), link: '/glossary' },
        ],
      },
      ...sections.map(({ text, folder }) => ({
        text,
        collapsed: folder !== 'start',
        items: pagesOf(folder),
      })),
    ],
  },
  markdown: {
    config(md) {
      md.core.ruler.push('links-out-of-docs', ({ tokens, env }) => {
        const page = String((env as { relativePath?: string }).relativePath ?? '').replace(
          /^index\.md$/,
          'README.md',
        );
        for (const { children } of tokens) {
          let opened: string | undefined;
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              opened = outside(page, String(token.attrGet('href') ?? ''));
              if (opened === undefined) continue;
              if (sourceUrl === undefined)
                Object.assign(token, { type: 'span_open', tag: 'span', attrs: null });
              else token.attrSet('href', new URL(opened, sourceUrl).href);
            } else if (token.type === 'link_close' && opened !== undefined) {
              if (sourceUrl === undefined) Object.assign(token, { type: 'span_close', tag: 'span' });
              opened = undefined;
            }
          }
        }
      });
    },
  },
});
