import { currentPlaceOfSupply, findState, otherTerritoryCode, type State } from '#shared/domain/states.ts';

/**
 * The States of PINs of India Post, by ranges: the first three digits name a sorting district, which hardly ever
 * crosses a border. The longest matching prefix applies. Three digits stand for every PIN that begins with them; two
 * codes on a line mean that the PIN serves places in both. 900 to 999 belong to the army's post and to no State.
 *
 * Source: All India Pincode Directory of the Department of Posts (data.gov.in/catalog/all-india-pincode-directory). All
 * 154,874 post offices in it lie in a State of this table, with Ladakh (194) as it is since 31 October 2019.
 */
const ranges = `
110 07
121-136 06
140-152 03
140119 03 04
140125 03 04
140133 03 04
160 04
160003 03 04
160014 03 04
160055-160071 03
160101-160104 03 04
171-177 02
180-193 01
194 38
201-243 09
244001-244711 09
244712-244717 05
244718-245999 09
246001-246699 05
246700-246999 09
246763 05 09
247001-247655 09
247656-247671 05
247662 05 09
247665 05 09
247669 09
247672-247999 09
248-249 05
250-261 09
262001-262307 09
262308-262699 05
262406 09
262700-262999 09
263 05
271-285 09
301-345 08
360-396 24
362520 26
362540 26
362570 26
396193 24 26
396210-396220 26
396230-396240 24 26
400-445 27
403 30
450-488 23
490-497 22
500-509 36
507130 37
515-535 37
533464 34 37
560-591 29
600-643 33
605001-605013 34
605007 33 34
605014-605107 33 34
605103 33
605110-605111 33 34
605501-605502 33 34
607402-607403 33 34
609601-609609 34
609603-609604 33 34
609608 33
670-695 32
673310 32 34
682551-682559 31
700-736 19
737 11
741-743 19
744 35
751-770 21
781-788 18
783123 17 18
783134 17 18
790-792 12
793-794 17
795 14
796 15
797-798 13
799 16
800-813 10
813208 20
814-816 20
814131 10
821 10
822 20
823-824 10
825-835 20
841-855 10
`
  .trim()
  .split('\n')
  .map((line) => {
    const [span = '', ...codes] = line.split(' ');
    const [first = '', last = first] = span.split('-');
    return { first: Number(first.padEnd(6, '0')), last: Number(last.padEnd(6, '9')), codes };
  })
  .toReversed();

/**
 * True for six digits in the range of India Post's PINs; whether a PIN is in use, only India Post's current list says.
 */
export function isPin(text: string): boolean {
  return /^[1-9]\d{5}$/.test(text);
}

/**
 * The States of a PIN: usually one, two where it serves places across a border, none when the number is unknown. New
 * PINs appear every year, so an unknown one does not make an address invalid.
 */
export function statesOfPin(pin: string): State[] {
  if (!isPin(pin)) return [];
  const number = Number(pin);
  const codes = ranges.find(({ first, last }) => first <= number && number <= last)?.codes ?? [];
  return codes.map((code) => findState(code)).filter((state) => state !== undefined);
}

/**
 * The States in which a PIN lies, if the given one is not among them; undefined when they agree. The State decides the tax
 * (IGST Act s.12(2): the recipient's address on record), and the invoice portal checks that State and PIN agree.
 * A PIN that is unknown, or belongs to the army's post, contradicts no State; no PIN contradicts Other Territory, which
 * has none of its own.
 */
export function otherStatesOfPin(pin: string, stateCode: string): State[] | undefined {
  const state = currentPlaceOfSupply(stateCode);
  const found = statesOfPin(pin);
  if (state === undefined || state.code === otherTerritoryCode || found.length === 0) return undefined;
  return found.some(({ code }) => code === state.code) ? undefined : found;
}
