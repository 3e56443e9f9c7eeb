/**
 * Where to go after a sign-in or a form: the path that an address names, when it is one of ours, else `fallback`.
 * Whoever writes the link decides what stands in it, so that anything that a browser could read as another site (a scheme,
 * `//host`, `/\host`, with or without tabs and dot segments) falls back. Paths only, query and fragment included.
 */
export function safePath(candidate: string | null | undefined, fallback: string): string {
  if (candidate === null || candidate === undefined || !candidate.startsWith('/')) return fallback;
  let url: URL;
  try {
    url = new URL(candidate, ownOrigin);
  } catch {
    return fallback;
  }
  // The parser removes tabs and dot segments, which can bring a second slash to the front.
  if (url.origin !== ownOrigin || url.pathname.startsWith('//')) return fallback;
  return `${url.pathname}${url.search}${url.hash}`;
}

// Stands for the page's origin: no input can name it.
const ownOrigin = 'https://own.invalid';

/** The sign-in page that leads back to a place of the portal afterwards (product §2.4). */
export function loginPath(place: { pathname: string; search: string }): string {
  return `/login?redirect=${encodeURIComponent(place.pathname + place.search)}`;
}

/** After a sign-in: the place that was asked for; /login itself would be a circle. */
export function pathAfterLogin(redirect: string | null): string {
  const path = safePath(redirect, '/marketplace');
  return /^\/(login)?\/?(?:[?#]|$)/.test(path) ? '/marketplace' : path;
}
