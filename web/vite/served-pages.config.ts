import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compileMessages } from './compile-messages.ts';
import { reactRouter } from './react-router.ts';
import { themeCss } from './theme-css.ts';

const root = join(import.meta.dirname, '..');

/** Renders the pages as the server has them: a module for the server, with all packages in it, and all styles, of which each page gets those it shows. */
export default defineConfig({
  root,
  publicDir: false,
  resolve: {
    alias: [reactRouter, { find: /^zod$/, replacement: join(root, 'small-zod/zod.ts') }],
  },
  plugins: [react(), compileMessages(), themeCss()],
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: join(root, 'served-pages.tsx'),
    outDir: '../build/served-pages',
    ssrEmitAssets: true,
    cssCodeSplit: false,
    emptyOutDir: true,
    chunkSizeWarningLimit: 4000,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'render.js', chunkFileNames: '[name]-[hash].js' } },
  },
});
