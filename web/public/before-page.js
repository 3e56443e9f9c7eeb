// What must be so before any other code of the page runs. A file of its own, as inline scripts are not allowed.

// zod would try to compile its checks with `new Function`, which the content security policy reports as an attack. Schemas are
// made while modules load, so that it must hear of it before the first of them.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// Before the first paint, so that a page in dark mode never flashes white. The key is the one that MantineProvider keeps its
// choice under.
(function () {
  let kept = null;
  try {
    kept = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Without storage the system decides.
  }
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  document.documentElement.style.backgroundColor = dark ? '#0c0f0e' : '#fafaf8';
})();
