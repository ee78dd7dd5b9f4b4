import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { packageList } from '../scripts/bundle/package-list.mjs';

/** `npm start` serves the graph and the authorization server; `npm run dev` proxies all other paths to it. */
const origin = process.env.OSTIARY_SERVER ?? 'http://localhost:4000';

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    // Texts of the components, in the languages of the console.
    { ...optimizeLocales.vite({ locales: ['en-US', 'de-DE', 'fr-FR', 'es-ES'] }), enforce: 'pre' },
    packageList(),
  ],
  build: {
    target: 'es2024',
    // The content security policy allows no inline scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    port: 4050,
    proxy: { '/graphql': origin, '/t/': origin, '/console/config.json': origin },
  },
});
