import type { Plugin } from 'vite';

/** While developing, the pages come from Vite; their configuration comes from a running portal. */
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
