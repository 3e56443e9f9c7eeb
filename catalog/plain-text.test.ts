import { expect, test } from 'vitest';
import { slowTexts } from '#shared/domain/test-growth.ts';
import { firstSentence, plainText } from './plain-text.ts';

test.each([
  ['Words.\n\n```sh\ncurl x\n```\n', 'Words.'],
  ['<p class="a">One</p> **two** `three`', 'One two three'],
  ['[Guide](/docs) and ![chart](c.png) of [x](https://a.example/b_(c)).', 'Guide and chart of x.'],
  ['1 < 2 [see below', '1 < 2 [see below'],
])('Markdown is read without its marks: %j', (markdown, text) => {
  expect(plainText(markdown)).toBe(text);
});

test('twice the text of strangers takes twice the time', () => {
  expect(slowTexts((text) => firstSentence(plainText(text)))).toEqual([]);
});
