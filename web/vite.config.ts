import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { earlyPages } from './early-pages.ts';
import { writeBeforePage } from './vite/before-page.ts';
import { type ModuleGraph, createFileOf } from './vite/chunks.ts';
import { compileMessages } from './vite/compile-messages.ts';
import { configOfPortal } from './vite/config-of-portal.ts';
import { firstLoad } from './vite/first-load.ts';
import { fontsWithoutShift } from './vite/font-display.ts';
import { fontsInPage } from './vite/fonts-in-page.ts';
import { preact } from './vite/preact.ts';
import { preloadFont } from './vite/preload-font.ts';
import { reactRouter } from './vite/react-router.ts';
import { themeCss } from './vite/theme-css.ts';

const portalUrl = process.env['PORTAL_URL'] ?? 'http://localhost:4000';

const page = (path: string) => join(import.meta.dirname, path);

/** What stops a page from scrolling behind a dialog. */
const scrolling =
  /node_modules\/(react-remove-scroll(-bar)?|react-style-singleton|use-sidecar|use-callback-ref|get-nonce|tslib)\//;

const mantineNotifications = fileURLToPath(import.meta.resolve('@mantine/notifications'));

/** They run where they are the page, and nowhere else: in a file with others, the portal would start wherever one of those is needed. */
const entries = new Set(['login.tsx', 'main.tsx', 'portal.tsx'].map(page));

const everyPageOf = createFileOf([
  { file: 'root', from: [page('login.tsx')] },
  { file: 'frame', from: [page('main.tsx')] },
]);
const sharedOf = createFileOf([
  { file: 'cards', from: [page('features/marketplace/marketplace-page.tsx')] },
  { file: 'notices', from: [mantineNotifications] },
  { file: 'usage', from: [page('features/usage/api-page.tsx')] },
  {
    file: 'panels',
    from: [
      'api-keys/api-keys-panel.tsx',
      'invoices/history-panel.tsx',
      'usage/plan-panel.tsx',
      'usage/delete-panel.tsx',
    ].map((path) => page(`features/${path}`)),
  },
]);

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [...preact, reactRouter, { find: /^zod$/, replacement: page('small-zod/zod.ts') }],
  },
  plugins: [
    react(),
    compileMessages(),
    fontsWithoutShift(),
    fontsInPage(),
    themeCss(),
    // The font of nearly every text.
    preloadFont(/^assets\/geist-latin-wght-normal-.*\.woff2$/),
    firstLoad({
      pages: {
        '/login': { entry: 'login.html', limit: { English: 52_400, Hindi: 58_900 } },
        '/marketplace': {
          entry: 'index.html',
          module: 'marketplace/marketplace-page.tsx',
          limit: { English: 117_100, Hindi: 125_600 },
        },
        '/api/{id}': {
          entry: 'index.html',
          module: 'usage/api-page.tsx',
          limit: { English: 142_200, Hindi: 156_900 },
        },
      },
      later: ['api/refusals/texts.hi.ts'],
    }),
    writeBeforePage(earlyPages),
    configOfPortal(portalUrl),
  ],
  server: { proxy: { '/backend': portalUrl } },
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    // Data addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'login.html'].map(page),
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'preact', test: /node_modules\/preact\//, priority: 3 },
            // Notifications read one name of it, and would bring the panels of all dialogs.
            { name: 'scroll', test: scrolling, priority: 3 },
            {
              name: (id: string, graph: ModuleGraph) => (entries.has(id) ? null : everyPageOf(id, graph)),
              debugName: 'every page',
              priority: 2,
            },
            { name: sharedOf, debugName: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});
