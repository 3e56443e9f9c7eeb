import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isAutomatic, replyAddress, replyMarker, replyToken, writtenText } from './mail-reply.ts';

const base = 'support@example.com';
const token = '0123456789abcdef0123456789abcdef';

test('a reply address has the token after a plus, and gives it back in any case', () => {
  expect(replyAddress(base, token)).toBe(`support+${token}@example.com`);
  const mixed = `Support+${token.toUpperCase()}@EXAMPLE.com`;
  expect(replyToken(base, ['other@example.com', mixed])).toBe(token);
});

test.each([
  'support@example.com',
  `support+${token.slice(1)}@example.com`,
  `support+${token}x@example.com`,
  `support+${token}@example.com.evil.example`,
  `xsupport+${token}@example.com`,
  `sales+${token}@example.com`,
  `support+../../${token}@example.com`,
  '',
])('%j is no reply address', (address) => {
  expect(replyToken(base, [address])).toBeUndefined();
});

describe('what a person wrote', () => {
  test.each([
    [
      'of Gmail',
      `Yes, since 10:00.\n\nWith all calls.\n\nOn Mon, 23 Nov 2026 at 10:04, Octroi <support+${token}@example.com> wrote:\n\n> ${replyMarker}\n>\n> Hello Asha,\n> Since when?`,
      'Yes, since 10:00.\n\nWith all calls.',
    ],
    [
      'of Gmail, with a long introduction',
      `Yes\n\nOn Mon, 23 Nov 2026 at 10:04, Octroi Sample Private Limited <\nsupport@example.com> wrote:\n\n> ${replyMarker}\n> Hello`,
      'Yes',
    ],
    ['of a German program', `Ja\n\nAm 23.11.2026 um 10:04 schrieb Octroi:\n> ${replyMarker}\n> Hello`, 'Ja'],
    [
      'of Outlook',
      `Yes\n\n________________________________\nFrom: Octroi <support@example.com>\nSent: Monday\n\n${replyMarker}\n\nHello`,
      'Yes',
    ],
    ['without a marker', 'Yes\r\n\r\n> Since when?\r\n>> Hello\r\n', 'Yes'],
    ['without a quote', 'These fail:\n\n- a\n- b', 'These fail:\n\n- a\n- b'],
    [
      'that ends with a colon and quotes',
      `Here are the numbers:\n\n> ${replyMarker}\n> Hello`,
      'Here are the numbers:',
    ],
    [
      'between quotes',
      `> Since when?\n10:04\n> With all?\nYes\n\n${replyMarker}\nHello`,
      '> Since when?\n10:04\n> With all?\nYes',
    ],
    ['nothing but a quote', `${replyMarker}\nHello`, ''],
  ])('%s is kept, the quoted mail is not', (_of, text, own) => {
    expect(writtenText(text, base)).toBe(own);
  });

  test.each([
    ['an address of ours', `Write to Support+${token}@Example.com`, 'Write to Support@Example.com'],
    ['an address on two lines', `<support+${token}@\nexample.com>`, '<support@\nexample.com>'],
    ['an address without its domain', `Support+${token}@`, 'Support@'],
    ['an address with two tokens', `support+${token}+${token}@example.com`, 'support@example.com'],
  ])('%s has its token removed', (_of, text, own) => {
    expect(writtenText(text, base)).toBe(own);
  });

  test('no text, however it is made, has the token of an address of ours', () => {
    const pieces = fc.constantFrom(
      replyAddress(base, token),
      'Support',
      'Support+',
      `+${token}`,
      token,
      '@example.com',
      '\n',
      '> ',
      'On 1:',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
        expect(writtenText(parts.join(''), base).toLowerCase()).not.toContain(`support+${token}`);
      }),
    );
  });

  test('a megabyte is read in time, whatever it is', () => {
    for (const piece of ['>', '\n', ' ', '-', '_', 'On 1:', '> \n', `support+${token}`]) {
      // Anything worse than linear would not end within the time limit of a test.
      expect(writtenText(piece.repeat(1_000_000 / piece.length), base).length).toBeLessThanOrEqual(1_000_000);
    }
  });
});

test.each([
  [{ 'auto-submitted': 'auto-replied' }, true],
  [{ 'auto-submitted': 'auto-generated (failure)' }, true],
  [{ 'auto-submitted': 'no' }, false],
  [{ precedence: 'bulk' }, true],
  [{ 'return-path': '<>' }, true],
  [{ 'return-path': '<asha@example.com>' }, false],
  [{ 'content-type': 'multipart/report; report-type=delivery-status' }, true],
  [{ 'x-autoreply': 'yes' }, true],
  [{ 'x-auto-response-suppress': 'All' }, true],
  [{ 'list-id': '<users.example.com>' }, true],
  [{ 'content-type': 'text/plain' }, false],
])('a mail with %j was sent by a program: %s', (headers, isProgram) => {
  expect(isAutomatic(new Map(Object.entries(headers)))).toBe(isProgram);
});
