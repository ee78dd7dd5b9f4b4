import './ui/tokens.css';
import './ui/ui.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { restoreTheme } from './app/theme.ts';
import { WordsProvider } from './words/index.ts';

// A page restored from the back/forward cache after sign-out must not show its former content.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});

restoreTheme();
const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <WordsProvider>
      <App />
    </WordsProvider>
  </StrictMode>,
);
