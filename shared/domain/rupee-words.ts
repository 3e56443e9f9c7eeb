const small =
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(
    ' ',
  );
const tens = 'Zero Ten Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ');

/** Groups of the Indian system, largest first. Above 99 crore the crores themselves are spelled out. */
const groups: readonly [size: number, name: string][] = [
  [10_000_000, 'Crore'],
  [100_000, 'Lakh'],
  [1_000, 'Thousand'],
  [100, 'Hundred'],
];

function numberInWords(count: number): string {
  if (count < 20) return small[count] ?? '';
  if (count < 100) {
    const ten = tens[Math.floor(count / 10)] ?? '';
    return count % 10 === 0 ? ten : `${ten}-${small[count % 10] ?? ''}`;
  }
  const parts: string[] = [];
  let rest = count;
  for (const [size, name] of groups) {
    if (rest >= size) {
      parts.push(`${numberInWords(Math.floor(rest / size))} ${name}`);
      rest %= size;
    }
  }
  if (rest > 0) parts.push(numberInWords(rest));
  return parts.join(' ');
}

/**
 * An amount in words, as is customary (not required by Rule 46) on an invoice: 117882 paise is "Rupees One Thousand One
 * Hundred Seventy-Eight and Paise Eighty-Two Only". Takes non-negative integer paise; throws a RangeError otherwise.
 */
export function rupeesInWords(amountPaise: number): string {
  if (!Number.isSafeInteger(amountPaise) || amountPaise < 0) {
    throw new RangeError(`An amount in words must be non-negative integer paise, got ${amountPaise}.`);
  }
  const rupees = `Rupees ${numberInWords(Math.floor(amountPaise / 100))}`;
  const paise = amountPaise % 100;
  return paise === 0 ? `${rupees} Only` : `${rupees} and Paise ${numberInWords(paise)} Only`;
}
