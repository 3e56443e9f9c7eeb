import type { Page } from '@playwright/test';

/** What pages show, by the names of their pictures. */
export type Outlines = Record<string, string>;

const month =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const masks: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`(?:\b\d{1,2} )?\b(?:${month})\b(?: \d{4}\b)?`, 'g'), 'date'],
  [/\b[A-Z]{2,5}-[A-Z0-9]{6,}\b/g, 'id'],
  [/\b[\w.-]*[A-Z_-][\w.-]*\d[\w.-]*/g, 'id'],
  [/\d+(?:[,.:/]\d+)*/g, '0'],
];

/** What stays while the days go by: a text, a row or a cell is data. */
const isFrame = (line: string) =>
  /^ *- (?:banner|navigation|main|dialog|heading|button|link|tab|columnheader|textbox|combobox|checkbox|progressbar|figure|table|contentinfo)\b/.test(
    line,
  );

/**
 * The frame of a page in words: headings, buttons, links, fields and columns, each once and without what time and chance
 * decide (days, numbers, ids).
 */
export async function outlineOf(page: Page): Promise<string> {
  const whole = await page.locator('body').ariaSnapshot();
  const lines = whole.split('\n').filter(isFrame);
  const masked = lines.map((line) =>
    masks.reduce(
      (text, [found, put]) => text.replace(found, put),
      line
        .replace(/ \[level=\d\]/, '')
        .replace(/:$/, '')
        .trim(),
    ),
  );
  return [...new Set(masked)].join('\n');
}
