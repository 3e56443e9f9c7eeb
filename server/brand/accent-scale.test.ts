import { wcagContrast } from 'culori';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accentScaleOf, accentStyle, isColor } from './accent-scale.ts';

const text = (what: string, front: string, back: string): [string, number, number] => [
  what,
  wcagContrast(front, back),
  4.5,
];

/** What the pages write on what, in web/ui/theme-variables.ts, and how clear it must be. */
function pairsOf(accent: string): [what: string, contrast: number, least: number][] {
  const { steps, dark } = accentScaleOf(accent);
  const at = (index: number): string => steps[index] ?? '';
  return [
    text('white on a button', '#ffffff', at(7)),
    text('white on a button under the pointer', '#ffffff', at(8)),
    text('white on a button, dark', '#ffffff', at(6)),
    text('white on the panel', '#ffffff', at(9)),
    ...['#ffffff', '#fafaf8', '#f4f5f2', at(0)].map((back) => text(`a link on ${back}`, at(7), back)),
    text('a badge', at(8), at(1)),
    text('a badge under the pointer', at(8), at(2)),
    ...['#0c0f0e', '#141716', '#1b1f1e', dark.faint].map((back) => text(`a link on ${back}, dark`, at(4), back)),
    text('a badge, dark', at(3), dark.soft),
    text('a badge under the pointer, dark', at(3), dark.line),
    ['a bar', wcagContrast(at(5), '#ffffff'), 3],
    ['the focus ring', wcagContrast(at(6), '#ffffff'), 3],
    ['the focus ring, dark', wcagContrast(at(4), '#1b1f1e'), 3],
  ];
}

const hex = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('whatever the accent, every text and shape in it is readable in light and dark mode (WCAG 2.2 AA)', () => {
  fc.assert(
    fc.property(hex, (accent) => {
      for (const [what, contrast, least] of pairsOf(accent))
        expect(contrast, `${accent}: ${what}`).toBeGreaterThan(least - 0.001);
    }),
    {
      numRuns: 300,
      examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#00ff00'], ['#0000ff'], ['#ff0000'], ['#808080']],
    },
  );
});

test('an accent that is readable is kept; a lighter one is darkened in its own hue', () => {
  expect(accentScaleOf('#106641').steps[7]).toBe('#106641');
  expect(accentScaleOf('#1d4ed8').steps[7]).toBe('#1d4ed8');
  expect(accentScaleOf('#ffcc00').steps[7]).toMatch(/^#[0-9a-f]{6}$/);
  expect(accentScaleOf('#ffcc00').steps[7]).not.toBe('#ffcc00');
});

test('a scale goes from light to dark', () => {
  fc.assert(
    fc.property(hex, (accent) => {
      const { steps } = accentScaleOf(accent);
      const onBlack = steps.map((step) => wcagContrast(step, '#000000'));
      expect(steps).toHaveLength(10);
      for (const [index, contrast] of onBlack.slice(1).entries())
        expect(contrast, `${accent} ${steps.join(' ')}`).toBeLessThanOrEqual((onBlack[index] ?? 0) + 0.001);
    }),
    { numRuns: 300 },
  );
});

test('the style sheet sets colours and nothing else', () => {
  const colours = /\{(--[a-z0-9-]+:#[0-9a-f]{6};)+\}/g;
  const style = accentStyle(accentScaleOf('rgb(10 90 200)'));
  expect(style.replaceAll(colours, '{}').split('\n')).toEqual([
    ':root:root:root{}',
    ":root:root:root[data-mantine-color-scheme='dark']{}",
    '@media (prefers-color-scheme:dark){:root:root:root:not([data-mantine-color-scheme]){}}',
    '',
  ]);
});

test.each([
  ['#106641', true],
  ['rebeccapurple', true],
  ['oklch(0.6 0.1 200)', true],
  ['green-ish', false],
  ['url(x)', false],
  ['', false],
])('is %s a colour? %s', (text, is) => {
  expect(isColor(text)).toBe(is);
});
