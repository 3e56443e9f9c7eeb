import react from '@vitejs/plugin-react';
import { type Plugin, defineConfig } from 'vite';

const portalUrl = process.env['PORTAL_URL'] ?? 'http://localhost:4000';

/** The font of nearly every text: asked for with the page, not only once the styles have been read. */
const preloadedFont = /^assets\/geist-latin-wght-normal-.*\.woff2$/;

function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => preloadedFont.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    preloadFont(),
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
