import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { writeBeforePage } from './before-page.ts';
import { compileMessages } from './compile-messages.ts';
import { configOfPortal } from './config-of-portal.ts';
import { firstLoad } from './first-load.ts';
import { fontsWithoutShift } from './font-display.ts';
import { preact } from './preact.ts';
import { preloadFont } from './preload-font.ts';
import { reactRouter } from './react-router.ts';
import { themeCss } from './theme-css.ts';

const portalUrl = process.env['PORTAL_URL'] ?? 'http://localhost:4000';

const root = join(import.meta.dirname, '../pay');

/** The page of a pay link: a build of its own, so that it shares no file with the portal, which its reader never loads. */
export default defineConfig({
  root,
  publicDir: '../public',
  resolve: {
    alias: [...preact, reactRouter, { find: /^zod$/, replacement: join(root, '../small-zod/zod.ts') }],
  },
  plugins: [
    react(),
    compileMessages(),
    fontsWithoutShift(),
    themeCss(),
    preloadFont(/^assets\/geist-latin-wght-normal-.*\.woff2$/),
    firstLoad({
      pages: { '/pay': { entry: 'pay.html', limit: { English: 60_000, Hindi: 70_000 } } },
      later: ['api/refusals/texts.hi.ts'],
    }),
    writeBeforePage([]),
    configOfPortal(portalUrl),
  ],
  server: { proxy: { '/backend': portalUrl } },
  build: {
    outDir: '../../build/web',
    emptyOutDir: false,
    copyPublicDir: false,
    // Data addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: join(root, 'pay.html') },
  },
});
