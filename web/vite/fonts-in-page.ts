import type { Plugin } from 'vite';

const face = /@font-face\{[^}]*font-family:"?Geist[^}]*\}/g;

/**
 * Moves the Latin fonts from the style sheets into the text of the pages that the server renders. Named again by a sheet that comes later, a font that
 * was too late for the first paint would take the place of text that shows already.
 */
export function fontsInPage(): Plugin {
  // Of all entries: the first has taken them out of the sheets.
  const faces = new Set<string>();
  return {
    name: 'fonts-in-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        for (const [name, file] of Object.entries(bundle)) {
          if (file.type !== 'asset' || !name.endsWith('.css')) continue;
          const css = String(file.source);
          for (const [found] of css.matchAll(face)) faces.add(found);
          file.source = css.replaceAll(face, '');
        }
        return [{ tag: 'style', children: [...faces].join(''), injectTo: 'head' }];
      },
    },
  };
}
