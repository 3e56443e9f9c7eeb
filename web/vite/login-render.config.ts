import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compileMessages } from './compile-messages.ts';

const root = join(import.meta.dirname, '..');

/** Renders the sign-in page: a module for the server, with all packages in it. */
export default defineConfig({
  root,
  publicDir: false,
  resolve: { alias: [{ find: /^zod$/, replacement: join(root, 'small-zod/zod.ts') }] },
  plugins: [react(), compileMessages()],
  ssr: { noExternal: true },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: join(root, 'login-render.tsx'),
    outDir: '../build/login-page',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
  },
});
