import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const portalUrl = process.env['PORTAL_URL'] ?? 'http://localhost:4000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    {
      // While developing, the pages come from Vite; their configuration still comes from a running portal.
      name: 'config-of-a-running-portal',
      apply: 'serve',
      async transformIndexHtml(html) {
        const page = await (await fetch(`${portalUrl}/login`)).text();
        const config = /<script type="application\/json" id="portal-config">[\s\S]*?<\/script>/.exec(page)?.[0];
        return html.replace('<!--portal-config-->', config ?? '');
      },
    },
  ],
  server: { proxy: { '/backend': portalUrl } },
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    // Data addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
