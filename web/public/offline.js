// Keeps the frame of the pages, their files and the last data that is safe to show, for when the network is away (decision 076). What is asked for is
// always asked of the network first, so that an upgrade shows at once.

const frames = 'portal-frames';
const files = 'portal-files';
/** One for each session; `portal-data-off-…`: that session's account is blocked. */
const dataPrefix = 'portal-data-';
const most = { [frames]: 30, [files]: 300, data: 60 };

const pages =
  /^\/(?:$|(?:account|activations|api|billing|dashboard|developers|marketplace|reference|reporting|support)(?:\/|$))/;
/** Nothing of money: no payment, order, document or price that is due. No key: only their list. */
const calls =
  /^\/backend\/(?:account|customer\/activations|marketplace|usage\/report|devportal\/services\/(?:activated|[^/]+\/(?:usage|apikeys)))$/;
const looks = /^\/(?:brand\/|mark\.svg$|backend\/marketplace\/[^/]+\/images\/)/;

/** How often everything was forgotten: what was asked for before is not kept. */
let forgotten = 0;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', (event) => {
  const { forget, keep = [], page } = event.data;
  if (forget) event.waitUntil(forgetData());
  else event.waitUntil(keepLoaded(keep, page));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const token = request.headers.get('authorization');
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (pages.test(pathname)) event.respondWith(pageOf(request, pathname));
  } else if (pathname.startsWith('/assets/')) event.respondWith(assetOf(request));
  else if (looks.test(pathname)) event.respondWith(networkFirst(request));
  else if (calls.test(pathname) && token !== null) event.respondWith(dataOf(request, token));
});

/** Its HTML is the same whatever the id, which nobody is to find here after the session. */
const frameOf = (pathname) => pathname.replace(/^\/(activations|api|support|developers\/webhooks)\/[^/]+/, '/$1/-');

async function pageOf(request, pathname) {
  const asked = next();
  try {
    const response = await fetch(request);
    if (response.ok) await keepFrame(asked, response.clone(), pathname);
    return response;
  } catch {
    const kept = await keptIn(frames, frameOf(pathname));
    return kept ?? (await keptIn(frames, '/')) ?? Response.error();
  }
}

/** The pages that were asked for, counted, and the last of them that was kept. */
let count = 0;
let last = 0;
let keeping = Promise.resolve();
const next = () => (count += 1);

/** One after another. A page that comes after one that was asked for later may be of the build before, and is not kept. */
async function keepFrame(asked, response, pathname) {
  const before = keeping;
  let end;
  keeping = new Promise((resolve) => (end = resolve));
  await before;
  try {
    if (asked < last) return;
    last = asked;
    await keepBuild(response, pathname);
  } finally {
    end();
  }
}

/** Another build has other files: those of the last one go. */
async function keepBuild(response, pathname) {
  const build = /\/assets\/[\w.-]+\.js/.exec(await response.clone().text())?.[0] ?? '';
  const known = await (await keptIn(frames, '/build'))?.text();
  if (known !== build) await Promise.all([caches.delete(frames), caches.delete(files)]);
  await keep(frames, '/build', new Response(build));
  await keep(frames, '/', response.clone());
  await keep(frames, frameOf(pathname), response);
}

/** What a page has loaded before this worker saw its requests. */
async function keepLoaded(urls, pathname) {
  await keepFrame(next(), await fetch(pathname), pathname);
  await Promise.all(urls.map((url) => assetOf(new Request(url)).catch(() => undefined)));
}

/** Its name changes with its content. */
async function assetOf(request) {
  return (await keptIn(files, request.url)) ?? networkFirst(request);
}

async function networkFirst(request) {
  try {
    const response = await fetch(request);
    if (response.ok) await keep(files, request.url, response.clone());
    return response;
  } catch (error) {
    const kept = await keptIn(files, request.url);
    if (kept === undefined) throw error;
    return kept;
  }
}

/** Only for the session that it was read with, and in the language that it was asked for in. */
async function dataOf(request, token) {
  const session = await hashOf(token);
  const name = dataPrefix + session;
  const off = `${dataPrefix}off-${session}`;
  const { pathname, search } = new URL(request.url);
  const key = `/kept/${request.headers.get('accept-language') ?? ''}${pathname}${search}`;
  const before = forgotten;
  try {
    const response = await fetch(request);
    if (response.status === 401 || response.status === 403) await forgetData();
    if (pathname === '/backend/account' && response.ok) await followBlock(response.clone(), name, off);
    if (response.ok && !(await caches.has(off)) && before === forgotten) {
      await keep(name, key, dated(response.clone()), most.data);
      if (before !== forgotten) await caches.delete(name);
    }
    return response;
  } catch (error) {
    const kept = before === forgotten ? await keptIn(name, key) : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
}

async function followBlock(response, name, off) {
  const { blocked } = await response.json();
  if (blocked === null) {
    await caches.delete(off);
    return;
  }
  await caches.open(off);
  // Responses that are on their way are not kept either.
  forgotten += 1;
  await caches.delete(name);
}

/** The page says of when it is; the portal's clock is not what it was. */
function dated(response) {
  const headers = new Headers(response.headers);
  headers.set('x-portal-as-of', headers.get('x-portal-time') ?? new Date().toISOString());
  headers.delete('x-portal-time');
  return new Response(response.body, { status: response.status, headers });
}

async function forgetData() {
  forgotten += 1;
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(dataPrefix)).map((name) => caches.delete(name)));
}

async function keep(name, key, response, limit = most[name]) {
  const cache = await caches.open(name);
  await cache.put(key, response);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - limit)).map((old) => cache.delete(old)));
}

const keptIn = (cacheName, key) => caches.match(key, { cacheName, ignoreVary: true });

async function hashOf(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest).slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
