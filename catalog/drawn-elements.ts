/** Real drawings have ten levels. */
const maxDepth = 200;

/** An element, with the ids that its attributes refer to. */
interface Element {
  id: string | undefined;
  uses: string[];
  children: Element[];
}

/**
 * How many elements a browser draws for a sanitized SVG: each reference (`use`, patterns, masks) draws its target again, so that a few nested
 * ones are millions. Infinite when elements refer to each other in a circle, or lie too deep in each other.
 */
export function drawnElements(drawing: string): number {
  const root: Element = { id: undefined, uses: [], children: [] };
  const open = [root];
  const byId = new Map<string, Element>();
  for (const [, isEnd, attributes = '', isEmpty] of drawing.matchAll(/<(\/?)[\w-]+([^<>]*?)(\/?)>/g)) {
    if (isEnd) {
      if (open.length > 1) open.pop();
      continue;
    }
    const element: Element = {
      id: /\sid="([^"]*)"/.exec(attributes)?.[1],
      uses: [...attributes.matchAll(/#([\w-]+)/g)].map(([, id = '']) => id),
      children: [],
    };
    open.at(-1)?.children.push(element);
    if (element.id !== undefined && !byId.has(element.id)) byId.set(element.id, element);
    if (!isEmpty) open.push(element);
    if (open.length > maxDepth) return Infinity;
  }
  const known = new Map<Element, number>();
  const count = (element: Element): number => {
    const found = known.get(element);
    if (found !== undefined) return found;
    // Until it is known, a reference back to it is a circle.
    known.set(element, Infinity);
    const parts = [...element.children, ...element.uses.flatMap((id) => byId.get(id) ?? [])];
    const sum = parts.reduce((total, part) => total + count(part), 1);
    known.set(element, sum);
    return sum;
  };
  return count(root) - 1;
}
