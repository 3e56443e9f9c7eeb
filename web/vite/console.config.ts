import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { writeBeforePage } from './before-page.ts';
import { compileMessages } from './compile-messages.ts';
import { configOfPortal } from './config-of-portal.ts';
import { fontsWithoutShift } from './font-display.ts';
import { leaveOutSchemaWriters } from './leave-out-schema-writers.ts';
import { preact } from './preact.ts';
import { preloadFont } from './preload-font.ts';
import { reactRouter } from './react-router.ts';
import { themeCss } from './theme-css.ts';

const portalUrl = process.env['PORTAL_URL'] ?? 'http://localhost:4000';

const root = join(import.meta.dirname, '../console');

/** A build of its own, so that no file of the customers' pages depends on the console. It writes beside them: the server serves one folder. */
export default defineConfig({
  root,
  publicDir: '../public',
  resolve: { alias: [...preact, reactRouter] },
  plugins: [
    react(),
    compileMessages(),
    leaveOutSchemaWriters(),
    fontsWithoutShift(),
    themeCss(),
    preloadFont(/^assets\/geist-latin-wght-normal-.*\.woff2$/),
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
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: join(root, 'operator.html') },
  },
});
