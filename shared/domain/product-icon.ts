/** The icons for products that ship with the portal; web/ui/product-icons.tsx draws them. */
export const productIcons = [
  'search',
  'document',
  'chart',
  'pin',
  'message',
  'check',
  'cloud',
  'rupee',
  'person',
  'clock',
  'bolt',
  'key',
  'globe',
  'code',
  'truck',
  'image',
] as const;

export type ProductIcon = (typeof productIcons)[number];

/** The initials of a product's name, for one without an icon: two words at most, in any script. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const named = words.length > 1 ? words.filter((word) => word.toUpperCase() !== 'API') : words;
  const [first = '', second = ''] = named;
  return `${initialOf(first)}${initialOf(second)}`.toUpperCase();
}

function initialOf(word: string): string {
  return /^[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '';
}
