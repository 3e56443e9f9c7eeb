import type { CSSOptions } from 'vite';

type PostCssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number];

const chosen = /\[data-mantine-color-scheme=(['"]?)(dark|light)\1\]/g;

/** The portal writes the chosen colours at the root; without a script there is no choice, and the system's preference holds. */
export const followSystemColors: PostCssPlugin = {
  postcssPlugin: 'follow-system-colors',
  Rule(rule, { AtRule }) {
    const [scheme] = [...rule.selector.matchAll(chosen)].map(([, , name]) => name);
    if (scheme === undefined) return;
    const media = new AtRule({ name: 'media', params: `(prefers-color-scheme: ${scheme})` });
    media.append(rule.clone({ selector: rule.selector.replaceAll(chosen, ':root') }));
    rule.replaceWith(media);
  },
};
