/** Where the portal itself has what a public page shows; undefined where only that page has it. */
export function pageInPortal(path: string): string | undefined {
  const [, place, product, part, operation] = path.split('/');
  if (place === 'pricing') return '/marketplace';
  if (place !== 'apis') return undefined;
  if (product === undefined) return '/marketplace';
  if (part !== 'reference') return `/marketplace/${product}`;
  return operation === undefined ? `/reference/${product}` : `/reference/${product}/${encodeURIComponent(operation)}`;
}
