import { join } from 'node:path';

/** What browsers get of pages that are written for React: Preact (decision 73). Without these aliases they get React. */
export const preact = [
  { find: /^react$/, replacement: join(import.meta.dirname, '../preact.js') },
  { find: /^react-dom$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react\/jsx-dev-runtime$/, replacement: 'preact/jsx-dev-runtime' },
];
