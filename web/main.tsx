import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { startLanguage } from '#web/language/language.ts';
import { Portal } from '#web/portal.tsx';
import { Root } from '#web/root.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root');

await startLanguage();

// As a transition, the first render is split into short pieces, so that the page reacts to input in between.
startTransition(() => {
  createRoot(root).render(
    <Root>
      <Portal />
    </Root>,
  );
});
