import type { CSSOptions } from 'vite';

type PostCssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number];

const chosen = /\[data-mantine-color-scheme=(['"]?)(dark|light)\1\]/g;
const schemeOf = (selector: string): string | undefined => [...selector.matchAll(chosen)].map(([, , name]) => name)[0];

/** The portal writes the chosen colours at the root; without a script there is no choice, and the system's preference holds. */
export const followSystemColors: PostCssPlugin = {
  postcssPlugin: 'follow-system-colors',
  Rule(rule, { AtRule }) {
    const schemes = new Set(rule.selectors.map(schemeOf));
    if (schemes.size === 1 && schemes.has(undefined)) return;
    // Of a list, each selector follows its own.
    const parts = [...schemes].map((scheme) => {
      const selectors = rule.selectors.filter((selector) => schemeOf(selector) === scheme);
      const part = rule.clone({ selector: selectors.join(', ').replaceAll(chosen, ':root') });
      if (scheme === undefined) return part;
      const media = new AtRule({ name: 'media', params: `(prefers-color-scheme: ${scheme})` });
      media.append(part);
      return media;
    });
    rule.replaceWith(...parts);
  },
};
