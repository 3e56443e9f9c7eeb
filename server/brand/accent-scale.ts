import { clampChroma, converter, formatHex, parse, wcagContrast } from 'culori';

/** The colours that are derived from a provider's accent: those of the pages (web/ui/theme-variables.ts), mails and PDFs. */
export interface AccentScale {
  /** Ten steps from light to dark, as Mantine names them; 7 fills buttons in light mode, 6 in dark mode. */
  steps: readonly string[];
  /** Surfaces of dark mode. */
  dark: { faint: string; soft: string; line: string; panel: string };
}

const toOklch = converter('oklch');
/** WCAG 2.2, 1.4.3: text of normal size. */
const forText = 4.5;
/** WCAG 2.2, 1.4.11: what is not text. */
const forShapes = 3;

// Backgrounds of web/ui/theme-colors.ts on which the accent is text: the darkest of light mode, the lightest of dark mode.
const lightGround = '#f4f5f2';
const darkGround = '#1b1f1e';

/** Lightness and chroma of the shipped scale; the chroma is scaled to that of the accent. */
const profile = [
  { lightness: 0.977, chroma: 0.12 },
  { lightness: 0.951, chroma: 0.28 },
  { lightness: 0.903, chroma: 0.51 },
  { lightness: 0.829, chroma: 0.83 },
  { lightness: 0.754, chroma: 1.13 },
  { lightness: 0.646, chroma: 1.24 },
] as const;

/** Is it a colour as CSS writes them? */
export function isColor(text: string): boolean {
  return parse(text) !== undefined;
}

/**
 * Derives the scale of an accent. The accent itself is step 7 if white text on it and it as text are readable; otherwise
 * it is darkened until they are. Throws if `accent` is not a colour.
 */
export function accentScaleOf(accent: string): AccentScale {
  const given = toOklch(accent);
  if (given === undefined) throw new Error(`${accent} is not a colour`);
  const chroma = given.c;
  const hue = given.h ?? 0;
  const colour = (lightness: number, ofChroma: number): string =>
    formatHex(clampChroma({ mode: 'oklch', l: Math.min(1, Math.max(0, lightness)), c: ofChroma, h: hue }, 'oklch'));
  /** The first lightness in a direction at which a colour is readable. */
  const readable = (from: number, step: number, ofChroma: number, isFit: (found: string) => boolean): number => {
    let lightness = Math.min(1, from);
    while (!isFit(colour(lightness, ofChroma)) && lightness >= 0 && lightness <= 1) lightness += step;
    return lightness;
  };

  const tints = profile.map((step) => ({ ...step, chroma: step.chroma * chroma }));
  const at = (index: number) => tints[index] ?? { lightness: 1, chroma: 0 };
  const [faint, soft, line] = [0, 1, 2].map((index) => colour(at(index).lightness, at(index).chroma));
  const fits7 = (found: string): boolean =>
    [lightGround, faint ?? '#fff', '#ffffff'].every((ground) => contrasts(ground, forText)(found));
  const l7 = readable(given.l, -0.005, chroma, fits7);
  const l8 = readable(l7 * 0.84, -0.005, chroma * 0.83, (found) =>
    [soft ?? '#fff', line ?? '#fff'].every((ground) => contrasts(ground, forText)(found)),
  );
  const l6 = readable(l7 + 0.09, -0.005, chroma, contrasts('#ffffff', forText));
  const l5 = readable(Math.max(at(5).lightness, l6), -0.005, at(5).chroma, contrasts('#ffffff', forShapes));
  const dark = {
    faint: colour(0.227, chroma * 0.25),
    soft: colour(0.258, chroma * 0.37),
    line: colour(0.349, chroma * 0.55),
    panel: colour(0.242, chroma * 0.44),
  };
  const l4 = readable(at(4).lightness, 0.005, at(4).chroma, (found) =>
    [darkGround, dark.soft].every((ground) => contrasts(ground, forText)(found)),
  );
  const l3 = readable(Math.max(at(3).lightness, l4), 0.005, at(3).chroma, (found) =>
    [dark.soft, dark.line].every((ground) => contrasts(ground, forText)(found)),
  );
  return {
    steps: [
      faint ?? '#ffffff',
      soft ?? '#ffffff',
      line ?? '#ffffff',
      colour(l3, at(3).chroma),
      colour(l4, at(4).chroma),
      colour(l5, at(5).chroma),
      colour(l6, chroma),
      l7 === given.l ? formatHex(given) : colour(l7, chroma),
      colour(l8, chroma * 0.83),
      colour(l8 * 0.75, chroma * 0.6),
    ],
    dark,
  };
}

const contrasts =
  (against: string, least: number) =>
  (found: string): boolean =>
    wcagContrast(found, against) >= least;

/** The style sheet that puts the scale in place of the shipped one. */
export function accentStyle({ steps, dark }: AccentScale): string {
  const root = ':root:root:root';
  const scale = variables(Object.fromEntries(steps.map((colour, index) => [`--mantine-color-brand-${index}`, colour])));
  const ofDark = variables({
    '--p-accent-faint': dark.faint,
    '--p-accent-soft': dark.soft,
    '--p-accent-line': dark.line,
    '--p-panel': dark.panel,
  });
  // Public pages have no script that chooses: they follow the system.
  const ofSystem = `@media (prefers-color-scheme:dark){${root}:not([data-mantine-color-scheme]){${ofDark}}}`;
  return `${root}{${scale}}\n${root}[data-mantine-color-scheme='dark']{${ofDark}}\n${ofSystem}\n`;
}

function variables(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}:${value};`)
    .join('');
}
