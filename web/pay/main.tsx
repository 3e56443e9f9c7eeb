import { createRoot } from 'react-dom/client';
import { PayPage } from '#web/pay/pay-page.tsx';
import { startLanguage } from '#web/language/language.ts';
import { Root } from '#web/root.tsx';

// For whoever holds a pay link: nothing of the portal is loaded.
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root');

await startLanguage();

createRoot(root).render(
  <Root>
    <PayPage />
  </Root>,
);
