import type { Plugin } from 'vite';

/**
 * The Latin fonts never take the place of text that shows already: whoever gets them too late reads this page in a font of
 * the system, and nothing moves. Other scripts wait for theirs, which a system may lack. The font for Devanagari is asked for nothing else:
 * Latin letters and ₹ that wait for their own font would load it, 160 KB, and move when it comes.
 */
export function fontsWithoutShift(): Plugin {
  return {
    name: 'fonts-without-shift',
    enforce: 'pre',
    transform: {
      filter: { id: /@fontsource-variable\/(?:geist[\w-]*|noto-sans-devanagari)\/.*\.css$/ },
      handler: (code, id) =>
        id.includes('noto-sans-devanagari')
          ? (code.match(/@font-face\s*\{[^}]*U\+0900-[^}]*\}/)?.[0] ?? '').replaceAll(/,U\+20[AB]\w/g, '')
          : code.replaceAll(/font-display:\s*swap/g, 'font-display: optional'),
    },
  };
}
