import { type MantineThemeOverride, createTheme, rem } from '@mantine/core';
import { brand, dark, gray, red, yellow } from '#web/ui/theme-colors.ts';
import { themeComponents } from '#web/ui/theme-components.ts';

const font = "'Geist Variable', 'Noto Sans Devanagari Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

/** The look of every Mantine component; the variables behind it are in theme-variables.ts, and become theme.css. */
export const theme: MantineThemeOverride = createTheme({
  colors: { brand, gray, dark, yellow, red },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 6 },
  white: '#ffffff',
  black: gray[9],
  fontFamily: font,
  fontFamilyMonospace:
    "'Geist Mono Variable', ui-monospace, SFMono-Regular, Menlo, 'Noto Sans Devanagari Variable', monospace",
  // Mantine draws its controls at sm and its text at md: here both are the 14 px base.
  fontSizes: { xs: rem(12), caption: rem(13), sm: rem(14), md: rem(14), lg: rem(16), xl: rem(18) },
  lineHeights: { xs: '1.333', caption: '1.54', sm: '1.43', md: '1.43', lg: '1.5', xl: '1.45' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  headings: {
    fontFamily: font,
    fontWeight: '600',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: rem(26), lineHeight: '1.23' },
      h2: { fontSize: rem(17), lineHeight: '1.41' },
      h3: { fontSize: rem(15), lineHeight: '1.47' },
      h4: { fontSize: rem(14), lineHeight: '1.43' },
    },
  },
  spacing: { xs: rem(8), sm: rem(12), md: rem(16), lg: rem(24), xl: rem(40) },
  radius: { xs: rem(4), sm: rem(6), md: rem(8), lg: rem(12), xl: rem(16) },
  defaultRadius: 'md',
  shadows: {
    xs: 'var(--p-shadow-xs)',
    sm: 'var(--p-shadow-xs)',
    md: 'var(--p-shadow-md)',
    lg: 'var(--p-shadow-lg)',
    xl: 'var(--p-shadow-lg)',
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: themeComponents,
});
