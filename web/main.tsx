import { createRoot } from 'react-dom/client';
import { startLanguage } from '#web/language/language.ts';
import { Portal, firstPage } from '#web/portal.tsx';
import { Root } from '#web/root.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root');

await Promise.all([startLanguage(), firstPage, globalThis.stylesReady]);

// Draws what the server has rendered again, in its place.
await globalThis.takeOver(() =>
  createRoot(root).render(
    <Root>
      <Portal />
    </Root>,
  ),
);
