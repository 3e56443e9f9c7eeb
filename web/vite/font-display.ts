import type { Plugin } from 'vite';

/**
 * The Latin fonts never take the place of text that shows already: whoever gets them too late reads this page in a font of
 * the system, and nothing moves. Other scripts wait for theirs, which a system may lack.
 */
export function latinFontsNeverSwap(): Plugin {
  return {
    name: 'latin-fonts-never-swap',
    enforce: 'pre',
    transform: {
      filter: { id: /@fontsource-variable\/geist[\w-]*\/.*\.css$/ },
      handler: (code) => code.replaceAll(/font-display:\s*swap/g, 'font-display: optional'),
    },
  };
}
