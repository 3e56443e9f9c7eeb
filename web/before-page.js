// Runs before any other code of the page, and stands in its text: a file of its own would be waited for. The build writes it there
// (vite/before-page.ts); the content security policy names it by its hash.

// zod would try to compile its checks with `new Function`, which the content security policy reports as an attack. Schemas are
// made while modules load, so that it must hear of it before the first of them.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    // Without storage the system setting applies, and no session exists.
    return null;
  }
}

// Before the first paint, so that a page in dark mode never flashes white. The key is the one that MantineProvider keeps its
// choice under.
(function () {
  const choice = kept('mantine-color-scheme-value');
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  document.documentElement.style.backgroundColor = dark ? '#0c0f0e' : '#fafaf8';
})();

// An operator sees a customer's portal in this tab alone: the token comes behind the # of a link, which no server gets, and leaves the address
// at once (session/view.ts). The console is never in a view.
const view = (function () {
  const key = 'operator.view';
  const [, given] = /^#view=([\w-]+)$/.exec(location.hash) ?? [];
  try {
    if (/^\/operator(\/|$)/.test(location.pathname)) sessionStorage.removeItem(key);
    else if (given !== undefined) sessionStorage.setItem(key, given);
    return sessionStorage.getItem(key);
  } catch {
    return null;
  } finally {
    if (given !== undefined) history.replaceState(null, '', location.pathname);
  }
})();

// The page has the styles of what it shows first; the others come beside its code, which waits for them.
globalThis.stylesReady = Promise.all(
  styleSheets.map(
    (href) =>
      new Promise((resolve) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href });
        for (const end of ['load', 'error']) link.addEventListener(end, resolve);
        document.head.append(link);
      }),
  ),
);

// What the page will need is asked for now, beside its first code and not after it: its own code, and its data
// (api/early-calls.ts takes the answers).
for (const { path, files, calls } of earlyPages) {
  const parts = new RegExp(path).exec(location.pathname);
  if (parts === null) continue;
  for (const href of files) {
    const isStyle = href.endsWith('.css');
    const link = Object.assign(document.createElement('link'), {
      rel: isStyle ? 'preload' : 'modulepreload',
      crossOrigin: '',
      href,
    });
    if (isStyle) link.as = 'style';
    document.head.append(link);
  }
  const token = view ?? kept('portal.session');
  if (!token) continue;
  const { backendUrl } = JSON.parse(document.getElementById('portal-config').textContent);
  const headers = {
    accept: 'application/json',
    'accept-language': kept('language') === 'hi' ? 'hi' : 'en',
    authorization: `Bearer ${token}`,
  };
  globalThis.earlyCalls = calls.map((call) => {
    const address = backendUrl + (view === null ? '' : '/view') + call.replace('$1', parts[1]);
    const answer = fetch(address, { headers, credentials: 'omit', cache: 'no-store' });
    // The consumer of the response handles its failure; there may be none.
    answer.catch(() => undefined);
    return { address, token, startedAt: performance.now(), answer };
  });
}
