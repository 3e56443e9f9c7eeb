import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compileMessages } from './compile-messages.ts';
import { followSystemColors } from './follow-system-colors.ts';
import { fontsWithoutShift } from './font-display.ts';
import { reactRouter } from './react-router.ts';
import { themeCss } from './theme-css.ts';

const root = join(import.meta.dirname, '..');

/** The renderer of the public pages: a module for the server, with all packages in it, and the style sheet of those pages. */
export default defineConfig({
  root,
  publicDir: false,
  resolve: { alias: [reactRouter] },
  plugins: [react(), compileMessages(), fontsWithoutShift(), themeCss()],
  css: { postcss: { plugins: [followSystemColors] } },
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: join(root, 'public-pages/render.tsx'),
    ssrEmitAssets: true,
    cssCodeSplit: false,
    outDir: '../build/public-pages',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { output: { entryFileNames: 'render.js', chunkFileNames: '[name]-[hash].js' } },
  },
});
