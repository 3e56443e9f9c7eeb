import type { Plugin } from 'vite';

/** In development, Vite serves the pages, with the configuration of a running portal. */
export function configOfPortal(portalUrl: string): Plugin {
  return {
    name: 'config-of-portal',
    apply: 'serve',
    async transformIndexHtml(html) {
      const page = await (await fetch(`${portalUrl}/login`)).text();
      const config = /<script type="application\/json" id="portal-config">[\s\S]*?<\/script>/.exec(page)?.[0];
      return html.replace('<!--portal-config-->', config ?? '');
    },
  };
}
