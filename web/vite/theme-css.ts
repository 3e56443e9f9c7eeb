import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import type * as ThemeStyle from '#web/ui/theme-style.ts';

/** The theme names classes, which mean nothing here. */
const withoutClasses: Plugin = {
  name: 'without-classes',
  enforce: 'pre',
  resolveId: { filter: { id: /\.module\.css$/ }, handler: () => '\0classes' },
  load: { filter: { id: /^\0classes$/ }, handler: () => 'export default {}' },
};

/** Writes the colours and sizes of the theme into theme.css. Mantine would compute them in each page, when it starts. */
export function themeCss(): Plugin {
  const root = join(import.meta.dirname, '..');
  return {
    name: 'theme-css',
    enforce: 'pre',
    transform: {
      filter: { id: /\/ui\/theme\.css$/ },
      handler: async () => {
        const { module } = await runnerImport<typeof ThemeStyle>(join(root, 'ui/theme-style.ts'), {
          root,
          configFile: false,
          logLevel: 'error',
          plugins: [withoutClasses],
        });
        return module.themeStyle();
      },
    },
  };
}
