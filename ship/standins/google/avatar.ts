import { createHash } from 'node:crypto';

const colours = ['#0b6e4f', '#8a3ffc', '#b3261e', '#00639b', '#9c4221', '#5b5f97', '#7d5260', '#386a20'];

/** A picture with initials, as Google shows for people without a photo. */
export function avatarSvg(id: string, name: string): string {
  const index = createHash('sha256').update(id).digest()[0] ?? 0;
  const colour = colours[index % colours.length];
  const initial = new Intl.Segmenter('en').segment(name.trim())[Symbol.iterator]().next().value?.segment ?? '?';
  const text = initial.toUpperCase().replace(/[<>&"']/g, '?');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" fill="${colour}"/><text x="48" y="50" fill="#fff" font-family="Roboto, Noto Sans, Arial, sans-serif" font-size="46" font-weight="400" text-anchor="middle" dominant-baseline="central">${text}</text></svg>`;
}
