import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { googleAddress, isVouchedFor } from './google-address.ts';

const name = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const domain = fc.stringMatching(/^[a-z0-9]{1,10}\.(in|com|example)$/);
/** The same letters with dots between them, some capital, and something after a plus. */
const respelt = (plain: string) =>
  fc
    .tuple(
      fc.array(fc.boolean(), { minLength: plain.length, maxLength: plain.length }),
      fc.array(fc.boolean(), { minLength: plain.length, maxLength: plain.length }),
      fc.option(fc.stringMatching(/^[a-z0-9.+]{0,8}$/)),
      fc.constantFrom('gmail.com', 'GMail.com', 'googlemail.com'),
    )
    .map(([dots, capitals, tag, at]) => {
      const letters = Array.from(plain, (letter, place) => {
        const written = capitals[place] ? letter.toUpperCase() : letter;
        return dots[place] && place > 0 ? `.${written}` : written;
      });
      return `${letters.join('')}${tag === null ? '' : `+${tag}`}@${at}`;
    });

describe('the address of a Google account', () => {
  test('at Gmail is the same however it is spelt', () => {
    fc.assert(
      fc.property(
        name.chain((plain) => fc.tuple(fc.constant(plain), respelt(plain))),
        ([plain, spelt]) => {
          expect(googleAddress(spelt)).toBe(`${plain}@gmail.com`);
        },
      ),
    );
  });

  test('elsewhere keeps dots and plus, and only capitals do not matter', () => {
    fc.assert(
      fc.property(name, name, domain, (one, other, at) => {
        const email = `${one}.${other}+${one}@${at}`;
        expect(googleAddress(email.toUpperCase())).toBe(email);
        expect(googleAddress(`${one}${other}@${at}`)).not.toBe(googleAddress(`${one}.${other}@${at}`));
      }),
    );
  });

  test('is a fixed point, and of two names at Gmail the same only for the same letters', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const address = googleAddress(`${one}@googlemail.com`);
        expect(googleAddress(address)).toBe(address);
        expect(googleAddress(`${other}@gmail.com`) === address).toBe(one === other);
      }),
    );
  });

  test('is vouched for by Google at Gmail and in its own Workspace', () => {
    expect(isVouchedFor('Asha@GMAIL.com', null)).toBe(true);
    expect(isVouchedFor('asha@kaveri.example', 'kaveri.example')).toBe(true);
    expect(isVouchedFor('asha@kaveri.example', null)).toBe(false);
    expect(isVouchedFor('asha@kaveri.example', 'other.example')).toBe(false);
  });
});
